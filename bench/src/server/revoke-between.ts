import { startPostgres } from '../../../packages/server/src/lib/testing/services/postgres.ts';
import {
  startRedis,
  type TestRedis,
} from '../../../packages/server/src/lib/testing/services/redis.ts';
import { at } from '../lib/at.ts';
import type { Benchmark, BenchOptions } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, toRow } from '../lib/row.ts';
import { largest, percentile } from '../lib/statistics.ts';
import { type OpenStream, openStreams } from './open-streams.ts';
import { type BenchUser, type Platform, startPlatform, streamRequest } from './platform.ts';
import { endBaselineStreams, timeEachEnd } from './revoke.ts';
import { streamCount } from './stream-count.ts';
import { prepareUsers } from './users.ts';

/** Number of revocations per round with Redis. */
const revocationsWithRedis = 100;
const revocationsWithoutRedis = 20;
/** Limited because creating users on PostgreSQL is slow. */
const maxStreams = 2000;
/** Milliseconds between two revocations without Redis. Not a multiple of any polling interval. */
const pause = 137;

interface StreamEndTimes {
  /** Milliseconds from the request to the last byte, with Redis. */
  withRedis: number[];
  /** Milliseconds from the request to the last byte, after Redis was stopped. */
  withoutRedis: number[];
}

/**
 * Time until a stream ends after its token is revoked in another process. Two processes with
 * PostgreSQL and Redis: one revokes, the other has the streams, at most 2,000, each of its own
 * session. Then revocations at intervals after Redis was killed. As in `revoke`, the baseline is one
 * process. Does not measure the network between machines.
 */
export const revokeBetween: Benchmark = {
  name: 'revoke-between',
  title: 'time from the request in one process to the end of the stream in another',
  async run(options: BenchOptions) {
    const { count, note } = streamCount(Math.min(options.streams, maxStreams), maxStreams);
    const rounds = Math.min(options.rounds, 2);
    const perRound = Math.min(revocationsWithRedis + revocationsWithoutRedis, count);
    const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    try {
      const environment = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
      // Users for all rounds, because each round revokes some of their tokens.
      const { benchUsers } = await prepareUsers(count + perRound * rounds, environment);
      let round = 0;
      const samples = await interleave(
        {
          baseline: async (): Promise<StreamEndTimes> => ({
            withRedis: (await endBaselineStreams(count, perRound)).single,
            withoutRedis: [],
          }),
          platform: () => {
            const start = perRound * round++;
            return measurePlatform(environment, redis, benchUsers.slice(start, start + count));
          },
        },
        { rounds, warmUp: 0 },
      );
      const row = (metric: string, share: number) => ({
        metric,
        unit: 'ms',
        measured: samples.platform.map(({ withRedis }) => percentile(withRedis, share)),
        baseline: samples.baseline.map(({ withRedis }) => percentile(withRedis, share)),
      });
      return {
        rows: [
          toRow({ ...row(`one of ${count} streams, p99`, 0.99), target: atMost(25, 'ms') }),
          toRow(row(`one of ${count} streams, median`, 0.5)),
          toRow({
            metric: 'without Redis, maximum',
            unit: 'ms',
            measured: samples.platform.map(({ withoutRedis }) => largest(withoutRedis)),
            target: atMost(3000, 'ms'),
          }),
        ],
        notes: [
          `In each round, ${revocationsWithRedis} sequential revocations with Redis, and ${revocationsWithoutRedis} at intervals of ${pause} ms without Redis.`,
          ...note,
        ],
      };
    } finally {
      await Promise.all([redis.stop(), postgres.stop()]);
    }
  },
};

async function measurePlatform(
  environment: Record<string, string>,
  redis: TestRedis,
  benchUsers: readonly BenchUser[],
): Promise<StreamEndTimes> {
  await redis.up();
  const [revokingPlatform, streamPlatform] = await Promise.all([
    startPlatform({ environment }),
    startPlatform({ environment }),
  ]);
  try {
    const streams = await openStreams(streamPlatform.port, benchUsers.length, (number) =>
      streamRequest(at(benchUsers, number)),
    );
    const withRedis = await timeEachEnd(streams.slice(0, revocationsWithRedis), (number) =>
      revoke(revokingPlatform, at(benchUsers, number)),
    );
    await redis.down();
    const remainingStreams = streams.slice(
      revocationsWithRedis,
      revocationsWithRedis + revocationsWithoutRedis,
    );
    const withoutRedis = await timeEndsAtIntervals(remainingStreams, (number) =>
      revoke(revokingPlatform, at(benchUsers, revocationsWithRedis + number)),
    );
    for (const stream of streams) stream.close();
    return { withRedis, withoutRedis };
  } finally {
    await Promise.all([revokingPlatform.stop(), streamPlatform.stop()]);
  }
}

/**
 * Revokes at fixed intervals, and does not wait for each stream to end, because one poll of the other
 * process finds several revocations.
 */
async function timeEndsAtIntervals(
  streams: readonly OpenStream[],
  end: (number: number) => Promise<unknown>,
): Promise<number[]> {
  const times: Promise<number>[] = [];
  for (const [number, stream] of streams.entries()) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const sentAt = performance.now();
    await end(number);
    times.push(stream.ended.then(() => stream.lastByteAt - sentAt));
  }
  return Promise.all(times);
}

function revoke(platform: Platform, { issuanceId }: BenchUser): Promise<unknown> {
  return platform.callAsBackend(`/agent/v1/embed_tokens/${issuanceId}/revoke`);
}
