import { describe, expect, it } from 'vitest';
import { measureGrowth } from './growth.ts';
import { type Cost, judgeGrowth } from './judge-growth.ts';

const sizes = [32, 64, 128, 256].map((kibibytes) => kibibytes * 1024);

describe('the platform', () => {
  it('answers inputs to what people send in time and bytes that grow no faster than the input', async () => {
    const { findings, inputs } = await measureGrowth({
      sizes,
      only: 'POST /agent/v1/sessions/{id}/events',
      say: () => {},
    });

    expect(findings).toEqual([]);
    expect(inputs).toBeGreaterThan(100);
  }, 300_000);
});

describe('the judgement of growth', () => {
  const costs = (processor: (bytes: number) => number, bytesOut = (_: number) => 100): Cost[] =>
    sizes.map((bytesIn) => ({
      bytesIn,
      bytesOut: bytesOut(bytesIn),
      processor: processor(bytesIn / 1024),
      delay: 0,
    }));

  it('finds processor time that is quadratic in the input', () => {
    expect(judgeGrowth(costs((kibibytes) => kibibytes ** 2 / 100))).toContain('4.0 times');
  });

  it('finds an answer that is many times the request', () => {
    const found = judgeGrowth(
      costs(
        () => 1,
        (bytes) => bytes * 30,
      ),
    );

    expect(found).toContain('32768 bytes are answered with 983040');
  });

  it('accepts linear time, and what is too short to measure', () => {
    expect(judgeGrowth(costs((kibibytes) => kibibytes * 10))).toBeNull();
    expect(judgeGrowth(costs((kibibytes) => kibibytes ** 2 / 10_000))).toBeNull();
  });
});
