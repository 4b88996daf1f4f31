/** Rules 3.1, 4.6, 4.7 and 6.3: access of an end user, and the operations and events that end the access. */
import { join } from 'node:path';
import Database from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { eventReader } from './setup/event-reader.ts';
import {
  apiKey,
  expectProblem,
  origin,
  type ServerOptions,
  startReferenceServer,
  utcTime,
} from './setup/server.ts';

const tokensPath = '/agent/v1/embed_tokens';
const configPath = '/agent/v1/embed/config';
const sessionsPath = '/agent/v1/sessions';

const userMessage = (text: string) => ({
  type: 'user.message',
  content: [{ type: 'text', text }],
});

async function start(options: ServerOptions = {}) {
  const server = await startReferenceServer(options);
  return {
    ...server,
    /** Performs an operation on an end user of the agent. */
    act: (operation: string, user = 'ada', body?: object) =>
      server.backend('POST', `/agent/v1/agents/helper/end_users/${user}/${operation}`, body),
    /** Creates a session, and returns its id. */
    create: async (token: string, initial_events: object[] = []) =>
      (await server.asUser(token)('POST', sessionsPath, { initial_events })).body.id as string,
    /** Opens the event stream of a session from its first event. */
    stream: async (token: string, id: string) => {
      const headers = { authorization: `Bearer ${token}`, origin, 'last-event-id': '0' };
      return eventReader(
        await server.send('GET', `${sessionsPath}/${id}/events/stream`, { headers }),
      );
    },
    /** Sends a request with a token. Returns 200, or the status and the code of the error. */
    try: async (token: string) => {
      const { status, body } = await server.asUser(token)('GET', configPath);
      return status === 200 ? 200 : [status, body.code];
    },
  };
}

const revokedResult = [401, 'EMBED_TOKEN_REVOKED'];

it('3.1 a token is valid until `expires_at`, and then gets 401 EMBED_TOKEN_EXPIRED', async () => {
  const server = await start();
  const { token } = await server.issue({ ttl_seconds: 60 });
  server.clock.advance(59_999);
  const before = await server.try(token);
  server.clock.advance(1);

  expect([before, await server.try(token)]).toEqual([200, [401, 'EMBED_TOKEN_EXPIRED']]);
});

it('3.1 a revoked token is invalid immediately; other tokens of the user are not affected', async () => {
  const server = await start();
  const [first, second] = [await server.issue(), await server.issue()];

  await server.backend('POST', `${tokensPath}/${first.id}/revoke`);

  expect([await server.try(first.token), await server.try(second.token)]).toEqual([
    revokedResult,
    200,
  ]);
});

it('3.1 a revoked token stays revoked after its expiry', async () => {
  const server = await start();
  const { id, token } = await server.issue({ ttl_seconds: 60 });
  await server.backend('POST', `${tokensPath}/${id}/revoke`);
  server.clock.advance(120_000);

  const { body } = await server.backend('GET', `${tokensPath}/${id}`);

  expect(body.revoked_at).toEqual(utcTime);
  expect(await server.try(token)).toEqual(revokedResult);
});

it('3.1 if a revocation fails, the token stays active, and the request can be repeated', async () => {
  const server = await start();
  const { id, token } = await server.issue();
  const revoke = () => server.backend('POST', `${tokensPath}/${id}/revoke`);
  const otherProcess = new Database(join(server.folder, 'inlay.db'));
  onTestFinished(() => void otherProcess.close());
  // The store cannot be written while another process holds its lock.
  otherProcess.exec('begin immediate');

  const failed = await revoke();
  const stillValid = await server.try(token);
  otherProcess.exec('rollback');
  const { body: record } = await server.backend('GET', `${tokensPath}/${id}`);

  expect([failed.status, failed.body.retryable, stillValid]).toEqual([503, true, 200]);
  expect(record.revoked_at).toBeNull();
  expect((await revoke()).status).toBe(200);
  expect(await server.try(token)).toEqual(revokedResult);
});

