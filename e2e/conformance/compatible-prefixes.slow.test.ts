/** Rules that all compatible prefixes have in common. Each title names its rule. */
import type { ConfigInput } from '@inlay/server';
import { expect, it } from 'vitest';
import { type FamilyName, familyNames, startCompatibleServer } from './setup/compatible.ts';
import { apiKey, expectProblem, type Reply } from './setup/server.ts';

/** The path that each family's official client calls, and the header of its key; null for `Authorization`. */
const families: Record<FamilyName, { path: string; key: string | null }> = {
  chat_model: { path: '/chat-model/v1/chat/completions', key: null },
  message_model: { path: '/message-model/v1/messages', key: 'x-api-key' },
  generative_model: {
    path: '/generative-model/v1beta/models/m:generateContent',
    key: 'x-goog-api-key',
  },
  sandbox: { path: '/sandbox-compat/sandboxes', key: 'x-api-key' },
  web_search: { path: '/web-search/search', key: null },
};
/** The families whose requests are forwarded unchanged. */
const forwardedFamilies = familyNames.filter((name) => name !== 'chat_model');

async function start(config: Partial<ConfigInput> = {}) {
  const server = await startCompatibleServer({ config });
  return {
    ...server,
    /** Sends the request of a family's client. */
    post: (name: FamilyName, headers: Record<string, string>) =>
      server.request('POST', families[name].path, { headers, body: { any: 'member' } }),
  };
}

const bearerHeaders = { authorization: `Bearer ${apiKey}` };

it('1.2 a compatible prefix forwards the body of the official API, and returns its response', async () => {
  const { post, received } = await start();

  for (const name of forwardedFamilies) {
    const { status, body } = await post(name, bearerHeaders);
    expect([status, body]).toEqual([200, { of: 'the upstream' }]);
    const { path } = families[name];
    expect(received.at(-1)).toMatchObject({
      url: path.replace(/^\/[^/]+/, '/vendor'),
      body: '{"any":"member"}',
    });
  }
});

it('5.3 a compatible prefix accepts the header in which the official client sends its key', async () => {
  const { post } = await start();

  for (const name of forwardedFamilies) {
    const { key } = families[name];
    if (key) expect((await post(name, { [key]: apiKey })).status).toBe(200);
    expect((await post(name, bearerHeaders)).status).toBe(200);
  }
});

it('5.3 native services do not accept the key headers of the official clients', async () => {
  const { request } = await start();

  for (const name of ['x-api-key', 'x-goog-api-key']) {
    const reply = await request('GET', '/agent/v1/embed_tokens', { headers: { [name]: apiKey } });
    expectProblem(reply, 401, 'AUTHENTICATION_ERROR');
  }
});

const errorBodies: Record<FamilyName, object> = {
  chat_model: {
    error: {
      code: 'invalid_api_key',
      message: expect.any(String),
      type: 'invalid_request_error',
      param: null,
    },
  },
  message_model: {
    type: 'error',
    error: { type: 'authentication_error', message: expect.any(String) },
    request_id: expect.any(String),
  },
  generative_model: {
    error: {
      code: 401,
      message: expect.any(String),
      status: 'UNAUTHENTICATED',
      details: expect.any(Array),
    },
  },
  sandbox: { code: 401, message: expect.any(String) },
  web_search: { detail: { error: expect.any(String) } },
};

it('5.4, 7.2.1 an invalid key gets 401 with the error body of the family', async () => {
  const { post } = await start();

  for (const name of familyNames) {
    const { status, headers, body } = await post(name, { authorization: 'Bearer sk-service-x' });
    expect([status, body]).toEqual([401, errorBodies[name]]);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  }
});

it('7.2.1 a request over the rate limit gets the type `rate_limit_error` if the family’s errors have a type', async () => {
  const limits = { source: { requests_per_second: 1, concurrent: 10 } };
  const replies: Partial<Record<FamilyName, Reply>> = {};
  for (const name of ['chat_model', 'message_model'] as const) {
    const { post } = await start({ limits });
    await post(name, {});
    replies[name] = await post(name, {});
  }

  expect(replies.chat_model).toMatchObject({
    status: 429,
    body: { error: { type: 'rate_limit_error' } },
  });
  expect(replies.message_model).toMatchObject({
    status: 429,
    body: { type: 'error', error: { type: 'rate_limit_error' } },
  });
});

it('7.3 errors of compatible prefixes have the same headers as problems', async () => {
  const { post } = await start();

  for (const name of familyNames) {
    expect((await post(name, {})).fields).toMatchObject({
      'x-service-problem-code': 'AUTHENTICATION_ERROR',
      'x-service-problem-kind': 'authentication',
      'x-service-problem-origin': 'user',
      'x-service-problem-retryable': 'false',
      'x-service-recovery-action': 'check_credential',
      'x-request-id': expect.any(String),
    });
  }
});

it('8.2.2 responses of compatible prefixes have the headers of the rate limit', async () => {
  const { post } = await start();

  for (const name of forwardedFamilies) {
    const { fields } = await post(name, bearerHeaders);
    expect(fields).toMatchObject({
      'x-ratelimit-limit-requests': expect.any(String),
      'ratelimit-limit': expect.any(String),
    });
  }
});

it('9.1 a compatible prefix with another version than its vendor’s gets 404', async () => {
  const { request, received } = await start();
  const headers = bearerHeaders;

  for (const path of ['/chat-model/v2/models', '/message-model/v2/messages']) {
    expect((await request('POST', path, { headers, body: {} })).status).toBe(404);
  }
  expect(received).toEqual([]);
});

it('9.2 headers of the vendor that select a version are forwarded', async () => {
  const { post, received } = await start();
  const version = { 'x-vendor-version': '2023-06-01', 'anthropic-version': '2023-06-01' };

  await post('message_model', { ...bearerHeaders, ...version });

  expect(received[0]?.headers).toMatchObject(version);
});

it('5.1 the upstream gets the credential of the platform, and never the key of the caller', async () => {
  const { post, received } = await start();

  for (const name of forwardedFamilies) await post(name, bearerHeaders);

  expect(JSON.stringify(received)).not.toContain(apiKey);
  expect(
    received.every(({ headers }) => JSON.stringify(headers).includes('sk-of-the-upstream')),
  ).toBe(true);
});
