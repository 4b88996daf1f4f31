import { at } from '../lib/at.ts';
import type { BenchOptions, Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, ratioAtMost, toRow } from '../lib/row.ts';
import { largest, percentile } from '../lib/statistics.ts';
import { startChild } from './child.ts';
import { HttpConnection } from './http-connection.ts';
import { type OpenStream, openStreams } from './open-streams.ts';
import { startPlatform, streamOf, visit } from './platform.ts';
import { streamCount } from './stream-count.ts';
import { type PreparedUsers, prepareUsers } from './users.ts';

/** Number of single revocations per round. */
const revocations = 100;

/** Time to end streams one at a time, and to end all with one request. */
export interface Ends {
  /** Milliseconds from each request to the last byte of its stream. */
  single: number[];
  /** Milliseconds from the request to the last byte of the last stream. */
  all: number;
}

/** Time until a stream ends after its token is revoked. */
export const revoke: Figure = {
  name: 'revoke',
  title: 'time from the revocation to the end of the stream',
  async take(options: BenchOptions) {
    const { count, note } = streamCount(options.streams);
    const rounds = Math.min(options.rounds, 2);
    const singleCount = Math.min(revocations, count);
    const users = await prepareUsers(count + singleCount * rounds);
    const samples = await interleave(
      {
        bare: () => endBare(count, singleCount),
        platform: async () => {
          const { data, visitors } = users;
          const single = await revokeSome({ data, visitors: visitors.slice(0, count) });
          visitors.splice(0, singleCount);
          return { single, all: await revokeAll(count) };
        },
      },
      { rounds, warmUp: 0 },
    );
    const row = (what: string, of: (ends: Ends) => number) => ({
      what,
      unit: 'ms',
      ours: samples.platform.map(of),
      floor: samples.bare.map(of),
    });
    return {
      rows: [
        toRow({
          ...row(`one of ${count} streams, p99`, ({ single }) => percentile(single, 0.99)),
          target: atMost(5, 'ms'),
        }),
        toRow(row(`one of ${count} streams, median`, ({ single }) => percentile(single, 0.5))),
        toRow({
          ...row(`all ${count} streams of one token`, ({ all }) => all),
          target: ratioAtMost(2),
        }),
      ],
      notes: [
        `In each round, ${singleCount} sequential revocations over an open connection, and then one that ends every stream.`,
        ...note,
      ],
    };
  },
};

export async function endBare(count: number, singleCount: number): Promise<Ends> {
  const child = await startChild({ kind: 'bare' });
  try {
    const streams = await openStreams(child.port, count + singleCount, (number) => ({
      method: 'GET',
      path: `/stream?number=${number}`,
    }));
    const connection = await HttpConnection.open(child.port);
    const close = (path: string) => connection.request({ method: 'POST', path });
    const single = await eachEnd(streams.slice(0, singleCount), (number) =>
      close(`/close?number=${number}`),
    );
    const all = await timeToLastEnd(streams.slice(singleCount), () => close('/close-all'));
    connection.close();
    return { single, all };
  } finally {
    await child.stop();
  }
}

async function revokeSome({ data, visitors }: PreparedUsers): Promise<number[]> {
  const platform = await startPlatform({ data });
  try {
    const streams = await openStreams(platform.port, visitors.length, (number) =>
      streamOf(at(visitors, number)),
    );
    return await eachEnd(streams.slice(0, revocations), (number) =>
      platform.backend(`/agent/v1/embed_tokens/${at(visitors, number).issuanceId}/revoke`),
    );
  } finally {
    await platform.stop();
  }
}

async function revokeAll(count: number): Promise<number> {
  const platform = await startPlatform();
  try {
    const visitor = await visit(platform, 'person');
    const streams = await openStreams(platform.port, count, () => streamOf(visitor));
    return await timeToLastEnd(streams, () =>
      platform.backend(`/agent/v1/embed_tokens/${visitor.issuanceId}/revoke`),
    );
  } finally {
    await platform.stop();
  }
}

/** Measures the milliseconds from each request to the last byte of the stream that it ends. */
export async function eachEnd(
  streams: readonly OpenStream[],
  end: (number: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  for (const [number, stream] of streams.entries()) {
    const called = performance.now();
    await Promise.all([end(number), stream.ended]);
    times.push(stream.lastByteAt - called);
  }
  return times;
}

async function timeToLastEnd(streams: readonly OpenStream[], end: () => Promise<unknown>) {
  const called = performance.now();
  await Promise.all([end(), ...streams.map(({ ended }) => ended)]);
  return largest(streams.map(({ lastByteAt }) => lastByteAt)) - called;
}
