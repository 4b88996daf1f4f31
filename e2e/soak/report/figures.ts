import { median } from '../../../bench/src/lib/statistics.ts';
import type { Questions } from '../messages.ts';

type Held = Questions['hold']['answer'];

/** What was held at one moment. */
export interface Sample {
  /** Minutes since the beginning. */
  minute: number;
  server: Held;
  workers: Held[];
  /** Connections through the network. */
  connections: number;
}

/** One quantity over the run. */
export interface Figure {
  what: string;
  unit: 'MiB' | '';
  values: number[];
  /** Medians of the second quarter of the run, after warming up, and of the last. */
  early: number;
  late: number;
  /** What `late` may be at most; null where it is only shown. */
  limit: number | null;
  /** Null where it is not judged. */
  isFlat: boolean | null;
}

/** How much more than in the second quarter is noise: a share of it, and some of the unit. */
const share = 0.15;

export const rule =
  'A figure is flat when the median of its last quarter is no more than 15 % and a little (4 MiB; 25 pieces) over that of its second quarter. Heaps are measured after a garbage collection.';

/** @param isJudged Whether the run was long enough to tell growth from warming up. */
export function figuresOf(samples: readonly Sample[], isJudged: boolean): Figure[] {
  const clients = (count: (held: Held) => number) => (sample: Sample) =>
    sample.workers.reduce((sum, held) => sum + count(held), 0);
  const server = (count: (held: Held) => number) => (sample: Sample) => count(sample.server);
  const quantities: Array<[string, Figure['unit'], (sample: Sample) => number, boolean]> = [
    ['server: heap', 'MiB', server(heap), true],
    ['server: memory', 'MiB', server(memory), false],
    ['server: handles', '', server(handles), true],
    ['server: sockets', '', server(sockets), true],
    // What stands at a moment in which the network may be gone: none, or hundreds.
    ['network: connections', '', ({ connections }) => connections, false],
    ['clients: heap', 'MiB', clients(heap), true],
    ['clients: memory', 'MiB', clients(memory), false],
    ['clients: sockets', '', clients(sockets), true],
    ['clients: timers', '', clients(({ meter }) => meter?.timers ?? 0), true],
    ['clients: listeners on pages', '', clients(({ meter }) => meter?.watchers ?? 0), true],
    ['clients: channels to tabs', '', clients(({ meter }) => meter?.channels ?? 0), true],
  ];
  return quantities.map(([what, unit, of, counts]) =>
    figureOf(what, unit, samples.map(of), isJudged && counts),
  );
}

export function figureOf(
  what: string,
  unit: Figure['unit'],
  values: number[],
  isJudged: boolean,
): Figure {
  const quarter = values.length / 4;
  const early = middle(values.slice(Math.floor(quarter), Math.ceil(2 * quarter)));
  const late = middle(values.slice(Math.floor(3 * quarter)));
  const limit = isJudged ? early * (1 + share) + (unit === 'MiB' ? 4 : 25) : null;
  return { what, unit, values, early, late, limit, isFlat: limit === null ? null : late <= limit };
}

function middle(values: readonly number[]): number {
  return values.length === 0 ? 0 : median(values);
}

const mebibytes = (bytes: number) => bytes / 2 ** 20;
const heap = ({ heapUsed }: Held) => mebibytes(heapUsed);
const memory = ({ rss }: Held) => mebibytes(rss);
const handles = ({ resources }: Held) =>
  Object.values(resources).reduce((sum, count) => sum + count, 0);
const sockets = ({ resources }: Held) => resources.TCPSocketWrap ?? 0;