it('4.6 revoke_tokens immediately revokes all tokens of the user; new tokens can be issued', async () => {
  const server = await start();
  const mine = [await server.issue(), await server.issue()];
  const other = await server.issue({ external_user_id: 'bob' });

  const { status } = await server.act('revoke_tokens');

  expect(status).toBe(200);
  for (const { token } of mine) expect(await server.try(token)).toEqual(revokedResult);
  expect(await server.try(other.token)).toBe(200);
  expect(await server.try((await server.issue()).token)).toBe(200);
});

it('4.6 block revokes all tokens of the user, and refuses new tokens with EMBED_USER_BLOCKED', async () => {
  const server = await start();
  const { token } = await server.issue();

  const { status } = await server.act('block');

  expect(status).toBe(200);
  expect(await server.try(token)).toEqual(revokedResult);
  const body = { agent: 'helper', external_user_id: 'ada' };
  expectProblem(await server.backend('POST', tokensPath, body), 403, 'EMBED_USER_BLOCKED');
  const { body: agent } = await server.backend('GET', '/agent/v1/agents/helper');
  expect(agent.embed.blocked_end_users).toEqual(['ada']);
});

it('4.6 unblock allows new tokens; revoked tokens stay revoked', async () => {
  const server = await start();
  const { token } = await server.issue();
  await server.act('block');

  const { status } = await server.act('unblock');

  expect(status).toBe(200);
  expect(await server.try((await server.issue()).token)).toBe(200);
  expect(await server.try(token)).toEqual(revokedResult);
});

it('4.6 revoke_tokens, block and unblock accept the id of the agent, and return 404 for an unknown agent', async () => {
  const { backend } = await start();
  const { body: agent } = await backend('GET', '/agent/v1/agents/helper');
  const at = (id: string) => `/agent/v1/agents/${id}/end_users/ada`;

  for (const operation of ['revoke_tokens', 'block', 'unblock']) {
    expect((await backend('POST', `${at(agent.id)}/${operation}`)).status).toBe(200);
    expectProblem(await backend('POST', `${at('nobody')}/${operation}`), 404, 'NOT_FOUND');
  }
});

it('4.6 revoke_tokens accepts all characters that a user id can have, also percent-encoded', async () => {
  const server = await start();
  const user = 'Ada.L_1:2@example-3.com';

  for (const id of [user, encodeURIComponent(user)]) {
    const { token } = await server.issue({ external_user_id: user });
    expect((await server.act('revoke_tokens', id)).body).toMatchObject({ external_user_id: user });
    expect(await server.try(token)).toEqual(revokedResult);
  }
});

it('3.1 revoke_tokens and block interrupt the running conversations of the user', async () => {
  const policy = { default_ttl_seconds: 3600 };
  const model = { provider: 'scripted' as const, delay_ms: 1000, first_delay_ms: 1000 };
  const server = await start({ agent: { model }, policy });
  for (const operation of ['revoke_tokens', 'block']) {
    const user = `user-${operation}`;
    const { token } = await server.issue({ external_user_id: user });
    const id = await server.create(token, [userMessage('slow')]);
    const running = (await server.asUser(token)('GET', `${sessionsPath}/${id}`)).body.status;

    await server.act(operation, user);
    await server.act('unblock', user);

    const next = server.asUser((await server.issue({ external_user_id: user })).token);
    await expect
      .poll(async () => (await next('GET', `${sessionsPath}/${id}`)).body.status)
      .toBe('idle');
    expect(running).toBe('running');
  }
});

it('4.7 the holder of a token can create, list and read their own sessions', async () => {
  const server = await start();
  const { token } = await server.issue();
  const call = server.asUser(token);

  const id = await server.create(token);

  expect((await call('GET', `${sessionsPath}/${id}`)).status).toBe(200);
  const { body } = await call('GET', sessionsPath);
  expect(body.data.map((session: { id: string }) => session.id)).toEqual([id]);
});

