import { expect, it } from 'vitest';
import { apiKeyId, createApiKey, revokeApiKey, rotateApiKey } from '../auth/api-keys.ts';
import { systemClock } from '../clock.ts';
import { hashSecret, systemRandom } from '../random.ts';
import { isType, setupConversation } from '../testing/setup-conversation.ts';
import { setupServer, testApiKey } from '../testing/setup-server.ts';

const idle = isType('session.status_idle');

/** Sets up a conversation of a user, and an API key in the store. */
async function setup() {
  const server = await setupConversation();
  const keys = { store: server.store, clock: systemClock, random: systemRandom };
  const apiKey = await createApiKey(keys, null);
  const id = await server.create('hello');
  await (await server.follow(id)).until(idle);
  return { ...server, keys, apiKey, keyId: apiKeyId(hashSecret(apiKey)), id };
}

it('a stream with an API key replays the log, and has live events and fragments', async () => {
  const { backend, follow, id, send } = await setup();
  const stream = await follow(id, {}, testApiKey);
  await stream.until(idle);

  await send(id, [{ type: 'user.message', content: [{ type: 'text', text: 'more' }] }]);
  await stream.until(isType('event_delta'));
  await stream.until(idle);

  const received = stream.seen.filter(({ data }) => typeof data.seq === 'number');
  const page = await backend('GET', `/agent/v1/sessions/${id}/events?limit=200`);
  expect(received.map(({ data }) => data)).toEqual(
    ((await page.json()) as { data: object[] }).data,
  );
});

it('a stream with an API key ends when the user of the conversation deletes it', async () => {
  const { call, follow, id } = await setup();
  const stream = await follow(id, {}, testApiKey);
  await stream.until(idle);

  await call('DELETE', `/sessions/${id}`);

  expect((await stream.toEnd()).at(-1)?.data.type).toBe('session.deleted');
});

it('a stream with an API key continues when the user’s tokens are revoked', async () => {
  const { backend, follow, id, issuanceId, issue, call } = await setup();
  const stream = await follow(id, {}, testApiKey);
  await stream.until(idle);

  await backend('POST', `/agent/v1/embed_tokens/${issuanceId}/revoke`);
  const { token } = await issue();
  await call('POST', `/sessions/${id}`, { title: 'Still followed' }, {}, token);

  expect((await stream.until(isType('session.updated'))).data.title).toBe('Still followed');
});

it('a stream with an API key ends within seconds after the key is revoked', async () => {
  const { apiKey, follow, id, keyId, keys } = await setup();
  const stream = await follow(id, {}, apiKey);
  const other = await follow(id, {}, testApiKey);
  await stream.until(idle);

  await revokeApiKey(keys, keyId);

  expect((await stream.toEnd()).at(-1)).toMatchObject({
    id: undefined,
    data: {
      type: 'session.error',
      error: {
        type: 'authentication_error',
        code: 'AUTHENTICATION_ERROR',
        retry_status: { type: 'terminal' },
      },
    },
  });
  expect(other.seen.some(isType('session.error'))).toBe(false);
});

it('a stream with a replaced API key ends when the overlap has passed', async () => {
  const { apiKey, follow, id, keyId, keys } = await setup();
  const stream = await follow(id, {}, apiKey);
  await stream.until(idle);

  await rotateApiKey(keys, keyId, 1);

  expect((await stream.toEnd()).at(-1)?.data).toMatchObject({
    error: { code: 'AUTHENTICATION_ERROR' },
  });
});

it('a long poll with an API key gets the next event, and a 401 if the key is revoked', async () => {
  const { app, apiKey, id, keyId, keys, log, send } = await setup();
  const last = (await log(id)).at(-1)?.seq ?? 0;
  const poll = (after: number) =>
    app.request(`/agent/v1/sessions/${id}/events?after_seq=${after}&wait=25`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });

  const [page] = await Promise.all([
    poll(last),
    send(id, [{ type: 'user.message', content: [{ type: 'text', text: 'more' }] }]),
  ]);
  expect(((await page.json()) as { data: object[] }).data[0]).toMatchObject({ seq: last + 1 });

  const waiting = poll(1_000_000);
  await revokeApiKey(keys, keyId);
  expect((await waiting).status).toBe(401);
});

it('a stream in one process has the events that another process appends', async () => {
  const first = await setup();
  const second = await setupServer({
    sharedStore: first.store,
    seed: 'another process',
    realClock: systemClock,
  });
  try {
    const stream = await first.follow(first.id, {}, testApiKey);
    await stream.until(idle);

    const path = `/agent/v1/sessions/${first.id}`;
    await second.requestAsUser(first.token, 'POST', path, { title: 'From the other process' });

    const { data } = await stream.until(isType('session.updated'));
    expect(data.title).toBe('From the other process');
  } finally {
    await second.close();
  }
});
