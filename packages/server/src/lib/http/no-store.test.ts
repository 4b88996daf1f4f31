import { expect, it } from 'vitest';
import { setupServer } from '../testing/setup-server.ts';

it('responses with tokens or data of a caller are not stored by caches', async () => {
  const { backend, issue, requestAsUser, requestAsPage } = await setupServer();
  const { token } = await issue();
  const created = await requestAsUser(token, 'POST', '/agent/v1/sessions', {});
  const { id } = (await created.clone().json()) as { id: string };

  const responses = {
    token: await backend('POST', '/agent/v1/embed_tokens', {
      agent: 'test',
      external_user_id: 'ada',
    }),
    anonymousToken: await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
      publishable_key: 'pk_test',
    }),
    created,
    session: await requestAsUser(token, 'GET', `/agent/v1/sessions/${id}`),
    sessions: await requestAsUser(token, 'GET', '/agent/v1/sessions'),
    events: await requestAsUser(token, 'GET', `/agent/v1/sessions/${id}/events`),
    exported: await requestAsUser(token, 'GET', `/agent/v1/sessions/${id}/export`),
    tokens: await backend('GET', '/agent/v1/embed_tokens'),
    models: await backend('GET', '/model/v1/models'),
    databases: await backend('GET', '/database/v1/databases'),
    actions: await backend('GET', '/automation/v1/actions'),
    libraries: await backend('GET', '/media/v1/libraries'),
  };

  for (const [name, { status, headers }] of Object.entries(responses)) {
    expect([name, status, headers.get('cache-control')]).toEqual([
      name,
      200,
      expect.stringContaining('no-store'),
    ]);
  }
});
