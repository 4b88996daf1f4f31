import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, none, toRow } from '../lib/row.ts';
import { type Child, startChild } from './child.ts';
import type { Request } from './http-connection.ts';
import { LogReader } from './log-reader.ts';
import { startPlatform, streamOf } from './platform.ts';
import { type PreparedUsers, prepareUsers } from './users.ts';

const clients = 1000;
/** One of this many sessions gets a new event while its client is disconnected. */
const every = 10;
/** Maximum random delay of a reconnect in milliseconds, as in `@inlay/client`. */
const jitter = 1000;

interface Resumed {
  /** Milliseconds from the disconnect until all clients have all events. */
  all: number;
  /** CPU use of the server during this time, as a share of one core. */
  busy: number;
  /** Number of clients that received an event twice, out of order, or not at all. */
  wrong: number;
}

/** Reconnect storm: many clients lose their connections at once while sessions continue. */
export const resume: Figure = {
  name: 'resume',
  title: `${clients} clients are disconnected at once: time until all have the missed events`,
  async take({ rounds }) {
    const { data, visitors } = await prepareUsers(clients);
    // Removed from the list, because this figure counts all events of these sessions.
    const users = { data, visitors: visitors.splice(0, clients) };
    // Each round adds one event to the logs of the continued sessions.
    let round = 0;
    const samples = await interleave(
      { bare: resumeBare, platform: () => resumePlatform(users, round++) },
      { rounds: Math.min(rounds, 2), warmUp: 0 },
    );
    const row = (what: string, key: keyof Resumed, unit: string) => ({
      what,
      unit,
      ours: samples.platform.map((sample) => sample[key]),
      floor: samples.bare.map((sample) => sample[key]),
    });
    return {
      rows: [
        toRow({ ...row('until everyone had everything', 'all', 'ms'), target: atMost(5000, 'ms') }),
        toRow({ ...row('of a core, used by the server', 'busy', ''), target: atMost(1) }),
        toRow({
          what: 'clients with lost, duplicated or reordered events',
          unit: '',
          ours: samples.platform.map(({ wrong }) => wrong),
          target: none,
        }),
      ],
      notes: [
        `Each client reconnects at a random time within ${jitter / 1000} s. Meanwhile, an event is written to every ${every}th of the ${clients} conversations.`,
        'The floor reopens its streams, and sends no events.',
      ],
    };
  },
};

async function resumeBare(): Promise<Resumed> {
  const child = await startChild({ kind: 'bare' });
  try {
    const request = (number: number) => (): Request => ({
      method: 'GET',
      path: `/stream?number=${number}`,
    });
    const readers = Array.from(
      { length: clients },
      (_, at) => new LogReader(child.port, request(at)),
    );
    await openAll(readers);
    return { ...(await cutAndReturn(child, readers, async () => {})), wrong: 0 };
  } finally {
    await child.stop();
  }
}

async function resumePlatform({ data, visitors }: PreparedUsers, round: number): Promise<Resumed> {
  const platform = await startPlatform({ data });
  try {
    const readers = visitors.map(
      (visitor) =>
        new LogReader(platform.port, (lastEventId) => {
          const { headers, ...request } = streamOf(visitor);
          return { ...request, headers: { ...headers, 'last-event-id': lastEventId } };
        }),
    );
    const goesOn = (at: number) => at % every === 0;
    const untilEvents = (events: number) =>
      Promise.all(readers.map((reader, at) => reader.until(goesOn(at) ? events : 0)));
    await openAll(readers);
    await untilEvents(round);
    const resumed = await cutAndReturn(platform, readers, async () => {
      for (const [at, { token, session }] of visitors.entries()) {
        const title = `Meanwhile ${round}`;
        if (goesOn(at)) await platform.endUser(token, `/agent/v1/sessions/${session}`, { title });
      }
      await untilEvents(round + 1);
    });
    const isWhole = ({ read }: LogReader, at: number) =>
      read.length === (goesOn(at) ? round + 1 : 0) && read.every((seq, place) => seq === place + 1);
    return { ...resumed, wrong: readers.filter((reader, at) => !isWhole(reader, at)).length };
  } finally {
    await platform.stop();
  }
}

/** Opens streams with limited concurrency, below the backlog of a listening socket. */
async function openAll(readers: readonly LogReader[]): Promise<void> {
  for (let at = 0; at < readers.length; at += 200) {
    await Promise.all(readers.slice(at, at + 200).map((reader) => reader.open()));
  }
}

async function cutAndReturn(
  child: Child,
  readers: readonly LogReader[],
  meanwhile: () => Promise<void>,
): Promise<Omit<Resumed, 'wrong'>> {
  const used = await child.ask('cpu');
  const started = performance.now();
  for (const reader of readers) reader.cut();
  await Promise.all([
    meanwhile(),
    ...readers.map(async (reader) => {
      await sleep(Math.random() * jitter);
      await reader.open();
    }),
  ]);
  const all = performance.now() - started;
  const { microseconds } = await child.ask('cpu');
  return { all, busy: (microseconds - used.microseconds) / 1000 / all };
}
