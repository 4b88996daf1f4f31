/**
 * Three processes with PostgreSQL and Redis. One of them gets work that must not block its event loop
 * for longer than the lease of a run.
 */
import type { LogEvent } from '@inlay/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../lib/log/logger.ts';
import { createPostgresStore } from '../lib/store/postgres-store.ts';
import { type Cluster, startCluster } from '../lib/testing/cluster.ts';
import { isType, message } from '../lib/testing/setup-conversation.ts';
import { testOrigin } from '../lib/testing/setup-server.ts';

const unlimited = { requests_per_second: 100_000, concurrent: 1000 };
const agent = (short_id: string, delay_ms: number) => ({
  short_id,
  name: 'Test agent',
  model: { provider: 'scripted' as const, delay_ms, first_delay_ms: 0 },
  embed: { allowed_origins: [testOrigin], limits: unlimited },
});

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({
    limits: { api_key: unlimited, api_key_stops: unlimited, source: unlimited },
    agents: [agent('test', 0), agent('slow', 60)],
  });
});
afterAll(() => cluster.stop());

const sessionWithMessage = { initial_events: [message('table')] };

async function create(server: 0 | 1 | 2, token: string, body: object): Promise<string> {
  const response = await cluster.server(server).call(token, 'POST', '/sessions', body);
  return ((await response.json()) as { id: string }).id;
}

async function openStore() {
  const log = createLogger(Date.now, () => {});
  const store = await createPostgresStore({ url: cluster.postgres.url, poolSize: 1, log });
  onTestFinished(() => store.close());
  return store;
}

describe('a process that receives messages of combining marks', () => {
  it('completes an active run with one agent message, even if another process takes over the run', async () => {
    const { token } = await cluster.server(0).issue('ada', { agent: 'slow' });
    const id = await create(0, token, sessionWithMessage);
    const reader = await cluster.server(1).follow(token, id);
    await reader.until(isType('event_delta'));
    const { token: other } = await cluster.server(0).issue('eve');
    const text = `a${'\u0301'.repeat(15_000)}${'\u0316'.repeat(15_000)}`;

    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const body = { initial_events: [message(text)] };
        return (await cluster.server(0).call(other, 'POST', '/sessions', body)).status;
      }),
    );
    await reader.until(isType('session.status_idle'));

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(reader.seen.filter(isType('agent.message'))).toHaveLength(1);
    expect(reader.seen.filter(isType('session.status_idle'))).toHaveLength(1);
  });
});

describe('a pending run with a log of 130,000 events', () => {
  it('is executed once, and does not prevent other runs in any process', async () => {
    const store = await openStore();
    const { token } = await cluster.server(0).issue('ada');
    const id = await create(0, token, {});
    const json = sql`json_build_object('type', 'user.interrupt', 'id', 'evt_' || ${id}::text || n,
      'processed_at', '2026-01-15T12:00:00.000Z', 'seq', n)::text`;
    await sql`insert into events (session_id, seq, id, type, json, processed_at)
      select ${id}::text, n, 'evt_' || ${id}::text || n, 'user.interrupt', ${json}, 0
      from generate_series(1, 130000) as n`.execute(store.db);
    const question: LogEvent = {
      ...message('table'),
      type: 'user.message',
      id: 'evt_asked',
      processed_at: '2026-01-15T12:00:00.000Z',
      seq: 130_001,
      parent_id: null,
    } as LogEvent;
    await store.transaction(async (transaction) => {
      const { type, seq } = question;
      const row = { session_id: id, seq, id: question.id, type, json: JSON.stringify(question) };
      await transaction
        .insertInto('events')
        .values({ ...row, processed_at: 0 })
        .execute();
      await transaction
        .updateTable('sessions')
        .set({ last_seq: seq })
        .where('id', '=', id)
        .execute();
      const run = { session_id: id, id: 'run_seeded', user_scope: 'user:agt:ada', started_at: 0 };
      await transaction
        .insertInto('runs')
        .values({ ...run, attempt: 0 })
        .execute();
    });
    const runs = () =>
      store.db.selectFrom('runs').select('attempt').where('session_id', '=', id).execute();

    await expect.poll(runs).toEqual([]);

    const { rows } = await sql<{ type: string; count: string }>`
      select type, count(*) as count from events
      where session_id = ${id} and seq > 130001 group by type`.execute(store.db);
    const counts = Object.fromEntries(rows.map(({ type, count }) => [type, Number(count)]));
    expect(counts).toMatchObject({ 'agent.message': 1, 'session.status_idle': 1 });
    for (const number of [0, 1, 2] as const) {
      expect(cluster.server(number).log()).not.toContain('run failed');
      const { token: next } = await cluster.server(number).issue(`next-${number}`);
      const reader = await cluster
        .server(number)
        .follow(next, await create(number, next, sessionWithMessage));
      await reader.until(isType('session.status_idle'));
    }
  });
});
