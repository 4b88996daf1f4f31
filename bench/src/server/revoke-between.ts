import { startPostgres } from '../../../packages/server/src/lib/testing/services/postgres.ts';
import {
  startRedis,
  type TestRedis,
} from '../../../packages/server/src/lib/testing/services/redis.ts';
import { at } from '../lib/at.ts';
import type { BenchOptions, Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, toRow } from '../lib/row.ts';
import { largest, percentile } from '../lib/statistics.ts';
import { type OpenStream, openStreams } from './open-streams.ts';
import { type Platform, startPlatform, streamOf, type Visitor } from './platform.ts';
import { eachEnd, endBare } from './revoke.ts';
import { streamCount } from './stream-count.ts';
import { prepareUsers } from './users.ts';

/** Number of revocations per round with Redis. */
const heard = 100;
const unheard = 20;
/** Maximum number of streams, because signing in their users on PostgreSQL is slow. */
const mostStreams = 2000;
/** Milliseconds between two revocations without Redis. Not a multiple of any polling interval. */
const pause = 137;

interface Times {
  /** Milliseconds from the request to the last byte, with Redis. */
  withRedis: number[];
  /** Milliseconds from the request to the last byte, after Redis was stopped. */
  without: number[];
}

/** Time until a stream ends after its token is revoked in another process. */
export const revokeBetween: Figure = {
  name: 'revoke-between',
  title: 'time from the request in one process to the end of the stream in another',
  async take(options: BenchOptions) {
    const { count, note } = streamCount(Math.min(options.streams, mostStreams), mostStreams);
    const rounds = Math.min(options.rounds, 2);
    const each = Math.min(heard + unheard, count);
    const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    try {
      const environment = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
      // Users for all rounds, because each round revokes some of their tokens.
      const { visitors } = await prepareUsers(count + each * rounds, environment);
      let round = 0;
      const samples = await interleave(
        {
          bare: async (): Promise<Times> => ({
            withRedis: (await endBare(count, each)).single,
            without: [],
          }),
          platform: () => {
            const start = each * round++;
            return revokeSome(environment, redis, visitors.slice(start, start + count));
          },
        },
        { rounds, warmUp: 0 },
      );
      const row = (what: string, share: number) => ({
        what,
        unit: 'ms',
        ours: samples.platform.map(({ withRedis }) => percentile(withRedis, share)),
        floor: samples.bare.map(({ withRedis }) => percentile(withRedis, share)),
      });
      return {
        rows: [
          toRow({ ...row(`one of ${count} streams, p99`, 0.99), target: atMost(25, 'ms') }),
          toRow(row(`one of ${count} streams, median`, 0.5)),
          toRow({
            what: 'without Redis, maximum',
            unit: 'ms',
            ours: samples.platform.map(({ without }) => largest(without)),
            target: atMost(3000, 'ms'),
          }),
        ],
        notes: [
          `In each round, ${heard} sequential revocations with Redis, and ${unheard} at intervals of ${pause} ms without it.`,
          ...note,
        ],
      };
    } finally {
      await Promise.all([redis.stop(), postgres.stop()]);
    }
  },
};

async function revokeSome(
  environment: Record<string, string>,
  redis: TestRedis,
  visitors: readonly Visitor[],
): Promise<Times> {
  await redis.up();
  const [caller, holder] = await Promise.all([
    startPlatform({ environment }),
    startPlatform({ environment }),
  ]);
  try {
    const streams = await openStreams(holder.port, visitors.length, (number) =>
      streamOf(at(visitors, number)),
    );
    const withRedis = await eachEnd(streams.slice(0, heard), (number) =>
      revoke(caller, at(visitors, number)),
    );
    await redis.down();
    const rest = streams.slice(heard, heard + unheard);
    const without = await endAtIntervals(rest, (number) =>
      revoke(caller, at(visitors, heard + number)),
    );
    for (const stream of streams) stream.close();
    return { withRedis, without };
  } finally {
    await Promise.all([caller.stop(), holder.stop()]);
  }
}

/**
 * Revokes at fixed intervals without waiting, because polling finds several revocations at once.
 */
async function endAtIntervals(
  streams: readonly OpenStream[],
  end: (number: number) => Promise<unknown>,
): Promise<number[]> {
  const times: Promise<number>[] = [];
  for (const [number, stream] of streams.entries()) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const called = performance.now();
    await end(number);
    times.push(stream.ended.then(() => stream.lastByteAt - called));
  }
  return Promise.all(times);
}

function revoke(platform: Platform, { issuanceId }: Visitor): Promise<unknown> {
  return platform.backend(`/agent/v1/embed_tokens/${issuanceId}/revoke`);
}
