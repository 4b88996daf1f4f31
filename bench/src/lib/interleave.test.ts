import { describe, expect, it } from 'vitest';
import { interleave } from './interleave.ts';

function setup() {
  const order: string[] = [];
  const record = (name: string) => async () => order.push(name);
  return { order, candidates: { measured: record('m'), baseline: record('b') } };
}

describe('interleave', () => {
  it('measures all candidates in each round, in alternating order', async () => {
    const { order, candidates } = setup();

    await interleave(candidates, { rounds: 3, warmUp: 0 });

    expect(order.join('')).toBe('mbbmmb');
  });

  it('discards the warm-up rounds', async () => {
    const { candidates } = setup();

    const samples = await interleave(candidates, { rounds: 2, warmUp: 1 });

    expect(samples.measured).toHaveLength(2);
    expect(samples.baseline).not.toContain(1);
    expect(samples.measured).not.toContain(2);
  });
});
