import { AnonymousTokenResponse } from '@inlay/protocol';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../store/schema.ts';
import { message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';

const day = 86_400_000;
const model = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };

async function setup(config: SetupOptions['config'] = {}) {
  const server = await setupServer({ config, agent: { model } });
  const { app, clock, requestAsUser, requestAsPage, store } = server;
  const count = async (table: keyof Schema) =>
    (await store.db.selectFrom(table).selectAll().execute()).length;
  return {
    ...server,
    count,
    async getToken(visitor_secret?: string) {
      const body = { publishable_key: 'pk_test', visitor_secret };
      const response = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', body);
      return AnonymousTokenResponse.parse(await response.json());
    },
    /** Uploads a file. Returns its id. */
    async upload(token: string): Promise<string> {
      const body = new FormData();
      body.append('file', new File(['text'], 'a.txt'));
      const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
      const response = await app.request('/agent/v1/files', { method: 'POST', body, headers });
      return ((await response.json()) as { id: string }).id;
    },
    /** Starts a session with a message, and waits for the end of its run. */
    async createSession(token: string, content: object[] = message('Hello').content) {
      const body = { initial_events: [{ type: 'user.message', content }] };
      const response = await requestAsUser(token, 'POST', '/agent/v1/sessions', body);
      const { id } = (await response.json()) as { id: string };
      const runCount = async () => {
        clock.advance(1);
        return count('runs');
      };
      await expect.poll(runCount).toBe(0);
      return id;
    },
    /** Polls a value. Runs a sweep before each read. */
    afterSweep: <Value>(read: () => Promise<Value>) =>
      expect.poll(() => {
        clock.advance(3_600_000);
        return read();
      }),
  };
}

