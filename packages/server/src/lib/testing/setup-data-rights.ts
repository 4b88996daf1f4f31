import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type SetupOptions, setupServer, testOrigin } from './setup-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const model = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };
export const allRights = { features: { forget_me: true } };

/**
 * Sets up a server with a store on disk and one end user, and functions that read everything that
 * is stored about users.
 */
export async function setupRights(options: SetupOptions = {}) {
  const data = temporaryFolder();
  const server = await setupServer({ data, ...options });
  const { token } = await server.issue();
  const call = (method: string, path: string, body?: unknown, userToken = token) =>
    server.requestAsUser(userToken, method, `/agent/v1${path}`, body);
  const upload = async (text: string, userToken = token) => {
    const form = new FormData();
    form.append('file', new File([text], 'a.txt'));
    const headers = { authorization: `Bearer ${userToken}`, origin: testOrigin };
    return server.app.request('/agent/v1/files', { method: 'POST', body: form, headers });
  };
  /** Uploads a file. Returns its id. */
  const file = async (text: string, userToken = token) =>
    ((await (await upload(text, userToken)).json()) as { id: string }).id;
  /** Returns a message with a file. */
  const attached = (id: string) => ({
    type: 'user.message',
    content: [{ type: 'document', source: { type: 'file', file_id: id } }],
  });
  /** Starts a session. Returns its id. */
  const create = async (events: object[], userToken = token) => {
    const created = await call('POST', '/sessions', { initial_events: events }, userToken);
    expect(created.status).toBe(200);
    return ((await created.json()) as { id: string }).id;
  };
  /** Resolves when all runs have ended. */
  const settled = () =>
    expect.poll(() => server.store.db.selectFrom('runs').selectAll().execute()).toEqual([]);
  /** Returns the names of the files in the store. */
  const blobs = () =>
    existsSync(join(data, 'files')) ? readdirSync(join(data, 'files')).sort() : [];
  /** Returns the names of the tables that contain data of users. */
  const tablesWithRows = async () => {
    const { db } = server.store;
    const rowsByTable = {
      sessions: await db.selectFrom('sessions').selectAll().execute(),
      events: await db.selectFrom('events').selectAll().execute(),
      texts: await db.selectFrom('session_texts').selectAll().execute(),
      session_files: await db.selectFrom('session_files').selectAll().execute(),
      feedback: await db.selectFrom('feedback').selectAll().execute(),
      files: await db.selectFrom('files').selectAll().execute(),
      idempotency: await db.selectFrom('idempotency').selectAll().execute(),
      visitors: await db.selectFrom('visitors').selectAll().execute(),
      doomed: await db.selectFrom('blob_deletions').selectAll().execute(),
    };
    return Object.entries(rowsByTable).flatMap(([name, tableRows]) =>
      tableRows.length > 0 ? [name] : [],
    );
  };
  return { ...server, token, call, upload, file, attached, create, settled, blobs, tablesWithRows };
}