it('4.7 the holder of a token cannot list, read, continue or delete sessions of other users of the agent', async () => {
  const server = await start();
  const ada = await server.issue();
  const bob = server.asUser((await server.issue({ external_user_id: 'bob' })).token);
  const id = await server.create(ada.token, [userMessage('secret')]);

  expect((await bob('GET', sessionsPath)).body.data).toEqual([]);
  for (const path of [`/${id}`, `/${id}/events`, `/${id}/events/stream`]) {
    expectProblem(await bob('GET', sessionsPath + path), 404, 'NOT_FOUND');
  }
  const events = { events: [userMessage('mine')] };
  expectProblem(await bob('POST', `${sessionsPath}/${id}/events`, events), 404, 'NOT_FOUND');
  expectProblem(await bob('DELETE', `${sessionsPath}/${id}`), 404, 'NOT_FOUND');
});

it('4.7 requests with an embed token to issue, revoke or list tokens get 404', async () => {
  const server = await start();
  const { id, token } = await server.issue();
  const call = server.asUser(token);
  const body = { agent: 'helper', external_user_id: 'ada' };
  const user = '/agent/v1/agents/helper/end_users/ada';

  expectProblem(await call('POST', tokensPath, body), 404, 'NOT_FOUND');
  expectProblem(await call('GET', tokensPath), 404, 'NOT_FOUND');
  expectProblem(await call('POST', `${tokensPath}/${id}/revoke`), 404, 'NOT_FOUND');
  for (const operation of ['revoke_tokens', 'block', 'unblock']) {
    expectProblem(await call('POST', `${user}/${operation}`), 404, 'NOT_FOUND');
  }
  expect(await server.try(token)).toBe(200);
});

it('4.7 an API key lists, reads and deletes the sessions of all users', async () => {
  const server = await start();
  const [ada, bob] = [await server.issue(), await server.issue({ external_user_id: 'bob' })];
  const ids = [await server.create(ada.token), await server.create(bob.token)];

  const { body: all } = await server.backend('GET', sessionsPath);
  const { body: ofBob } = await server.backend('GET', `${sessionsPath}?external_user_id=bob`);
  const { body: session } = await server.backend('GET', `${sessionsPath}/${ids[0]}`);
  const { status } = await server.backend('DELETE', `${sessionsPath}/${ids[1]}`);
  const deleted = await server.asUser(bob.token)('GET', `${sessionsPath}/${ids[1]}`);

  expect(all.data.map(({ id }: { id: string }) => id).sort()).toEqual(ids.toSorted());
  expect(ofBob.data).toMatchObject([{ id: ids[1], external_user_id: 'bob' }]);
  expect(session).toMatchObject({ external_user_id: 'ada', issuance_id: ada.id });
  expect([status, deleted.status]).toEqual([200, 404]);
});

it('4.7 an API key lists the feedback of all users; with an embed token, the list is a 404', async () => {
  const server = await start();
  const { token } = await server.issue();

  const { status, body } = await server.backend('GET', '/agent/v1/feedback?rating=down');

  expect([status, body.data]).toEqual([200, []]);
  expectProblem(await server.asUser(token)('GET', '/agent/v1/feedback'), 404, 'NOT_FOUND');
  const unknown = await server.backend('GET', '/agent/v1/feedback?user=ada');
  expectProblem(unknown, 400, 'VALIDATION_ERROR');
});

it('4.7 an API key lists the audit record; with an embed token, the list is a 404', async () => {
  const server = await start();
  const { token } = await server.issue();
  await server.act('block');

  const { status, body } = await server.backend('GET', '/agent/v1/audit_events?limit=1');

  expect([status, body.data]).toMatchObject([
    200,
    [{ action: 'POST /agent/v1/agents/:agent_id/end_users/:external_user_id/block' }],
  ]);
  expectProblem(await server.asUser(token)('GET', '/agent/v1/audit_events'), 404, 'NOT_FOUND');
});

