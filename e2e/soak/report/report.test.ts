import { describe, expect, it } from 'vitest';
import { createTally } from '../clients/tally.ts';
import { toMetric } from './metrics.ts';
import { findingsOf, type Report, toMarkdown } from './report.ts';

const flatValues = Array<number>(24).fill(100);
const growingValues = flatValues.map((value, index) => value + 6 * index);

function report(changes: Partial<Report> = {}): Report {
  return {
    machine: 'a machine',
    minutes: 30,
    clients: 200,
    failure: null,
    tally: { ...createTally(), conversations: 1 },
    faults: { reset: 2 },
    restarts: [],
    network: {
      connections: 1,
      requests: 1,
      cuts: { 'half-open': 1, reset: 2, fin: 0 },
      refused: 0,
    },
    serverErrors: [],
    metrics: [toMetric('timers', '', flatValues, true)],
    ...changes,
  };
}

describe('toMetric', () => {
  it('reports a metric as flat if the last quarter is like the second quarter', () => {
    expect(toMetric('timers', '', flatValues, true)).toMatchObject({
      early: 100,
      late: 100,
      isFlat: true,
    });
  });

  it('reports growth if the last quarter exceeds the tolerance', () => {
    expect(toMetric('timers', '', growingValues, true)).toMatchObject({ isFlat: false });
  });

  it('ignores the warm-up', () => {
    const warm = [...Array<number>(6).fill(10), ...flatValues.slice(6)];
    expect(toMetric('timers', '', warm, true)).toMatchObject({ early: 100, isFlat: true });
  });

  it('sets no limit for a run that is too short', () => {
    expect(toMetric('timers', '', growingValues, false)).toMatchObject({
      isFlat: null,
      limit: null,
    });
  });
});

describe('the report', () => {
  it('has no findings after a run without problems', () => {
    expect(findingsOf(report())).toEqual([]);
    expect(toMarkdown(report())).toContain('Nothing was lost or duplicated. Nothing grew.');
  });

  it.each(['lost', 'duplicated', 'wrong', 'stuck', 'errors'] as const)(
    'lists findings of the kind “%s”',
    (kind) => {
      const tally = { ...createTally(), conversations: 1, [kind]: ['p1-1'] };
      expect(findingsOf(report({ tally }))).toHaveLength(1);
    },
  );

  it('lists growth, an aborted run, and a run without conversations', () => {
    const metrics = [toMetric('timers', '', growingValues, true)];
    expect(findingsOf(report({ metrics }))).toEqual([expect.stringContaining('grew: timers')]);
    expect(findingsOf(report({ failure: 'no port' }))).toEqual(['no port']);
    expect(findingsOf(report({ tally: createTally() }))).toHaveLength(1);
  });
});
