import { at } from '../lib/at.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, toRow } from '../lib/row.ts';
import { median } from '../lib/statistics.ts';
import { HttpConnection } from './http-connection.ts';
import { type OpenStream, openStreams } from './open-streams.ts';
import { startPlatform, streamRequest } from './platform.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { streamCount } from './stream-count.ts';
import { type PreparedUsers, prepareUsers } from './users.ts';

/** Number of measured events per round, after `warmUp` discarded events. */
const eventCount = 300;
const warmUp = 50;

interface Delivery {
  /** Median time from the request to the delivery of its event, in milliseconds. */
  latency: number;
  /** CPU time of the server per event in milliseconds, including the request that causes the event. */
  cpuTime: number;
  /** Longest delay of the server's event loop in milliseconds. */
  longestDelay: number;
}

/**
 * Delivery of an event, with many sessions that have one reader each. One event to the only reader of
 * its session, among many such sessions: the time until the reader has the event, and the longest
 * event-loop delay. The time of the platform includes the write to disk; the baseline writes nothing.
 * Does not measure many readers of one session.
 */
export const deliver: Benchmark = {
  name: 'deliver',
  title: 'delivery of an event to the reader of its session',
  async run(options) {
    const { count, note } = streamCount(options.streams);
    const { data, benchUsers } = await prepareUsers(count);
    const users = { data, benchUsers: benchUsers.slice(0, count) };
    const samples = await interleave(
      { baseline: () => deliverBaseline(count), platform: () => deliverPlatform(users) },
      { rounds: Math.min(options.rounds, 2), warmUp: 0 },
    );
    const row = (metric: string, key: keyof Delivery) => ({
      metric,
      unit: 'ms',
      measured: samples.platform.map((sample) => sample[key]),
      baseline: samples.baseline.map((sample) => sample[key]),
    });
    return {
      rows: [
        toRow({
          ...row('time until the reader has received the event', 'latency'),
          target: atMost(20, 'ms'),
        }),
        toRow(row('processor time of the server', 'cpuTime')),
        toRow({ ...row('longest event-loop delay', 'longestDelay'), target: atMost(50, 'ms') }),
      ],
      notes: [
        `${count} sessions with one reader each. ${eventCount} sequential events per round, each in another session.`,
        'The event is `session.updated`, which the platform writes to disk before it is delivered; the baseline writes nothing.',
        ...note,
      ],
    };
  },
};

async function deliverBaseline(count: number): Promise<Delivery> {
  const server = await startServerProcess({ kind: 'baseline' });
  try {
    const streams = await openStreams(server.port, count, (number) => ({
      method: 'GET',
      path: `/stream?number=${number}`,
    }));
    const connection = await HttpConnection.open(server.port);
    const delivery = await publishEach(server, streams, (mark, number) =>
      connection.request({ method: 'POST', path: `/publish?mark=${mark}&number=${number}` }),
    );
    connection.close();
    return delivery;
  } finally {
    await server.stop();
  }
}

async function deliverPlatform({ data, benchUsers }: PreparedUsers): Promise<Delivery> {
  const platform = await startPlatform({ data });
  try {
    const streams = await openStreams(platform.port, benchUsers.length, (number) =>
      streamRequest(at(benchUsers, number)),
    );
    return await publishEach(platform, streams, (title, number) => {
      const { token, session } = at(benchUsers, number);
      return platform.callAsUser(token, `/agent/v1/sessions/${session}`, { title });
    });
  } finally {
    await platform.stop();
  }
}

async function publishEach(
  server: ServerProcess,
  streams: readonly OpenStream[],
  publish: (mark: string, number: number) => Promise<unknown>,
): Promise<Delivery> {
  const latencies: number[] = [];
  const deliverEvents = async (count: number) => {
    for (let number = 0; number < count; number += 1) {
      // The prime step puts each event into another session.
      const index = (number * 7919) % streams.length;
      const mark = `mark-${String(number).padStart(8, '0')}`;
      const received = at(streams, index).waitForText(mark);
      const sentAt = performance.now();
      const [receivedAt] = await Promise.all([received, publish(mark, index)]);
      latencies.push(receivedAt - sentAt);
    }
  };
  await deliverEvents(warmUp);
  latencies.length = 0;
  await server.query('longest-delay');
  const before = await server.query('cpu');
  await deliverEvents(eventCount);
  const after = await server.query('cpu');
  const { milliseconds } = await server.query('longest-delay');
  for (const stream of streams) stream.close();
  return {
    latency: median(latencies),
    cpuTime: (after.microseconds - before.microseconds) / 1000 / eventCount,
    longestDelay: milliseconds,
  };
}