it('4.6 erase revokes all tokens of the user, and deletes all data; with `keep_block`, a blocked user stays blocked', async () => {
  const server = await start();
  const { token } = await server.issue();
  const id = await server.create(token);
  await server.act('block');

  const erased = await server.act('erase', 'ada', { keep_block: true });

  expect([erased.status, erased.body]).toMatchObject([
    200,
    { type: 'erasure', block_kept: true, deleted: { sessions: 1, embed_tokens: 1 } },
  ]);
  expectProblem(await server.backend('GET', `${sessionsPath}/${id}`), 404, 'NOT_FOUND');
  const issued = await server.backend('POST', tokensPath, {
    agent: 'helper',
    external_user_id: 'ada',
  });
  expectProblem(issued, 403, 'EMBED_USER_BLOCKED');
});

it('4.6 export returns the data of the user as a ZIP archive', async () => {
  const server = await start();
  await server.create((await server.issue()).token);

  const response = await server.send('POST', '/agent/v1/agents/helper/end_users/ada/export', {
    headers: { authorization: `Bearer ${apiKey}` },
  });

  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 4)).toBe('PK\x03\x04');
});

it('4.7 requests with an embed token to other services get 404', async () => {
  const server = await start();
  const call = server.asUser((await server.issue()).token);

  expectProblem(await call('GET', '/database/v1/databases/db_1/events'), 404, 'NOT_FOUND');
  expectProblem(await call('GET', '/media/v1/libraries/lib_1/events'), 404, 'NOT_FOUND');
  const body = { model: 'scripted', messages: [{ role: 'user', content: 'Hi' }] };
  expectProblem(await call('POST', '/model/v1/chat/completions', body), 404, 'NOT_FOUND');
  for (const path of [
    '/automation/v1/actions',
    '/sandbox/v1/x',
    '/search/v1/x',
    '/model/v1/models',
  ]) {
    expectProblem(await call('GET', path), 404, 'NOT_FOUND');
  }
  for (const path of [
    '/chat-model/v1/models',
    '/message-model/v1/messages',
    '/web-search/search',
  ]) {
    expect((await call('GET', path)).status).toBe(404);
  }
});

it('4.7 a request is for the user of its token, even if a parameter names another user', async () => {
  const server = await start();
  const ada = await server.issue();
  const bob = await server.issue({ external_user_id: 'bob' });
  const id = await server.create(ada.token);

  const list = await server.asUser(bob.token)('GET', `${sessionsPath}?external_user_id=ada`);

  expect([list.status, list.body.data]).toEqual([200, []]);
  const { body } = await server.asUser(ada.token)('GET', `${sessionsPath}?external_user_id=bob`);
  expect(body.data.map((session: { id: string }) => session.id)).toEqual([id]);
});

it('6.3 the stream of a revoked token gets `session.error` with EMBED_TOKEN_REVOKED, and closes', async () => {
  const server = await start();
  const { id: issuance, token } = await server.issue();
  const id = await server.create(token);
  const reader = await server.stream(token, id);
  const other = await server.stream((await server.issue()).token, id);

  await server.backend('POST', `${tokensPath}/${issuance}/revoke`);

  const last = (await reader.until(null)).at(-1);
  expect(last).toMatchObject({ type: 'session.error', error: { code: 'EMBED_TOKEN_REVOKED' } });
  // The stream of the other token is still open.
  const { token: another } = await server.issue();
  const events = { events: [userMessage('Hello')] };
  await server.asUser(another)('POST', `${sessionsPath}/${id}/events`, events);
  expect((await other.until('user.message')).at(-1)).toMatchObject({ type: 'user.message' });
});

it('6.3 revoke_tokens and block end the streams of all tokens of the user with `session.error`', async () => {
  const server = await start();
  for (const operation of ['revoke_tokens', 'block']) {
    const user = { external_user_id: `user-${operation}` };
    const [first, second] = [await server.issue(user), await server.issue(user)];
    const id = await server.create(first.token);
    const readers = [await server.stream(first.token, id), await server.stream(second.token, id)];

    await server.act(operation, user.external_user_id);

    for (const reader of readers) {
      expect((await reader.until(null)).at(-1)).toMatchObject({
        type: 'session.error',
        error: { code: 'EMBED_TOKEN_REVOKED' },
      });
    }
  }
});
