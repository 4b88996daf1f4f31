import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbedConfig, type Erasure } from '@inlay/protocol';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { runErasuresCommand } from '../commands/erasures-command.ts';
import { parseConfig } from '../config/parse-config.ts';
import { createLogger } from '../log/logger.ts';
import { systemRandom } from '../random.ts';
import type { Store } from '../store/store.ts';
import { follow } from '../testing/follow.ts';
import { listen } from '../testing/listen.ts';
import { message } from '../testing/setup-conversation.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';
import { backUp, wordsInStore } from '../testing/store-bytes.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** Words that are found nowhere else, one for each field that a person or the host can fill. */
const words = {
  user: 'xq-user-id',
  systemMessage: 'xqsystemmessage',
  tokenMetadata: 'xqtokenmetadata',
  title: 'xqtitle',
  sessionMetadata: 'xqsessionmetadata',
  message: 'xqmessage',
  filename: 'xqfilename',
  file: 'xqfilecontent',
  comment: 'xqcomment',
  language: 'xqlanguage',
};

const others = Object.fromEntries(
  Object.entries(words).map(([name, word]) => [name, word.replace('xq', 'zk')]),
) as typeof words;

async function setup() {
  const data = temporaryFolder();
  const server = await setupServer({
    agent: { appearance: { consent: { text: 'Agree?' } } },
    ...(inject('postgres') === undefined && { data }),
  });
  const { backend, issue, requestAsUser, app, store } = server;
  const runs = () => store.db.selectFrom('runs').selectAll().execute();
  const upload = async (token: string, content: string, name: string) => {
    const body = new FormData();
    body.append('file', new File([content], name));
    const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
    const response = await app.request('/agent/v1/files', { method: 'POST', body, headers });
    return ((await response.json()) as { id: string }).id;
  };
  return {
    ...server,
    data,
    runs,
    runErasures: (from: Store, ...args: string[]) =>
      runErasuresCommand(args, {
        store: from,
        clock: server.clock,
        random: systemRandom,
        log: createLogger(server.clock.now, (line) => server.logLines.push(line)),
        config: parseConfig(
          { agents: [{ short_id: 'test', name: 'Test', model: { provider: 'scripted' } }] },
          'The configuration of the test',
        ),
      }),
    path: (user: string) => `/agent/v1/agents/test/end_users/${user}`,
    erase: (user: string, body: object = {}) =>
      backend('POST', `/agent/v1/agents/test/end_users/${user}/erase`, body),
    find: (searched: Readonly<Record<string, string>>) =>
      wordsInStore(store, data, Object.values(searched)),
    /** Fills all fields of a person with words. Returns the ids of the session and the token. */
    async fill(text: typeof words) {
      const { token, id: tokenId } = await issue(text.user, {
        system_message: [{ type: 'text', text: text.systemMessage }],
        metadata: { plan: text.tokenMetadata },
      });
      const call = (method: string, path: string, body?: object, headers = {}) =>
        requestAsUser(token, method, `/agent/v1${path}`, body, headers);
      const config = EmbedConfig.parse(await (await call('GET', '/embed/config')).json());
      const consent = { text_sha256: config.consent?.text_sha256, language: text.language };
      expect((await call('POST', '/embed/consents', consent)).status).toBe(200);
      const attached = {
        type: 'document',
        source: { type: 'file', file_id: await upload(token, text.file, `${text.filename}.txt`) },
      };
      await upload(token, text.file, `${text.filename}-2.txt`);
      const content = [{ type: 'text', text: text.message }, attached];
      const session = {
        title: text.title,
        metadata: { a: text.sessionMetadata },
        initial_events: [{ type: 'user.message', content }],
      };
      const created = await call('POST', '/sessions', session, { 'idempotency-key': text.user });
      const { id } = (await created.json()) as { id: string };
      await expect.poll(runs).toEqual([]);
      const page = await call('GET', `/sessions/${id}/events?types[]=agent.message`);
      const [answer] = ((await page.json()) as { data: { id: string }[] }).data;
      const rated = { event_id: answer?.id, rating: 'down', comment: text.comment };
      expect((await call('POST', `/sessions/${id}/feedback`, rated)).status).toBe(200);
      return { id, token, tokenId };
    },
  };
}

