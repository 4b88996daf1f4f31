import { describe, expect, it } from 'vitest';
import { createTally } from '../clients/tally.ts';
import { figureOf } from './figures.ts';
import { findingsOf, type Report, toMarkdown } from './report.ts';

const flat = Array<number>(24).fill(100);
const growing = flat.map((value, index) => value + 6 * index);

function report(changes: Partial<Report> = {}): Report {
  return {
    machine: 'a machine',
    minutes: 30,
    clients: 200,
    failure: null,
    tally: { ...createTally(), conversations: 1 },
    disturbances: { reset: 2 },
    restarts: [],
    network: {
      connections: 1,
      requests: 1,
      cuts: { 'half-open': 1, reset: 2, fin: 0 },
      refused: 0,
    },
    serverErrors: [],
    figures: [figureOf('timers', '', flat, true)],
    ...changes,
  };
}

describe('a figure', () => {
  it('is flat when the last quarter is like the second', () => {
    expect(figureOf('timers', '', flat, true)).toMatchObject({
      early: 100,
      late: 100,
      isFlat: true,
    });
  });

  it('grew when the last quarter is more than a share and a little over it', () => {
    expect(figureOf('timers', '', growing, true)).toMatchObject({ isFlat: false });
  });

  it('does not count what was held while the run warmed up', () => {
    const warm = [...Array<number>(6).fill(10), ...flat.slice(6)];
    expect(figureOf('timers', '', warm, true)).toMatchObject({ early: 100, isFlat: true });
  });

  it('is only shown in a run that is too short', () => {
    expect(figureOf('timers', '', growing, false)).toMatchObject({ isFlat: null, limit: null });
  });
});

describe('a report', () => {
  it('finds nothing where all is well', () => {
    expect(findingsOf(report())).toEqual([]);
    expect(toMarkdown(report())).toContain(
      'Nothing was lost and nothing came twice. Nothing grew.',
    );
  });

  it.each(['lost', 'doubled', 'wrong', 'stuck', 'errors'] as const)(
    'fails for what was %s',
    (kind) => {
      const tally = { ...createTally(), conversations: 1, [kind]: ['p1-1'] };
      expect(findingsOf(report({ tally }))).toHaveLength(1);
    },
  );

  it('fails for what grew, for a run that broke off, and for one in which nobody spoke', () => {
    const figures = [figureOf('timers', '', growing, true)];
    expect(findingsOf(report({ figures }))).toEqual([expect.stringContaining('grew: timers')]);
    expect(findingsOf(report({ failure: 'no port' }))).toEqual(['no port']);
    expect(findingsOf(report({ tally: createTally() }))).toHaveLength(1);
  });
});
