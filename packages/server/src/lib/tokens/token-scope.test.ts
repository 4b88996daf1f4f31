import { EmbedConfig } from '@inlay/protocol';
import { expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { message, setupConversation } from '../testing/setup-conversation.ts';
import { testOrigin } from '../testing/setup-server.ts';

/** Sets up the conversation `own` of Ada, and another one with an attachment. */
async function setup() {
  const server = await setupConversation({
    agent: { appearance: { features: { edit: false, forget_me: true } } },
  });
  const { create, token, url, issue, requestAsUser } = server;
  const call = (bearer: string, method: string, path: string, body?: object) =>
    requestAsUser(bearer, method, `/agent/v1${path}`, body);
  const upload = async (bearer: string) => {
    const form = new FormData();
    form.set('file', new File(['secret'], 'secret.txt', { type: 'text/plain' }));
    const headers = { authorization: `Bearer ${bearer}`, origin: testOrigin };
    return fetch(`${url}/agent/v1/files`, { method: 'POST', headers, body: form });
  };
  const own = await create('hello');
  const file = ((await (await upload(token)).json()) as { id: string }).id;
  const source = { type: 'file', file_id: file };
  const attached = { type: 'user.message', content: [{ type: 'document', source }] };
  const response = await call(token, 'POST', '/sessions', { initial_events: [attached] });
  const other = ((await response.json()) as { id: string }).id;
  const issueFor = async (fields: object) => (await issue('ada', fields)).token;
  const configOf = async (bearer: string) =>
    EmbedConfig.parse(await (await call(bearer, 'GET', '/embed/config')).json());
  return { ...server, call, own, other, file, upload, issueFor, configOf };
}

const request = { agent: 'test', external_user_id: 'ada' };

it('refuses requests for the features that a token disables, and shows them in its configuration', async () => {
  const { call, configOf, issueFor, own, token, upload } = await setup();
  const names = ['attachments', 'feedback', 'threads', 'export', 'delete', 'forget_me'];
  const features = Object.fromEntries(names.map((name) => [name, false]));
  const narrow = await issueFor({ features });

  const feedback = { event_id: 'evt_1', rating: 'up' };
  const responses = [
    await upload(narrow),
    await call(narrow, 'GET', '/sessions'),
    await call(narrow, 'GET', '/sessions?query=hello'),
    await call(narrow, 'POST', `/sessions/${own}/feedback`, feedback),
    await call(narrow, 'GET', `/sessions/${own}/export`),
    await call(narrow, 'DELETE', `/sessions/${own}`),
    await call(narrow, 'POST', '/embed/forget_me', {}),
  ];

  for (const response of responses) {
    expect(response.status).toBe(403);
    expect((await problemOf(response)).code).toBe('EMBED_FEATURE_DISABLED');
  }
  expect((await configOf(narrow)).features).toEqual({
    ...(await configOf(token)).features,
    ...features,
  });
  expect((await call(token, 'GET', '/sessions')).status).toBe(200);
});

it('does not issue a token with a feature that the agent’s settings disable', async () => {
  const { backend } = await setup();
  const features = { edit: true, feedback: true };

  const response = await backend('POST', '/agent/v1/embed_tokens', { ...request, features });

  expect(response.status).toBe(403);
  const problem = await problemOf(response);
  expect(problem.code).toBe('EMBED_FIELD_NOT_ALLOWED');
  expect(problem.errors).toEqual([
    { pointer: '/features/edit', message: 'is disabled by the settings of the agent' },
  ]);
});

it('opens only the session of a token with `session_id`', async () => {
  const { backend, call, configOf, file, issueFor, other, own } = await setup();
  const narrow = await issueFor({ session_id: own });

  const sent = await call(narrow, 'POST', `/sessions/${own}/events`, { events: [message('hi')] });
  const statuses = async (requests: [method: string, path: string, body?: object][]) =>
    Promise.all(requests.map(async (each) => (await call(narrow, ...each)).status));

  expect(sent.status).toBe(200);
  expect(
    await statuses([
      ['GET', '/sessions'],
      ['GET', `/sessions/${other}`],
      ['POST', `/sessions/${other}`, { title: 'x' }],
      ['GET', `/sessions/${other}/events`],
      ['POST', `/sessions/${other}/events`, { events: [message('hi')] }],
      ['GET', `/sessions/${other}/events/stream`],
      ['DELETE', `/sessions/${other}`],
      ['GET', `/files/${file}/content`],
    ]),
  ).toEqual(Array(8).fill(404));
  const created = await call(narrow, 'POST', '/sessions', {});
  expect(created.status).toBe(403);
  expect((await problemOf(created)).detail).toContain(own);
  expect((await call(narrow, 'POST', '/embed/forget_me', {})).status).toBe(403);
  expect(await configOf(narrow)).toMatchObject({
    features: { threads: false, forget_me: false },
    token: { session_id: own },
  });
  const { data } = (await (await backend('GET', '/agent/v1/embed_tokens')).json()) as {
    data: object[];
  };
  expect(data[0]).toMatchObject({ session_id: own, features: {} });

  await call(narrow, 'DELETE', `/sessions/${own}`);
  expect(await statuses([['GET', `/sessions/${own}`]])).toEqual([404]);
});

it('does not issue a token for a session of another user, or for an unknown one', async () => {
  const { backend, own } = await setup();

  for (const fields of [
    { session_id: 'ses_unknown' },
    { session_id: own, external_user_id: 'bob' },
  ]) {
    const response = await backend('POST', '/agent/v1/embed_tokens', { ...request, ...fields });

    expect(response.status).toBe(404);
    expect((await problemOf(response)).detail).toContain('`session_id`');
  }
});
