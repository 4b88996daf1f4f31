import { describe, expect, it } from 'vitest';
import { round, toMarkdown } from './report.ts';
import { atMost, ratioAtMost, toRow } from './row.ts';

const outcome = { name: 'start', title: 'until usable', notes: [], failure: null };
const lines = (figure: Partial<Parameters<typeof toMarkdown>[0]['figures'][number]>) =>
  toMarkdown({
    machine: 'a machine',
    settings: 'as always',
    figures: [{ ...outcome, rows: [], ...figure }],
  }).split('\n');

describe('toMarkdown', () => {
  it('writes value, baseline, ratio and target in one row', () => {
    const row = toRow({
      what: 'first paint',
      unit: 'ms',
      ours: [1234, 1234],
      floor: [617, 308.5],
      target: ratioAtMost(3),
    });

    expect(lines({ rows: [row] })).toContain(
      '| first paint | 1,234 ms | 463 ms | 3× | 2 to 4 | ≤ 3× | met |',
    );
  });

  it('marks missed targets', () => {
    const row = toRow({ what: 'nodes', unit: '', ours: [7], target: atMost(0) });

    expect(lines({ rows: [row] })).toContain('| nodes | 7 | – | – | – | ≤ 0 | **missed** |');
  });

  it('includes the reason why a figure could not be measured', () => {
    expect(lines({ failure: 'There is no browser.' })).toContain(
      '**NOT TAKEN.** There is no browser.',
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