describe('the erasure of an end user', () => {
  it('leaves no word of the person in the store, in files and in the log, and all of others', async () => {
    const { fill, erase, find, logLines, backend } = await setup();
    await fill(words);
    await fill(others);
    expect(await find(words)).toEqual(Object.values(words));
    const search = async (query: string) => {
      const list = await backend('GET', `/agent/v1/sessions?query=${query}`);
      return ((await list.json()) as { data: unknown[] }).data.length;
    };
    expect([await search(words.message), await search(words.title)]).toEqual([1, 1]);

    const response = await erase(words.user);

    const receipt = (await response.json()) as Erasure;
    expect([response.status, receipt]).toMatchObject([
      200,
      {
        type: 'erasure',
        id: expect.stringMatching(/^era_/),
        erased_at: '2026-01-15T12:00:00.000Z',
        block_kept: false,
        deleted: { sessions: 1, feedback: 1, files: 2, embed_tokens: 1, consents: 1 },
      },
    ]);
    expect(receipt.deleted.events).toBeGreaterThan(2);
    await expect.poll(() => find(words)).toEqual([]);
    expect(logLines.filter((line) => Object.values(words).some((w) => line.includes(w)))).toEqual(
      [],
    );
    expect(await find(others)).toEqual(Object.values(others));
    expect([await search(words.message), await search(others.message)]).toEqual([0, 1]);
    const list = await backend('GET', `/agent/v1/sessions?external_user_id=${others.user}`);
    expect(((await list.json()) as { data: unknown[] }).data).toHaveLength(1);
  });

  it('is repeated in a store that was restored from a backup, with the block', async () => {
    const { fill, erase, path, backend, data, store, runErasures } = await setup();
    await fill(words);
    await fill(others);
    const restore = await backUp(store, data);
    await backend('POST', `${path(words.user)}/block`);
    await erase(words.user, { keep_block: true });
    const file = join(temporaryFolder(), 'erasures.json');
    writeFileSync(file, await runErasures(store, 'export'));
    expect(Object.values(words).filter((word) => readFileSync(file).includes(word))).toEqual([]);
    const restored = await restore();
    onTestFinished(() => restored.store.close());
    expect(await wordsInStore(restored.store, restored.data, Object.values(words))).toEqual(
      Object.values(words),
    );

    expect(await runErasures(restored.store, 'replay', file)).toBe('Erased 1 person again.');

    const server = await setupServer({ sharedStore: restored.store, seed: 'restored' });
    const find = (searched: typeof words) =>
      wordsInStore(restored.store, restored.data, Object.values(searched));
    await expect.poll(() => find(words)).toEqual([]);
    expect(await find(others)).toEqual(Object.values(others));
    const body = { agent: 'test', external_user_id: words.user };
    expect((await server.backend('POST', '/agent/v1/embed_tokens', body)).status).toBe(403);
    const { data: entries } = (await (
      await server.backend('GET', '/agent/v1/audit_events?actor=cli')
    ).json()) as { data: object[] };
    expect(entries).toMatchObject([{ action: 'erasures replay', after: { erased_users: 1 } }]);
    // The second run finds no users.
    expect(await runErasures(restored.store, 'replay', file)).toBe('Erased 0 persons again.');
  });

  it('is not repeated for a user who has written again since', async () => {
    const { fill, erase, clock, store, find, runErasures } = await setup();
    await erase(words.user);
    const file = join(temporaryFolder(), 'erasures.json');
    writeFileSync(file, await runErasures(store, 'export'));
    clock.advance(1);
    await fill(words);

    expect(await runErasures(store, 'replay', file)).toBe('Erased 0 persons again.');

    expect(await find(words)).toEqual(Object.values(words));
  });

  it('is not repeated from a file that has no erasures', async () => {
    const { store, runErasures } = await setup();
    const file = join(temporaryFolder(), 'erasures.json');
    writeFileSync(file, '{}');

    await expect(runErasures(store, 'replay', file)).rejects.toThrow('The file has no erasures.');
    await expect(runErasures(store, 'replay', `${file}x`)).rejects.toThrow('cannot be read');
    await expect(runErasures(store, 'delete')).rejects.toThrow('Usage:');
  });

  it('revokes the tokens first, and ends their streams', async () => {
    const { fill, erase, requestAsUser, app } = await setup();
    const http = await listen(app);
    const { id, token } = await fill(words);
    const stream = await follow(`${http.url}/agent/v1/sessions/${id}/events/stream`, token);

    expect((await erase(words.user)).status).toBe(200);
    await stream.toEnd();

    expect(stream.seen.at(-1)?.data).toMatchObject({
      type: 'session.error',
      error: { type: 'embed_token_error' },
    });
    const read = await requestAsUser(token, 'GET', `/agent/v1/sessions/${id}`);
    expect([read.status, ((await read.json()) as { code: string }).code]).toEqual([
      401,
      'AUTHENTICATION_ERROR',
    ]);
  });

  it('is done only once at a time, unless the process that began it has died', async () => {
    const { erase, store } = await setup();
    await erase('ada');
    const { id: worker } = await store.db
      .selectFrom('workers')
      .select('id')
      .executeTakeFirstOrThrow();
    await store.db.updateTable('erasures').set({ worker }).execute();

    const refused = await erase('ada');

    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'CONFLICT' }]);
    expect((await erase('eve')).status).toBe(200);
    await store.db.updateTable('erasures').set({ worker: 'proc_dead' }).execute();
    expect((await erase('ada')).status).toBe(200);
  });

  it('keeps a block with `keep_block`, by a pseudonym, until the user is unblocked', async () => {
    const { erase, path, backend, find } = await setup();
    const issue = async () => {
      const body = { agent: 'test', external_user_id: words.user };
      return (await backend('POST', '/agent/v1/embed_tokens', body)).status;
    };
    await backend('POST', `${path(words.user)}/block`);

    const receipt = await (await erase(words.user, { keep_block: true })).json();

    expect(receipt).toMatchObject({ block_kept: true });
    expect(await issue()).toBe(403);
    expect(await find({ user: words.user })).toEqual([]);
    const list = await backend('GET', '/agent/v1/agents/test/blocked_end_users');
    expect(await list.json()).toMatchObject({
      data: [{ external_user_id: expect.stringMatching(/^erased:/), source: 'operation' }],
    });
    const again = await erase(words.user, { keep_block: true });
    expect(await again.json()).toMatchObject({ block_kept: true });
    await backend('POST', `${path(words.user)}/unblock`);
    expect(await issue()).toBe(200);
  });

  it('ends a block without `keep_block`, and keeps none of a user who was not blocked', async () => {
    const { erase, path, backend, issue } = await setup();
    await backend('POST', `${path('ada')}/block`);

    expect(await (await erase('ada')).json()).toMatchObject({ block_kept: false });
    const unblocked = await erase('eve', { keep_block: true });

    expect(await unblocked.json()).toMatchObject({ block_kept: false });
    await expect(issue('ada')).resolves.toMatchObject({ token: expect.any(String) });
    await expect(issue('eve')).resolves.toMatchObject({ token: expect.any(String) });
  });

  it('deletes the counters of a visitor with a publishable key', async () => {
    const { requestAsPage, requestAsUser, erase, store, backend, runs } = await setup();
    const key = { publishable_key: 'pk_test' };
    const issued = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', key);
    const { token } = (await issued.json()) as { token: string };
    const body = { initial_events: [message('Hello')] };
    await requestAsUser(token, 'POST', '/agent/v1/sessions', body);
    await expect.poll(runs).toEqual([]);
    const list = await backend('GET', '/agent/v1/sessions?publishable_key=pk_test');
    const { data } = (await list.json()) as { data: { external_user_id: string }[] };

    expect((await erase(data[0]?.external_user_id ?? '')).status).toBe(200);

    const { db } = store;
    const shares = await db.selectFrom('publishable_key_shares').select('subject').execute();
    expect(shares.length).toBeGreaterThan(0);
    expect(shares.filter(({ subject }) => subject.startsWith('visitor:'))).toEqual([]);
    for (const table of ['visitors', 'end_user_days', 'sessions', 'issuances'] as const) {
      expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    }
  });

  it('is not found with an embed token, and refuses an unknown member', async () => {
    const { erase, issue, requestAsUser, path } = await setup();
    const { token } = await issue('ada');

    expect((await requestAsUser(token, 'POST', `${path('ada')}/erase`)).status).toBe(404);
    const refused = await erase('ada', { keep_blocked: true });

    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { code: 'VALIDATION_ERROR', errors: [{ pointer: '' }] },
    ]);
  });
});
