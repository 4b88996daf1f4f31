import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { startPostgres } from '../../../packages/server/src/lib/testing/services/postgres.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, ratioAtMost, toRow } from '../lib/row.ts';
import { HttpConnection } from './http-connection.ts';
import { OpenStream } from './open-streams.ts';
import {
  type BenchUser,
  createBenchUser,
  messageRequest,
  startPlatform,
  streamRequest,
} from './platform.ts';

/** Messages, or inserts of the baseline, per round. */
const perRound = 200;
const userCount = 50;
/** A typical answer, of about 150 tokens. */
const answer = 'The invoice of October was paid on the 3rd, and its receipt is attached. '.repeat(
  8,
);

interface Cost {
  /** Transactions that were committed explicitly. */
  commits: number;
  statements: number;
  /** Of the statements, those that begin or end transactions. */
  controls: number;
  /** Updates of rows in `sessions`, and those of them that had to change indexes. */
  updates: number;
  coldUpdates: number;
  /** Processor time of PostgreSQL in milliseconds. */
  cpu: number;
  /** Bytes that stay: events, the index of their words, and idempotency keys. */
  bytes: number;
}

/**
 * The cost of a message with its answer in PostgreSQL, compared with the insert of one event. Commits,
 * statements, updates of the session's row and processor time of PostgreSQL for a message with its
 * answer, without and with budgets that reserve the cost of the model. The baseline inserts one event,
 * and commits. Does not measure parallel messages, long conversations, the vacuum.
 */
export const messageCost: Benchmark = {
  name: 'message-cost',
  title: 'cost of a message with its answer in PostgreSQL',
  async run(options) {
    const postgres = await startPostgres({
      // Commits cost as much as in production.
      fsync: 'on',
      shared_preload_libraries: 'pg_stat_statements',
    });
    try {
      const plain = await messagesOf(await postgres.createDatabase(), false);
      const budgets = await messagesOf(await postgres.createDatabase(), true);
      const insert = await insertsIn(await postgres.createDatabase());
      const samples = await interleave(
        { insert: insert.measure, plain: plain.measure, budgets: budgets.measure },
        { rounds: Math.min(options.rounds, 3) },
      );
      await Promise.all([insert.close(), plain.close(), budgets.close()]);
      const rows = [
        ['without budgets', samples.plain],
        ['with budgets', samples.budgets],
      ] as const;
      return {
        rows: rows.flatMap(([name, costs]) => {
          const row = (metric: string, key: keyof Cost) => ({
            metric: `${metric}, ${name}`,
            unit: '',
            measured: costs.map((cost) => cost[key]),
          });
          return [
            toRow({ ...row('commits', 'commits'), target: atMost(3) }),
            toRow({ ...row('statements', 'statements'), target: atMost(30) }),
            toRow(row('of them, begin and commit', 'controls')),
            toRow(row('updates of the session’s row', 'updates')),
            toRow(row('of them, not HOT', 'coldUpdates')),
            toRow({ ...row('stored, with indexes', 'bytes'), unit: 'B' }),
            toRow({
              ...row('processor time of PostgreSQL', 'cpu'),
              unit: 'ms',
              baseline: samples.insert.map(({ cpu }) => cpu),
              target: ratioAtMost(15),
            }),
          ];
        }),
        notes: [
          `${perRound} messages per round, one after another, of ${userCount} users with one conversation each, with an idempotency key. The answer has ${answer.length} characters.`,
          'The baseline inserts one event with a prepared statement, and commits.',
        ],
      };
    } finally {
      await postgres.stop();
    }
  },
};

/** Sends messages to a platform, and waits for each answer. */
async function messagesOf(url: string, hasBudgets: boolean) {
  const meter = await openMeter(url);
  const platform = await startPlatform({
    answer,
    hasBudgets,
    environment: { DATABASE_URL: url },
  });
  const connection = await HttpConnection.open(platform.port);
  const users: { user: BenchUser; stream: OpenStream }[] = [];
  for (let number = 0; number < userCount; number += 1) {
    const user = await createBenchUser(platform, `user-${number}`);
    users.push({ user, stream: await OpenStream.open(platform.port, streamRequest(user)) });
  }
  let count = 0;
  return {
    measure: () =>
      meter.measure(async () => {
        for (let sent = 0; sent < perRound; sent += 1) {
          count += 1;
          const { user, stream } = users[count % userCount] as (typeof users)[number];
          const answered = stream.waitForText('"session.status_idle"');
          const request = messageRequest(user, `Was invoice ${count} paid?`, `key-${count}`);
          const { status, body } = await connection.request(request);
          if (status !== 200) throw new Error(`The status is ${status}: ${body}`);
          await answered;
        }
      }),
    async close() {
      connection.close();
      for (const { stream } of users) stream.close();
      await platform.stop();
      await meter.close();
    },
  };
}

/** Inserts events, each in its own transaction. */
async function insertsIn(url: string) {
  const meter = await openMeter(url);
  // Creates the tables.
  await (await startPlatform({ environment: { DATABASE_URL: url } })).stop();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let count = 0;
  return {
    measure: () =>
      meter.measure(async () => {
        for (let inserted = 0; inserted < perRound; inserted += 1) {
          count += 1;
          const content = [{ type: 'text', text: `Was invoice ${count} paid?` }];
          const event = { id: `evt_${count}`, type: 'user.message', content, seq: count };
          await client.query({
            name: 'insert_event',
            text: `insert into events (session_id, seq, id, type, json, processed_at)
              values ($1, $2, $3, $4, $5, $6)`,
            values: ['ses_1', count, event.id, event.type, JSON.stringify(event), Date.now()],
          });
        }
      }),
    async close() {
      await client.end();
      await meter.close();
    },
  };
}

/** Measures what a database does during some work, per message. */
async function openMeter(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create extension pg_stat_statements');
  const read = async (): Promise<Cost> => {
    // Backends report the numbers of updates at most once a second.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const { rows } = await client.query<Record<string, string | null>>(`
      select
        sum(calls) as statements,
        sum(calls) filter (where query ilike 'commit%') as commits,
        sum(calls) filter (where query ilike 'commit%' or query ilike 'start transaction%'
          or query ilike 'begin%' or query ilike 'rollback%') as controls,
        (select n_tup_upd from pg_stat_user_tables where relname = 'sessions') as updates,
        (select n_tup_upd - n_tup_hot_upd from pg_stat_user_tables
          where relname = 'sessions') as cold,
        (select sum(pg_total_relation_size(relid)) from pg_stat_user_tables
          where relname in ('events', 'session_texts', 'idempotency')) as bytes
      from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())`);
    const { rows: pids } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    const of = (name: string) => Number(rows[0]?.[name] ?? 0);
    return {
      commits: of('commits'),
      statements: of('statements'),
      controls: of('controls'),
      updates: of('updates'),
      coldUpdates: of('cold'),
      bytes: of('bytes'),
      cpu: pids.reduce((sum, { pid }) => sum + cpuTime(pid), 0),
    };
  };
  return {
    async measure(work: () => Promise<void>): Promise<Cost> {
      const before = await read();
      await work();
      const after = await read();
      const entries = Object.entries(after).map(([name, value]) => [
        name,
        (value - before[name as keyof Cost]) / perRound,
      ]);
      return Object.fromEntries(entries) as Cost;
    },
    close: () => client.end(),
  };
}

/** Processor time of a process in milliseconds, more precise than the clock ticks of `stat`. */
function cpuTime(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
    const text = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8');
    return sum + Number(text.split(' ')[0]) / 1e6;
  }, 0);
}
