import { describe, expect, it } from 'vitest';
import { interleave } from './interleave.ts';

function setup() {
  const order: string[] = [];
  const take = (name: string) => async () => order.push(name);
  return { order, contenders: { ours: take('o'), floor: take('f') } };
}

describe('interleave', () => {
  it('takes everyone in each round, and begins with another in the next', async () => {
    const { order, contenders } = setup();

    await interleave(contenders, { rounds: 3, warmUp: 0 });

    expect(order.join('')).toBe('offoof');
  });

  it('throws the first rounds away', async () => {
    const { contenders } = setup();

    const samples = await interleave(contenders, { rounds: 2, warmUp: 1 });

    expect(samples.ours).toHaveLength(2);
    expect(samples.floor).not.toContain(1);
    expect(samples.ours).not.toContain(2);
  });
});
