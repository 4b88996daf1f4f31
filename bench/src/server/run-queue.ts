import { sql } from 'kysely';
import { systemClock } from '../../../packages/server/src/lib/clock.ts';
import { createLogger } from '../../../packages/server/src/lib/log/logger.ts';
import { systemRandom } from '../../../packages/server/src/lib/random.ts';
import { RunQueue } from '../../../packages/server/src/lib/runs/run-queue.ts';
import { createPostgresStore } from '../../../packages/server/src/lib/store/postgres-store.ts';
import type { Store } from '../../../packages/server/src/lib/store/store.ts';
import {
  startPostgres,
  type TestPostgres,
} from '../../../packages/server/src/lib/testing/services/postgres.ts';
import { startRedis } from '../../../packages/server/src/lib/testing/services/redis.ts';
import { Worker } from '../../../packages/server/src/lib/workers/worker.ts';
import { at } from '../lib/at.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, ratioAtMost, toRow } from '../lib/row.ts';
import { median } from '../lib/statistics.ts';
import { openStreams } from './open-streams.ts';
import { startPlatform, streamRequest } from './platform.ts';
import { streamCount } from './stream-count.ts';
import { prepareUsers } from './users.ts';

const fewRuns = 100;
const manyRuns = 33_000;
/** Number of runs that are started one after the other per round. */
const starts = 300;
const waitingRuns = 64;
/** Seconds for which the transactions of an idle process are counted. */
const idleSeconds = 20;

/**
 * Time to start a queued run beside few and many active ones, and the queries of an idle process. The
 * time to start a queued run with PostgreSQL beside 33,000 active runs. The baseline is the same with
 * 100. Then the transactions of an idle process, of one with 64 runs that wait for others of their
 * user, and of one with open streams and Redis. Does not measure a network in between, other
 * processes.
 */
export const runQueue: Benchmark = {
  name: 'run-queue',
  title: `start of a run beside ${manyRuns} active runs, against ${fewRuns}`,
  async run(options) {
    const postgres = await startPostgres();
    try {
      const [few, many] = [
        await queueWith(postgres, fewRuns),
        await queueWith(postgres, manyRuns),
      ] as const;
      const samples = await interleave(
        { few: few.timeStarts, many: many.timeStarts },
        { rounds: options.rounds },
      );
      await Promise.all([few.close(), many.close()]);
      const idle = await idleTransactions(postgres, 0);
      const waiting = await idleTransactions(postgres, waitingRuns);
      const { count, note } = streamCount(options.streams);
      const streaming = await transactionsWithStreams(postgres, count);
      return {
        rows: [
          toRow({
            metric: 'start of a run, median',
            unit: 'ms',
            measured: samples.many,
            baseline: samples.few,
            target: ratioAtMost(2),
          }),
          toRow({
            metric: 'transactions of an idle process',
            unit: '1/s',
            measured: [idle],
            target: atMost(2, '1/s'),
          }),
          toRow({
            metric: `the same with ${waitingRuns} waiting runs`,
            unit: '1/s',
            measured: [waiting],
            target: atMost(2, '1/s'),
          }),
          toRow({
            metric: `the same with ${count} open streams, and Redis`,
            unit: '1/s',
            measured: [streaming],
            target: atMost(2, '1/s'),
          }),
        ],
        notes: ['A statement outside of a transaction counts as a transaction.', ...note],
      };
    } finally {
      await postgres.stop();
    }
  },
};

/** A database with active runs of different users, and a process that starts further ones. */
async function queueWith(postgres: TestPostgres, active: number) {
  const log = createLogger(systemClock.now, () => {});
  const store = await createPostgresStore({ url: await postgres.createDatabase(), log });
  const worker = await Worker.start({ store, clock: systemClock, log, random: systemRandom });
  await sql`
    insert into runs (session_id, id, worker, user_scope, started_at, attempt)
    select 'ses_' || n, 'run_' || n, ${worker.id}, 'user:agt:' || n, 0, 1
    from generate_series(1, ${active}::int) as n`.execute(store.db);
  await sql`insert into run_counts select user_scope, 1 from runs`.execute(store.db);
  await sql`analyze`.execute(store.db);
  const queue = new RunQueue({ store, clock: systemClock, worker: worker.id });
  let count = 0;
  return {
    /** Median milliseconds to start a run. */
    async timeStarts(): Promise<number> {
      const times: number[] = [];
      for (let n = 0; n < starts; n += 1) {
        count += 1;
        const session = {
          id: `ses_of_bench_${count}`,
          agent_id: 'agt',
          external_user_id: `bench-${count}`,
          publishable_key: null,
          source: null,
        };
        await store.transaction((transaction) => queue.add(transaction, session));
        const startedAt = performance.now();
        const lease = await queue.take(`run_of_bench_${count}`, { perUser: 3, perKey: 20 });
        times.push(performance.now() - startedAt);
        if (!lease) throw new Error('The run did not start.');
        await queue.remove(lease);
      }
      return median(times);
    },
    async close() {
      await worker.close();
      await store.close();
    },
  };
}

/** Transactions a second of a process without requests, with runs that wait for others of their user. */
async function idleTransactions(postgres: TestPostgres, waiting: number): Promise<number> {
  const url = await postgres.createDatabase();
  const platform = await startPlatform({ environment: { DATABASE_URL: url } });
  const log = createLogger(systemClock.now, () => {});
  const store = await createPostgresStore({ url, poolSize: 1, log });
  try {
    // The active runs of another user's process, which is alive as long as this benchmark.
    await sql`insert into workers values ('proc_of_bench', ${store.now()} + 50000)`.execute(
      store.db,
    );
    await sql`insert into run_counts values ('user:agt:bench', 3)`.execute(store.db);
    await sql`
      insert into runs (session_id, id, user_scope, started_at, attempt)
      select 'ses_' || n, '', 'user:agt:bench', 0, 0
      from generate_series(1, ${waiting}::int) as n`.execute(store.db);
    return await countTransactions(store);
  } finally {
    await store.close();
    await platform.stop();
  }
}

/** Transactions a second of a process without requests, with open streams and a bus. */
async function transactionsWithStreams(postgres: TestPostgres, count: number): Promise<number> {
  const redis = await startRedis();
  const url = await postgres.createDatabase();
  const environment = { DATABASE_URL: url, REDIS_URL: redis.url };
  const { benchUsers } = await prepareUsers(count, environment);
  const platform = await startPlatform({ environment });
  const log = createLogger(systemClock.now, () => {});
  const store = await createPostgresStore({ url, poolSize: 1, log });
  try {
    const streams = await openStreams(platform.port, count, (number) =>
      streamRequest(at(benchUsers, number)),
    );
    const rate = await countTransactions(store);
    for (const stream of streams) stream.close();
    return rate;
  } finally {
    await store.close();
    await platform.stop();
    await redis.stop();
  }
}

/** Transactions a second, after a pause. */
async function countTransactions({ db }: Store): Promise<number> {
  const transactions = async () => {
    const { rows } = await sql<{ count: number }>`
      select xact_commit + xact_rollback as count from pg_stat_database
      where datname = current_database()`.execute(db);
    return Number(rows[0]?.count);
  };
  const pause = () => new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000));
  await pause();
  const before = await transactions();
  await pause();
  // Without the query that reads the number.
  return ((await transactions()) - before - 1) / idleSeconds;
}
