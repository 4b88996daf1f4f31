import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { message } from '../testing/setup-conversation.ts';
import { setupServer } from '../testing/setup-server.ts';

it('a full disk causes 503 responses, a log entry and a degraded health until the disk has space again', async () => {
  const server = await setupServer({ data: 'memory' });
  const { token } = await server.issue();
  const write = () =>
    server.requestAsUser(token, 'POST', '/agent/v1/sessions', {
      initial_events: [message('x'.repeat(50_000))],
    });
  const health = async () => (await server.requestAsPage('GET', '/meta/v1/health')).json();

  // Less than the current size, so that no page can be added.
  await sql`pragma max_page_count = 1`.execute(server.store.db);
  const refused = await write();
  const whileFull = await health();
  const read = await server.requestAsUser(token, 'GET', '/agent/v1/sessions');
  await server.store.transaction((db) => db.selectFrom('sessions').selectAll().execute());
  const afterReading = await health();
  await sql`pragma max_page_count = 1000000`.execute(server.store.db);
  const written = await write();

  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect(server.logLines.join('')).toContain('database or disk is full');
  expect(server.logLines.join('')).not.toContain('cannot rollback');
  expect(whileFull).toMatchObject({ status: 'degraded', store: 'full' });
  expect(read.status).toBe(200);
  expect(afterReading).toMatchObject({ status: 'degraded', store: 'full' });
  expect(written.status).toBe(200);
  expect(await health()).toMatchObject({ status: 'ok', store: 'ok' });
});
