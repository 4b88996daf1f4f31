import { sql } from 'kysely';
import { agentIdOf } from '../../../packages/server/src/lib/agents/agent.ts';
import { createLogger } from '../../../packages/server/src/lib/log/logger.ts';
import { createPostgresStore } from '../../../packages/server/src/lib/store/postgres-store.ts';
import { createSqliteStore } from '../../../packages/server/src/lib/store/sqlite-store.ts';
import { seedConversations } from '../../../packages/server/src/lib/testing/seed-conversations.ts';
import { startPostgres } from '../../../packages/server/src/lib/testing/services/postgres.ts';
import { at } from '../lib/at.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { atMostOrRatio, toRow } from '../lib/row.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { HttpConnection } from './http-connection.ts';
import { type Platform, readRequest, startPlatform } from './platform.ts';

const few = 1_000;
const many = 100_000;
/** Requests of each list per round. */
const perRound = 20;

const agentIds = ['bench', 'other'].map((short_id) => agentIdOf({ short_id }));
const now = Date.now() - 600_000;
const monthAgo = new Date(now - 30 * 86_400_000).toISOString();
const people = `agents/${agentIds[0]}/end_users`;

/**
 * Lists with each of their filters. A page has as many rows with few conversations as with many, but a
 * filter without an index reads up to 1,000 rows, which few conversations do not have.
 */
const paths = [
  'sessions',
  'sessions?agent_id=bench',
  'sessions?external_user_id=user-7',
  'sessions?publishable_key=pk_demo',
  `sessions?active_after=${monthAgo}`,
  `sessions?active_before=${monthAgo}`,
  'sessions?status=idle',
  'sessions?status=terminated',
  'sessions?rating=up',
  'sessions?rating=down',
  'sessions?outcome=answered',
  'sessions?outcome=failed',
  'sessions?archived=true',
  'sessions?archived=false',
  'sessions?metadata[team]=red',
  'feedback',
  'feedback?rating=down',
  'feedback?agent_id=bench',
  `feedback?before=${monthAgo}`,
  'embed_tokens',
  'embed_tokens?agent_id=bench',
  'embed_tokens?external_user_id=user-7',
  'embed_tokens?publishable_key=pk_demo',
  'embed_tokens?status=revoked',
  'embed_tokens?status=expired',
  people,
  `${people}?query=user-1`,
  `${people}?blocked=false`,
  `${people}?seen_after=${monthAgo}`,
];

/**
 * Time of the first page of the lists of backends and the console, with each filter, of 100,000
 * conversations. The baseline is the same with 1,000. Does not measure concurrent requests, other pages.
 */
export const lists: Benchmark = {
  name: 'lists',
  title: `first page of the lists of ${many} conversations`,
  async run({ rounds }) {
    const postgres = await startPostgres();
    const platforms: Platform[] = [];
    const start = async (options: Parameters<typeof startPlatform>[0]) => {
      const platform = await startPlatform(options);
      platforms.push(platform);
      return () => timeLists(platform);
    };
    const onSqlite = async (count: number) => {
      const data = temporaryFolder('lists');
      const store = await createSqliteStore({ data, synchronous: 'normal' });
      await seedConversations(store.db, { count, agentIds, now });
      await store.close();
      return start({ data });
    };
    const onPostgres = async (count: number) => {
      const url = await postgres.createDatabase();
      const store = await createPostgresStore({ url, log: createLogger(Date.now, () => {}) });
      await seedConversations(store.db, { count, agentIds, now });
      // Autovacuum does so only after a while. Without statistics, PostgreSQL selects other indexes.
      await sql`analyze`.execute(store.db);
      await store.close();
      return start({ environment: { DATABASE_URL: url } });
    };
    try {
      const engines = { SQLite: onSqlite, PostgreSQL: onPostgres };
      const rows = [];
      for (const [engine, open] of Object.entries(engines)) {
        const samples = await interleave(
          { measured: await open(many), baseline: await open(few) },
          { rounds: Math.min(rounds, 5) },
        );
        for (const [index, path] of paths.entries()) {
          rows.push(
            toRow({
              metric: `${engine}, ${path.replace(monthAgo, '…')}`,
              unit: 'ms',
              measured: samples.measured.map((times) => at(times, index)),
              baseline: samples.baseline.map((times) => at(times, index)),
              target: atMostOrRatio(5, 'ms', 1.5),
            }),
          );
        }
      }
      return {
        rows,
        notes: [
          `Pages of 20 rows; the shortest of ${perRound} requests per round, one after another.`,
        ],
      };
    } finally {
      for (const platform of platforms) await platform.stop();
      await postgres.stop();
    }
  },
};

/** The shortest time of each list in milliseconds, which other programs on the machine affect least. */
async function timeLists(platform: Platform): Promise<number[]> {
  const connection = await HttpConnection.open(platform.port);
  const shortest: number[] = [];
  for (const path of paths) {
    const request = readRequest(`/agent/v1/${path}${path.includes('?') ? '&' : '?'}limit=20`);
    const times: number[] = [];
    for (let sent = 0; sent < perRound; sent += 1) {
      const startedAt = performance.now();
      const { status, body } = await connection.request(request);
      times.push(performance.now() - startedAt);
      const { data } = JSON.parse(body.toString()) as { data?: unknown[] };
      if (status !== 200 || !data?.length) throw new Error(`${path}: ${status} ${body}`);
    }
    shortest.push(Math.min(...times));
  }
  connection.close();
  return shortest;
}