describe('the sweep', () => {
  it('deletes token records and the hashes of their tokens two days after they expired', async () => {
    const { afterSweep, backend, clock, count, issue } = await setup();
    const { id } = await issue('ada');
    const { id: revoked } = await issue('ada');
    await backend('POST', `/agent/v1/embed_tokens/${revoked}/revoke`);
    clock.advance(2 * day);
    const { id: recent } = await issue('ada');

    await afterSweep(() => count('issuances')).toBe(1);

    expect(await count('token_values')).toBe(1);
    const list = await backend('GET', '/agent/v1/embed_tokens');
    const { data } = (await list.json()) as { data: { id: string }[] };
    expect(data.map((record) => record.id)).toEqual([recent]);
    expect(data.map((record) => record.id)).not.toContain(id);
  });

  it('deletes all old rows, even if they need several steps', async () => {
    const { afterSweep, clock, count, issue, store } = await setup();
    await issue('ada');
    const [row] = await store.db.selectFrom('issuances').selectAll().execute();
    if (!row) throw new Error('There is no issuance.');
    for (let n = 0; n < 1200; n += 100) {
      const copies = Array.from({ length: 100 }, (_, index) => ({
        ...row,
        id: `emb_${n + index}`,
      }));
      await store.db.insertInto('issuances').values(copies).execute();
    }
    clock.advance(31 * day);

    await afterSweep(() => count('issuances')).toBe(0);
  });

  it('deletes old visitors, except a visitor with a session', async () => {
    const { afterSweep, clock, count, requestAsUser, createSession, getToken } = await setup();
    await getToken();
    const activeVisitor = await getToken();
    const session = await createSession(activeVisitor.token);
    expect(await count('visitors')).toBe(2);
    clock.advance(31 * day);

    await afterSweep(() => count('visitors')).toBe(1);

    const { token } = await getToken(activeVisitor.visitor_secret);
    const read = await requestAsUser(token, 'GET', `/agent/v1/sessions/${session}`);
    expect(read.status).toBe(200);
  });

  it('deletes a visitor without data, even if the visitor follows 1,100 visitors with data', async () => {
    const { afterSweep, clock, count, store, getToken } = await setup();
    const activeVisitors = Array.from({ length: 1_100 }, (_, n) => `anon_${n}`);
    const owned = (id: string) => ({ agent_id: 'agt_a', external_user_id: id, created_at: 1 });
    const visitors = activeVisitors.map((id) => ({ ...owned(id), secret_hash: id }));
    const file = { filename: 'a', mime_type: 'text/plain', size_bytes: 1, is_complete: 1 };
    await store.db.insertInto('visitors').values(visitors).execute();
    await store.db
      .insertInto('files')
      .values(activeVisitors.map((id) => ({ ...owned(id), ...file, id })))
      .execute();
    await store.db
      .insertInto('session_files')
      .values(activeVisitors.map((id) => ({ session_id: 'ses_a', file_id: id })))
      .execute();
    await getToken();
    clock.advance(61 * day);

    await afterSweep(() => count('visitors')).toBe(activeVisitors.length);
  });

  it('deletes a file that was never sent in a message, and then its visitor', async () => {
    const { afterSweep, clock, count, getToken, createSession, upload, requestAsUser, store } =
      await setup();
    const unsent = await upload((await getToken()).token);
    const sender = await getToken();
    const sent = await upload(sender.token);
    await createSession(sender.token, [
      { type: 'document', source: { type: 'file', file_id: sent } },
    ]);
    clock.advance(31 * day);

    await afterSweep(() => count('visitors')).toBe(1);

    expect(await store.blobs.get(unsent)).toBeNull();
    const { token } = await getToken(sender.visitor_secret);
    const content = await requestAsUser(token, 'GET', `/agent/v1/files/${sent}/content`);
    expect(content.status).toBe(200);
  });

  it('deletes inactive conversations after a year, and logs this at the start', async () => {
    const { afterSweep, clock, count, issue, createSession, logLines } = await setup();
    await createSession((await issue('ada')).token);
    clock.advance(364 * day);
    await afterSweep(() => count('issuances')).toBe(0);
    expect(await count('sessions')).toBe(1);

    clock.advance(day);
    await afterSweep(() => count('sessions')).toBe(0);

    const lines = logLines.filter((line) => line.includes('conversations without messages'));
    expect(lines.map((line) => JSON.parse(line).after_days)).toEqual([365]);
  });

  it('keeps conversations if `retention.sessions_days` is null', async () => {
    const { afterSweep, clock, count, issue, createSession, logLines } = await setup({
      retention: { sessions_days: null },
    });
    await createSession((await issue('ada')).token);
    clock.advance(1000 * day);

    await afterSweep(() => count('issuances')).toBe(0);

    expect(await count('sessions')).toBe(1);
    expect(logLines.join()).not.toContain('conversations without messages');
  });

  it('deletes inactive conversations with all their data after `retention.sessions_days`', async () => {
    const { afterSweep, clock, count, requestAsUser, issue, createSession } = await setup({
      retention: { sessions_days: 30 },
    });
    const { token } = await issue('ada');
    for (let n = 0; n < 25; n += 1) await createSession(token);
    clock.advance(20 * day);
    const again = await issue('ada');
    const recent = await createSession(again.token);
    clock.advance(11 * day);

    await afterSweep(() => count('sessions')).toBe(1);

    const { token: now } = await issue('ada');
    expect((await requestAsUser(now, 'GET', `/agent/v1/sessions/${recent}`)).status).toBe(200);
    for (const table of ['events', 'session_texts'] as const) {
      expect(await count(table)).toBeLessThan(10);
    }
  });

  it('deletes ended sessions and old sign-in attempts of operators, refused origins after a day, and usage after `retention.usage_days`', async () => {
    const { afterSweep, clock, count, createSession, issue, store } = await setup();
    await createSession((await issue('ada')).token);
    expect([await count('usage_days'), await count('usage_users')]).toEqual([2, 1]);
    const now = clock.now();
    const session = { hash: 'h', operator_id: 'op_1', seen_at: now, expires_at: now + day };
    await store.db.insertInto('operator_sessions').values(session).execute();
    const attempt = { key: 'k', count: 1, since: now };
    await store.db.insertInto('sign_in_attempts').values(attempt).execute();

    const refused = { agent_id: 'a', hour: now, origin: 'null', requests: 1, last_at: now };
    await store.db.insertInto('refused_origins').values(refused).execute();

    await afterSweep(() => count('sign_in_attempts')).toBe(0);
    expect(await count('refused_origins')).toBe(1);
    expect(await count('operator_sessions')).toBe(1);
    clock.advance(day);
    await afterSweep(() => count('operator_sessions')).toBe(0);
    await afterSweep(() => count('refused_origins')).toBe(0);
    clock.advance(398 * day);
    await afterSweep(() => count('operator_sessions')).toBe(0);
    expect(await count('usage_days')).toBe(2);
    clock.advance(2 * day);
    await afterSweep(() => count('usage_days')).toBe(0);
    await afterSweep(() => count('usage_users')).toBe(0);
  });

  it('keeps a conversation that becomes active during the sweep', async () => {
    const { clock, count, requestAsUser, issue, logLines, store, createSession } = await setup({
      retention: { sessions_days: 30 },
    });
    const { token } = await issue('ada');
    await createSession(token);
    const kept = await createSession(token);
    clock.advance(31 * day);
    // The sweep selects both sessions before it deletes one. The trigger then makes the other active.
    await sql`create trigger activity after update of external_user_id on sessions when old.id <> ${sql.lit(kept)} begin
      update sessions set active_at = ${sql.lit(clock.now())} where id = ${sql.lit(kept)}; end`.execute(
      store.db,
    );

    await expect
      .poll(() => {
        clock.advance(3_600_000);
        return count('sessions');
      })
      .toBe(1);
    clock.advance(3_600_000);

    const { token: now } = await issue('ada');
    expect((await requestAsUser(now, 'GET', `/agent/v1/sessions/${kept}`)).status).toBe(200);
    expect(logLines.filter((line) => line.includes('old rows not deleted'))).toEqual([]);
  });

  it('deletes old daily counters of visitors and publishable keys', async () => {
    const { afterSweep, clock, count, createSession, getToken } = await setup();
    await createSession((await getToken()).token);
    expect(await count('publishable_key_shares')).toBe(2);

    clock.advance(3 * day);
    await afterSweep(() => count('publishable_key_shares')).toBe(0);
    expect(await count('publishable_key_days')).toBe(1);

    clock.advance(58 * day);
    await afterSweep(() => count('publishable_key_days')).toBe(0);
  });
});
