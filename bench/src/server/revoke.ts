import { at } from '../lib/at.ts';
import type { Benchmark, BenchOptions } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { ratioAtMost, toRow } from '../lib/row.ts';
import { largest, percentile } from '../lib/statistics.ts';
import { HttpConnection } from './http-connection.ts';
import { type OpenStream, openStreams } from './open-streams.ts';
import { createBenchUser, startPlatform, streamRequest } from './platform.ts';
import { startServerProcess } from './server-process.ts';
import { streamCount } from './stream-count.ts';
import { type PreparedUsers, prepareUsers } from './users.ts';

/** Number of single revocations per round. */
const revocations = 100;

/** Time to end streams one at a time, and to end all with one request. */
export interface StreamEndTimes {
  /** Milliseconds from each request to the last byte of its stream. */
  single: number[];
  /** Milliseconds from the request to the last byte of the last stream. */
  all: number;
}

/** Time until a stream ends after its token is revoked. */
export const revoke: Benchmark = {
  name: 'revoke',
  title: 'time from the revocation to the end of the stream',
  async run(options: BenchOptions) {
    const { count, note } = streamCount(options.streams);
    const rounds = Math.min(options.rounds, 2);
    const singleCount = Math.min(revocations, count);
    const users = await prepareUsers(count + singleCount * rounds);
    const samples = await interleave(
      {
        baseline: () => endBaselineStreams(count, singleCount),
        platform: async () => {
          const { data, benchUsers } = users;
          const single = await revokeSome({ data, benchUsers: benchUsers.slice(0, count) });
          benchUsers.splice(0, singleCount);
          return { single, all: await revokeAll(count) };
        },
      },
      { rounds, warmUp: 0 },
    );
    const row = (metric: string, select: (times: StreamEndTimes) => number) => ({
      metric,
      unit: 'ms',
      measured: samples.platform.map(select),
      baseline: samples.baseline.map(select),
    });
    return {
      rows: [
        toRow({
          ...row(`one of ${count} streams, p99`, ({ single }) => percentile(single, 0.99)),
          target: ratioAtMost(3),
        }),
        toRow(row(`one of ${count} streams, median`, ({ single }) => percentile(single, 0.5))),
        toRow({
          ...row(`all ${count} streams of one token`, ({ all }) => all),
          target: ratioAtMost(2),
        }),
      ],
      notes: [
        `In each round, ${singleCount} sequential revocations over an open connection, and then one that ends every stream.`,
        'Each revocation is synced to disk before the stream ends. The baseline writes nothing, so a busy disk raises the ratio.',
        ...note,
      ],
    };
  },
};

export async function endBaselineStreams(
  count: number,
  singleCount: number,
): Promise<StreamEndTimes> {
  const server = await startServerProcess({ kind: 'baseline' });
  try {
    const streams = await openStreams(server.port, count + singleCount, (number) => ({
      method: 'GET',
      path: `/stream?number=${number}`,
    }));
    const connection = await HttpConnection.open(server.port);
    const close = (path: string) => connection.request({ method: 'POST', path });
    const single = await timeEachEnd(streams.slice(0, singleCount), (number) =>
      close(`/close?number=${number}`),
    );
    const all = await timeLastEnd(streams.slice(singleCount), () => close('/close-all'));
    connection.close();
    return { single, all };
  } finally {
    await server.stop();
  }
}

async function revokeSome({ data, benchUsers }: PreparedUsers): Promise<number[]> {
  const platform = await startPlatform({ data });
  try {
    const streams = await openStreams(platform.port, benchUsers.length, (number) =>
      streamRequest(at(benchUsers, number)),
    );
    return await timeEachEnd(streams.slice(0, revocations), (number) =>
      platform.callAsBackend(`/agent/v1/embed_tokens/${at(benchUsers, number).issuanceId}/revoke`),
    );
  } finally {
    await platform.stop();
  }
}

async function revokeAll(count: number): Promise<number> {
  const platform = await startPlatform();
  try {
    const benchUser = await createBenchUser(platform, 'user');
    const streams = await openStreams(platform.port, count, () => streamRequest(benchUser));
    return await timeLastEnd(streams, () =>
      platform.callAsBackend(`/agent/v1/embed_tokens/${benchUser.issuanceId}/revoke`),
    );
  } finally {
    await platform.stop();
  }
}

/** Measures the milliseconds from each request to the last byte of the stream that it ends. */
export async function timeEachEnd(
  streams: readonly OpenStream[],
  end: (number: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  for (const [number, stream] of streams.entries()) {
    const sentAt = performance.now();
    await Promise.all([end(number), stream.ended]);
    times.push(stream.lastByteAt - sentAt);
  }
  return times;
}

async function timeLastEnd(streams: readonly OpenStream[], end: () => Promise<unknown>) {
  const sentAt = performance.now();
  await Promise.all([end(), ...streams.map(({ ended }) => ended)]);
  return largest(streams.map(({ lastByteAt }) => lastByteAt)) - sentAt;
}
