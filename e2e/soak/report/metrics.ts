import { median } from '../../../bench/src/lib/statistics.ts';
import type { Calls } from '../calls.ts';

type ProcessSnapshot = Calls['snapshot']['result'];

/** Measurements at one time. */
export interface Sample {
  /** Minutes since the start. */
  minute: number;
  server: ProcessSnapshot;
  workers: ProcessSnapshot[];
  /** Open connections of the fault proxy. */
  connections: number;
}

/** One measured quantity over the run. */
export interface Metric {
  name: string;
  unit: 'MiB' | '';
  values: number[];
  /** Medians of the second quarter (after the warm-up) and of the last quarter. */
  early: number;
  late: number;
  /** Limit for `late`; null if the metric is only reported. */
  limit: number | null;
  /** Whether `late` is within the limit; null without a limit. */
  isFlat: boolean | null;
}

/** Relative growth that counts as noise. */
const tolerance = 0.15;

export const growthRule =
  'A figure is flat if the median of its last quarter is at most 15 % plus 4 MiB (or plus 25 for counts) above the median of its second quarter. Heaps are measured after a garbage collection.';

/** @param showsGrowth Whether the run was long enough to distinguish growth from warm-up. */
export function metricsOf(samples: readonly Sample[], showsGrowth: boolean): Metric[] {
  const clients = (count: (snapshot: ProcessSnapshot) => number) => (sample: Sample) =>
    sample.workers.reduce((sum, snapshot) => sum + count(snapshot), 0);
  const server = (count: (snapshot: ProcessSnapshot) => number) => (sample: Sample) =>
    count(sample.server);
  const quantities: Array<[string, Metric['unit'], (sample: Sample) => number, boolean]> = [
    ['server: heap', 'MiB', server(heap), true],
    ['server: RSS', 'MiB', server(memory), false],
    ['server: handles', '', server(handles), true],
    ['server: sockets', '', server(sockets), true],
    // Not limited, because the network can be offline at the time of a sample.
    ['proxy: connections', '', ({ connections }) => connections, false],
    ['clients: heap', 'MiB', clients(heap), true],
    ['clients: RSS', 'MiB', clients(memory), false],
    ['clients: sockets', '', clients(sockets), true],
    ['clients: timers', '', clients(({ meter }) => meter?.timers ?? 0), true],
    ['clients: listeners on pages', '', clients(({ meter }) => meter?.watchers ?? 0), true],
    ['clients: broadcast channels', '', clients(({ meter }) => meter?.channels ?? 0), true],
  ];
  return quantities.map(([name, unit, select, counts]) =>
    toMetric(name, unit, samples.map(select), showsGrowth && counts),
  );
}

export function toMetric(
  name: string,
  unit: Metric['unit'],
  values: number[],
  showsGrowth: boolean,
): Metric {
  const quarter = values.length / 4;
  const early = medianOf(values.slice(Math.floor(quarter), Math.ceil(2 * quarter)));
  const late = medianOf(values.slice(Math.floor(3 * quarter)));
  const limit = showsGrowth ? early * (1 + tolerance) + (unit === 'MiB' ? 4 : 25) : null;
  return { name, unit, values, early, late, limit, isFlat: limit === null ? null : late <= limit };
}

function medianOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : median(values);
}

const mebibytes = (bytes: number) => bytes / 2 ** 20;
const heap = ({ heapUsed }: ProcessSnapshot) => mebibytes(heapUsed);
const memory = ({ rss }: ProcessSnapshot) => mebibytes(rss);
const handles = ({ resources }: ProcessSnapshot) =>
  Object.values(resources).reduce((sum, count) => sum + count, 0);
const sockets = ({ resources }: ProcessSnapshot) => resources.TCPSocketWrap ?? 0;
