import { at } from '../lib/at.ts';
import type { Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, toRow } from '../lib/row.ts';
import { median } from '../lib/statistics.ts';
import { type Child, startChild } from './child.ts';
import { HttpConnection } from './http-connection.ts';
import { type OpenStream, openStreams } from './open-streams.ts';
import { startPlatform, streamOf } from './platform.ts';
import { streamCount } from './stream-count.ts';
import { type PreparedUsers, prepareUsers } from './users.ts';

/** Measured events per round, after `warmUp` events that are discarded. Each is in another session. */
const events = 300;
const warmUp = 50;

interface Delivery {
  /** Median time from the request to the delivery of its event, in milliseconds. */
  reached: number;
  /** CPU time of the server per event in milliseconds, including the request that causes it. */
  cost: number;
  /** Longest delay of the server's event loop in milliseconds. */
  blocked: number;
}

/** Delivery of an event, with many sessions that have one reader each. */
export const deliver: Figure = {
  name: 'deliver',
  title: 'delivery of an event to the reader of its session',
  async take(options) {
    const { count, note } = streamCount(options.streams);
    const { data, visitors } = await prepareUsers(count);
    const users = { data, visitors: visitors.slice(0, count) };
    const samples = await interleave(
      { bare: () => deliverBare(count), platform: () => deliverPlatform(users) },
      { rounds: Math.min(options.rounds, 2), warmUp: 0 },
    );
    const row = (what: string, key: keyof Delivery) => ({
      what,
      unit: 'ms',
      ours: samples.platform.map((sample) => sample[key]),
      floor: samples.bare.map((sample) => sample[key]),
    });
    return {
      rows: [
        toRow({ ...row('until the reader has received it', 'reached'), target: atMost(20, 'ms') }),
        toRow(row('processor time of the server', 'cost')),
        toRow({ ...row('longest event-loop delay', 'blocked'), target: atMost(50, 'ms') }),
      ],
      notes: [
        `${count} sessions with one reader each. ${events} sequential events per round, each in another session.`,
        'The event is `session.updated`, which the platform writes to disk before it is delivered; the floor writes nothing.',
        ...note,
      ],
    };
  },
};

async function deliverBare(count: number): Promise<Delivery> {
  const child = await startChild({ kind: 'bare' });
  try {
    const streams = await openStreams(child.port, count, (number) => ({
      method: 'GET',
      path: `/stream?number=${number}`,
    }));
    const connection = await HttpConnection.open(child.port);
    const delivery = await publishEach(child, streams, (mark, number) =>
      connection.request({ method: 'POST', path: `/publish?mark=${mark}&number=${number}` }),
    );
    connection.close();
    return delivery;
  } finally {
    await child.stop();
  }
}

async function deliverPlatform({ data, visitors }: PreparedUsers): Promise<Delivery> {
  const platform = await startPlatform({ data });
  try {
    const streams = await openStreams(platform.port, visitors.length, (number) =>
      streamOf(at(visitors, number)),
    );
    return await publishEach(platform, streams, (title, number) => {
      const { token, session } = at(visitors, number);
      return platform.endUser(token, `/agent/v1/sessions/${session}`, { title });
    });
  } finally {
    await platform.stop();
  }
}

async function publishEach(
  child: Child,
  streams: readonly OpenStream[],
  publish: (mark: string, number: number) => Promise<unknown>,
): Promise<Delivery> {
  const reached: number[] = [];
  const deliverTo = async (count: number) => {
    for (let number = 0; number < count; number += 1) {
      // A prime step distributes the events over the sessions.
      const place = (number * 7919) % streams.length;
      const mark = `mark-${String(number).padStart(8, '0')}`;
      const read = at(streams, place).untilMark(mark);
      const called = performance.now();
      const [readAt] = await Promise.all([read, publish(mark, place)]);
      reached.push(readAt - called);
    }
  };
  await deliverTo(warmUp);
  reached.length = 0;
  await child.ask('longest-delay');
  const before = await child.ask('cpu');
  await deliverTo(events);
  const after = await child.ask('cpu');
  const { milliseconds } = await child.ask('longest-delay');
  for (const stream of streams) stream.close();
  return {
    reached: median(reached),
    cost: (after.microseconds - before.microseconds) / 1000 / events,
    blocked: milliseconds,
  };
}
