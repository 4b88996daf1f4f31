import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, none, toRow } from '../lib/row.ts';
import { type Child, startChild } from './child.ts';
import type { Request } from './http-connection.ts';
import { LogReader } from './log-reader.ts';
import { type People, preparePeople } from './people.ts';
import { startPlatform, streamOf } from './platform.ts';

const clients = 1000;
/** Milliseconds within which clients come back, each at a moment of its own, as the client kit's do. */
const jitter = 1000;

interface Resumed {
  /** Milliseconds from the cut until everyone had everything. */
  all: number;
  /** Share of a core that the server used meanwhile. */
  busy: number;
  /** Clients to which an event came twice, not in its order, or not at all. */
  wrong: number;
}

/** How a crowd whose connections broke together comes back, while the conversations go on. */
export const resume: Figure = {
  name: 'resume',
  title: `${clients} clients cut at once, until all have what happened meanwhile`,
  async take({ rounds }) {
    const people = await preparePeople(clients);
    // Each round leaves one event more in every log.
    let written = 0;
    const samples = await interleave(
      { bare: resumeBare, platform: () => resumePlatform(people, written++) },
      { rounds: Math.min(rounds, 3), warmUp: 0 },
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
          what: 'clients with an event lost, doubled or out of order',
          unit: '',
          ours: samples.platform.map(({ wrong }) => wrong),
          target: none,
        }),
      ],
      notes: [
        `Each client comes back within ${jitter / 1000} s, at a moment of its own. Meanwhile an event is written to each of the ${clients} conversations.`,
        'The floor opens its streams anew and has nothing to send.',
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

/** @param written Events that each log holds before. */
async function resumePlatform({ data, visitors }: People, written: number): Promise<Resumed> {
  const platform = await startPlatform({ data });
  try {
    const readers = visitors.map(
      (visitor) =>
        new LogReader(platform.port, (lastEventId) => {
          const { headers, ...request } = streamOf(visitor);
          return { ...request, headers: { ...headers, 'last-event-id': lastEventId } };
        }),
    );
    await openAll(readers);
    await Promise.all(readers.map((reader) => reader.until(written)));
    const resumed = await cutAndReturn(platform, readers, async () => {
      for (const { token, session } of visitors) {
        const title = `Meanwhile ${written}`;
        await platform.endUser(token, `/agent/v1/sessions/${session}`, { title });
      }
      await Promise.all(readers.map((reader) => reader.until(written + 1)));
    });
    const isWhole = ({ read }: LogReader) =>
      read.length === written + 1 && read.every((seq, at) => seq === at + 1);
    return { ...resumed, wrong: readers.filter((reader) => !isWhole(reader)).length };
  } finally {
    await platform.stop();
  }
}

/** A few at a time: fewer than a listening socket queues. */
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
