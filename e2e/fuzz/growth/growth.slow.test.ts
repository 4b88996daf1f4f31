import { describe, expect, it } from 'vitest';
import { type Cost, checkGrowth } from './check-growth.ts';
import { measureGrowth } from './growth.ts';

const sizes = [128, 256].map((kibibytes) => kibibytes * 1024);

describe('processor time and response sizes', () => {
  it('grow at most linearly with the size of a message', async () => {
    const { findings, inputs } = await measureGrowth({
      sizes,
      only: 'POST /agent/v1/sessions/{id}/events',
      log: () => {},
    });

    expect(findings).toEqual([]);
    expect(inputs).toBeGreaterThan(100);
  }, 300_000);
});

describe('checkGrowth', () => {
  const costs = (processor: (kibibytes: number) => number, bytesOut = (_: number) => 100): Cost[] =>
    sizes.map((bytesIn) => ({
      bytesIn,
      bytesOut: bytesOut(bytesIn),
      processor: processor(bytesIn / 1024),
      delay: 0,
    }));

  it('finds processor time that is quadratic in the input', () => {
    expect(checkGrowth(costs((kibibytes) => kibibytes ** 2 / 100))).toContain('4.0 times');
  });

  it('finds a response that is many times the size of the request', () => {
    const found = checkGrowth(
      costs(
        () => 1,
        (bytes) => bytes * 30,
      ),
    );

    expect(found).toContain('131072 bytes lead to a response of 3932160 bytes');
  });

  it('accepts linear time, and times that are too short to measure', () => {
    expect(checkGrowth(costs((kibibytes) => kibibytes * 10))).toBeNull();
    expect(checkGrowth(costs((kibibytes) => kibibytes ** 2 / 10_000))).toBeNull();
  });
});
