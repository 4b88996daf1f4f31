import { describe, expect, it } from 'vitest';
import { round, toMarkdown } from './report.ts';
import { atMost, ratioAtMost, toRow } from './row.ts';

const outcome = { name: 'start', title: 'until usable', notes: [], failure: null };
const lines = (benchmark: Partial<Parameters<typeof toMarkdown>[0]['benchmarks'][number]>) =>
  toMarkdown({
    machine: 'a machine',
    settings: 'as always',
    benchmarks: [{ ...outcome, rows: [], ...benchmark }],
  }).split('\n');

describe('toMarkdown', () => {
  it('writes value, baseline, ratio and target in one row', () => {
    const row = toRow({
      metric: 'first paint',
      unit: 'ms',
      measured: [1234, 1234],
      baseline: [617, 308.5],
      target: ratioAtMost(3),
    });

    expect(lines({ rows: [row] })).toContain(
      '| first paint | 1,234 ms | 463 ms | 3× | 2 to 4 | ≤ 3× | met |',
    );
  });

  it('marks missed targets', () => {
    const row = toRow({ metric: 'nodes', unit: '', measured: [7], target: atMost(0) });

    expect(lines({ rows: [row] })).toContain('| nodes | 7 | – | – | – | ≤ 0 | **missed** |');
  });

  it('includes the reason why a benchmark could not be measured', () => {
    expect(lines({ failure: 'There is no browser.' })).toContain(
      '**FAILED.** There is no browser.',
    );
  });
});

describe('round', () => {
  it.each([
    [0, '0'],
    [0.012345, '0.0123'],
    [99.96, '100'],
    [12345.6, '12,346'],
  ])('writes %d as %s', (value, text) => {
    expect(round(value)).toBe(text);
  });
});
