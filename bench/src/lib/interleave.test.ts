import { describe, expect, it } from 'vitest';
import { interleave } from './interleave.ts';

function setup() {
  const order: string[] = [];
  const take = (name: string) => async () => order.push(name);
  return { order, contenders: { ours: take('o'), floor: take('f') } };
}

describe('interleave', () => {
  it('measures all contenders in each round, in alternating order', async () => {
    const { order, contenders } = setup();

    await interleave(contenders, { rounds: 3, warmUp: 0 });

    expect(order.join('')).toBe('offoof');
  });

  it('discards the warm-up rounds', async () => {
    const { contenders } = setup();

    const samples = await interleave(contenders, { rounds: 2, warmUp: 1 });

    expect(samples.ours).toHaveLength(2);
    expect(samples.floor).not.toContain(1);
    expect(samples.ours).not.toContain(2);
  });
});
