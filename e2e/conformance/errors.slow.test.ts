/** Rules 2.8, 7.1 to 7.5: errors of the native services. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { startModelServer } from './setup/model-server.ts';
import {
  apiKey,
  expectInvalid,
  expectProblem,
  type Reply,
  startReferenceServer,
} from './setup/server.ts';
import { respondWithError } from './setup/upstream.ts';

const tokensPath = '/agent/v1/embed_tokens';
const minimalRequest = { agent: 'helper', external_user_id: 'ada' };

/** Paths at which requests are rejected, at least one for each native service. */
const refusedPaths = [
  '/agent/v1/nothing',
  '/model/v1/nothing',
  '/sandbox/v1/nothing',
  '/search/v1/nothing',
  '/meta/v1/nothing',
  '/database/v1/databases/db_none/events',
  '/media/v1/libraries/lib_none/events',
  '/automation/v1/actions/shop/none',
  '/automation/v1/scripts/shop/none',
];

const requestsPerSecond = (requests_per_second: number) => ({
  requests_per_second,
  concurrent: 100,
});

async function sendRefusedRequests(): Promise<Reply[]> {
  const { backend } = await startReferenceServer();
  return Promise.all(refusedPaths.map((path) => backend('GET', path)));
}

it('2.8, 7.2.2 an error of a native service is a problem with all documented members', async () => {
  for (const [index, { status, headers, body }] of (await sendRefusedRequests()).entries()) {
    // Clients of OpenAI's API, which can use the model service, read only this member.
    const hasError = refusedPaths[index]?.startsWith('/model/');
    const error = { message: body.detail, type: 'invalid_request_error', param: null };
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(body).toEqual({
      ...(hasError && { error: { ...error, code: 'not_found' } }),
      type: expect.stringMatching(/^https?:/),
      title: expect.any(String),
      status,
      detail: expect.any(String),
      instance: expect.any(String),
      code: expect.any(String),
      retryable: expect.any(Boolean),
    });
  }
});

it('7.2.2 `type` is the address of a page that explains the error', async () => {
  for (const { body } of await sendRefusedRequests()) {
    expect(body.type).toMatch(/\/problems\/[a-z-]+$/);
  }
  const { backend } = await startReferenceServer();
  const { body } = await backend('GET', '/agent/v1/nothing');
  const page = await fetch(body.type);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain(body.code);
});

it('7.2.2 `instance` is different for each error', async () => {
  const replies = await sendRefusedRequests();

  expect(new Set(replies.map(({ body }) => body.instance)).size).toBe(refusedPaths.length);
});

it('7.2.2 only problems of rate limits have `kind` and `scope`', async () => {
  const { backend } = await startReferenceServer({
    config: { limits: { api_key: requestsPerSecond(1) } },
  });
  const other = await backend('GET', '/agent/v1/nothing');

  const limited = await backend('GET', '/agent/v1/nothing');

  expect(limited.body).toMatchObject({ status: 429, kind: 'rate_limit', scope: 'platform' });
  expect(other.body).not.toHaveProperty('kind');
  expect(other.body).not.toHaveProperty('scope');
});

it('7.3 every error has the headers of its code, kind, origin, retryability and recovery', async () => {
  for (const { fields, body } of await sendRefusedRequests()) {
    expect(fields).toMatchObject({
      'x-service-problem-code': body.code,
      'x-service-problem-kind': expect.stringMatching(/^\w+$/),
      'x-service-problem-origin': expect.stringMatching(/^(?:user|platform|upstream_provider)$/),
      'x-service-problem-retryable': String(body.retryable),
      'x-service-recovery-action': expect.stringMatching(/^\w+$/),
    });
  }
});

it('7.3 the response to invalid HTTP, or to headers that are too large, is a problem with its headers', async () => {
  const { url } = await startReferenceServer();
  const exchange = async (text: string) => {
    const socket = connect(Number(new URL(url).port), 'localhost');
    onTestFinished(() => void socket.destroy());
    let received = '';
    socket.setEncoding('utf8').on('data', (piece) => {
      received += piece;
    });
    socket.write(text);
    await once(socket, 'close');
    return received;
  };
  const large = 'x'.repeat(40_000);

  const replies = [
    await exchange('nonsense\r\n\r\n'),
    await exchange(`GET /agent/v1/sessions HTTP/1.1\r\nhost: x\r\nx-large: ${large}\r\n\r\n`),
  ];

  expect(replies.map((reply) => reply.slice(0, 13))).toEqual(['HTTP/1.1 400 ', 'HTTP/1.1 431 ']);
  for (const reply of replies) {
    for (const name of ['code', 'kind', 'origin', 'retryable']) {
      expect(reply.toLowerCase()).toContain(`\r\nx-service-problem-${name}: `);
    }
    expect(reply.toLowerCase()).toContain('\r\nx-service-recovery-action: ');
    expect(reply.toLowerCase()).toContain('\r\ncontent-type: application/problem+json\r\n');
  }
});

it('7.3 only errors of rate limits have the header `x-service-problem-scope`', async () => {
  const { backend } = await startReferenceServer({
    config: { limits: { api_key: requestsPerSecond(1) } },
  });
  const other = await backend('GET', '/agent/v1/nothing');

  const limited = await backend('GET', '/agent/v1/nothing');

  expect(limited.headers.get('x-service-problem-scope')).toBe('platform');
  expect(other.headers.get('x-service-problem-scope')).toBeNull();
});

it('7.3 `x-service-problem-origin` names the user, the platform or the provider as the origin of an error', async () => {
  const { complete, backend } = await startModelServer({ providers: { a: respondWithError(500) } });
  const originOf = ({ headers }: Reply) => headers.get('x-service-problem-origin');

  expect(originOf(await backend('GET', '/agent/v1/nothing'))).toBe('user');
  expect(originOf(await backend('GET', '/sandbox/v1/nothing'))).toBe('platform');
  expect(originOf(await complete())).toBe('upstream_provider');
});

it('7.1 an invalid field gets 400', async () => {
  const { backend } = await startReferenceServer();

  expectInvalid(
    await backend('POST', tokensPath, { ...minimalRequest, ttl_seconds: 1 }),
    '/ttl_seconds',
  );
});

it('7.1 a body that is not JSON gets 400', async () => {
  const { backend } = await startReferenceServer();

  expectProblem(await backend('POST', tokensPath, '{'), 400, 'VALIDATION_ERROR');
});

it('7.1, 7.4 a missing or invalid credential gets 401 AUTHENTICATION_ERROR', async () => {
  const { request, as } = await startReferenceServer();

  expectProblem(await request('GET', tokensPath), 401, 'AUTHENTICATION_ERROR');
  expectProblem(await as('sk-service-wrong')('GET', tokensPath), 401, 'AUTHENTICATION_ERROR');
});

it('7.1 an empty balance gets 402', async () => {
  const { complete } = await startModelServer({ providers: { a: respondWithError(402) } });

  expect((await complete({}, { 'x-upstream-api-key': 'sk-mine' })).status).toBe(402);
});

it('7.1 an operation that is not permitted gets 403', async () => {
  const { backend } = await startReferenceServer({ policy: { blocked_end_users: ['ada'] } });

  expect((await backend('POST', tokensPath, minimalRequest)).status).toBe(403);
});

it('7.1, 7.4 a missing resource or an unknown path gets 404 NOT_FOUND', async () => {
  const { backend } = await startReferenceServer();

  for (const path of [
    `${tokensPath}/emb_none`,
    '/agent/v1/nothing',
    '/meta/v1/nothing',
    '/nothing',
  ]) {
    expectProblem(await backend('GET', path), 404, 'NOT_FOUND');
  }
});

it('7.1 a request whose body does not arrive in time gets 408', async () => {
  const { url, clock } = await startReferenceServer();
  const socket = connect(Number(new URL(url).port), 'localhost');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (text) => {
    received += text;
  });
  socket.write(
    `POST ${tokensPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${apiKey}\r\ncontent-type: application/json\r\ncontent-length: 10\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n`,
  );
  await expect.poll(() => received).toContain('100 Continue');
  socket.write('{');

  // The clock is advanced repeatedly, because the time limit starts only when the server begins to read the body.
  const timer = setInterval(() => clock.advance(1000), 10);
  await once(socket, 'close');
  clearInterval(timer);

  expect(received).toContain('HTTP/1.1 408');
  expect(received).toContain('"retryable":true');
});

it('7.1 a request that does not fit the state of the resource gets 409', async () => {
  const { backend } = await startReferenceServer();
  const { body } = await backend('POST', '/database/v1/databases', { name: 'Orders' });

  const reply = await backend('POST', `/database/v1/databases/${body.id}/restore`, {});

  expect(reply.status).toBe(409);
});

it('7.1 a body over the size limit gets 413', async () => {
  const { backend } = await startReferenceServer();

  const reply = await backend('POST', tokensPath, {
    ...minimalRequest,
    padding: 'x'.repeat(2_000_000),
  });

  expect(reply.status).toBe(413);
});

it('7.1, 7.4 a request over a rate limit gets 429 RATE_LIMITED', async () => {
  const { backend } = await startReferenceServer({
    config: { limits: { api_key: requestsPerSecond(1) } },
  });
  await backend('GET', tokensPath);

  expectProblem(await backend('GET', tokensPath), 429, 'RATE_LIMITED');
});

it('7.1 an internal error gets 500, with `X-Request-Id` and without its cause', async () => {
  const { backend, folder } = await startReferenceServer();
  const database = new Database(join(folder, 'inlay.db'));
  database.exec('drop table token_values; drop table issuances');
  database.close();

  const reply = await backend('GET', tokensPath);

  expect([reply.status, reply.body.retryable]).toEqual([500, true]);
  expect(reply.headers.get('x-request-id')).toEqual(expect.any(String));
  expect(JSON.stringify(reply.body)).not.toMatch(/issuances|sql/i);
});

it('1, 7.1, 7.4 every path of the services sandbox and search gets 501 not_implemented', async () => {
  const { backend } = await startReferenceServer();

  for (const path of ['/sandbox/v1', '/sandbox/v1/a/b', '/search/v1', '/search/v1/a']) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const reply = await backend(method, path);
      expectProblem(reply, 501, 'not_implemented');
      expect(reply.body.retryable).toBe(false);
    }
  }
});

it('7.1 a request to a model without an available provider gets 503, and can be repeated', async () => {
  const scripted = { provider: 'scripted' as const, enabled: false };
  const { complete } = await startModelServer({ model: { providers: [scripted] } });

  const reply = await complete();

  expect([reply.status, reply.body.retryable]).toEqual([503, true]);
});

it('7.4 codes are case-sensitive: VALIDATION_ERROR and validation_error are different', async () => {
  const { complete } = await startModelServer({ model: { response_formats: ['text'] } });

  const malformed = await complete({ response_format: 'text' });
  const unsupported = await complete({ response_format: { type: 'json_object' } });

  expect([malformed.body.code, unsupported.body.code]).toEqual([
    'VALIDATION_ERROR',
    'validation_error',
  ]);
});

it('7.4 invalid input of automation, databases and media gets 400 INVALID_PARAMS', async () => {
  const { backend } = await startReferenceServer();

  for (const path of ['/database/v1/databases', '/media/v1/libraries', '/automation/v1/actions']) {
    expectInvalid(await backend('POST', path, {}), '/name', 'INVALID_PARAMS');
    expectProblem(await backend('POST', path, '{'), 400, 'INVALID_PARAMS');
    expectInvalid(await backend('GET', `${path}?limit=0`), '/query/limit', 'INVALID_PARAMS');
  }
});

it('7.4 EMBED_FIELD_NOT_ALLOWED and EMBED_USER_BLOCKED have the status 403', async () => {
  const { backend } = await startReferenceServer({ policy: { blocked_end_users: ['eve'] } });
  const override = { ...minimalRequest, agent_override: { system: 'Obey.' } };

  expectProblem(await backend('POST', tokensPath, override), 403, 'EMBED_FIELD_NOT_ALLOWED');
  const blocked = { ...minimalRequest, external_user_id: 'eve' };
  expectProblem(await backend('POST', tokensPath, blocked), 403, 'EMBED_USER_BLOCKED');
});

it('7.4 EMBED_TOKEN_REVOKED has the status 401', async () => {
  const { issue, backend, asUser } = await startReferenceServer();
  const { id, token } = await issue();
  await backend('POST', `${tokensPath}/${id}/revoke`);

  expectProblem(await asUser(token)('GET', '/agent/v1/sessions'), 401, 'EMBED_TOKEN_REVOKED');
});

it('7.4 every code is explained on a page of the platform', async () => {
  const { request } = await startReferenceServer();
  const names = `authentication-error validation-error input-not-representable not-found
    model-not-found model-protocol-not-offered model-protocol-line-unavailable
    generation-not-found rate-limited upstream-error provider-selection-not-allowed
    not-implemented provider-unavailable thinking-disable-unsupported insufficient-balance
    unsupported-parameter invalid-params namespace-forbidden action-not-found target-not-found
    precondition-failed name-taken operation-not-supported budget_error embed-field-not-allowed
    embed-user-blocked embed-token-revoked`;

  const replies = await Promise.all(
    names
      .split(/\s+/)
      .map((name) =>
        request('GET', `/problems/${name}`, { headers: { accept: 'application/json' } }),
      ),
  );

  const codes = `ACTION_NOT_FOUND AUTHENTICATION_ERROR EMBED_FIELD_NOT_ALLOWED EMBED_TOKEN_REVOKED
    EMBED_USER_BLOCKED GENERATION_NOT_FOUND INPUT_NOT_REPRESENTABLE INSUFFICIENT_BALANCE
    INVALID_PARAMS MODEL_NOT_FOUND MODEL_PROTOCOL_LINE_UNAVAILABLE MODEL_PROTOCOL_NOT_OFFERED
    NAMESPACE_FORBIDDEN NAME_TAKEN NOT_FOUND OPERATION_NOT_SUPPORTED PRECONDITION_FAILED
    PROVIDER_SELECTION_NOT_ALLOWED QUOTA_EXHAUSTED RATE_LIMITED TARGET_NOT_FOUND UPSTREAM_ERROR
    VALIDATION_ERROR insufficient_quota model_protocol_not_offered not_implemented
    provider_unavailable thinking_disable_unsupported validation_error`;
  const explained = replies.flatMap(({ body }) => body.codes);
  expect(explained).toEqual(expect.arrayContaining(codes.split(/\s+/)));
});

it('7.5.1 a request that got 429 succeeds after the seconds of `retry-after`', async () => {
  const { backend, clock } = await startReferenceServer({
    config: { limits: { api_key: requestsPerSecond(1) } },
  });
  await backend('GET', tokensPath);
  const refused = await backend('GET', tokensPath);

  clock.advance(Number(refused.headers.get('retry-after')) * 1000);

  expect([refused.body.retryable, (await backend('GET', tokensPath)).status]).toEqual([true, 200]);
});

it('7.5.1 a request that failed because of the providers can succeed when it is repeated unchanged', async () => {
  let isDown = true;
  const { complete } = await startModelServer({
    providers: {
      a: (response) => {
        const status = isDown ? 503 : 200;
        response.writeHead(status, { 'content-type': 'application/json' });
        const message = { role: 'assistant', content: 'Hello' };
        response.end(JSON.stringify({ choices: [{ index: 0, message }] }));
      },
    },
  });
  const refused = await complete();

  isDown = false;

  expect([refused.status, refused.body.retryable]).toEqual([502, true]);
  expect((await complete()).status).toBe(200);
});

it('7.5.2 `retryable` is false for errors that a repeated request gets again', async () => {
  const { backend, request } = await startReferenceServer();
  const refused = [
    () => backend('POST', tokensPath, {}),
    () => request('GET', tokensPath),
    () => backend('GET', '/agent/v1/nothing'),
    () => backend('GET', '/sandbox/v1/nothing'),
  ];

  for (const send of refused) {
    const [first, second] = [await send(), await send()];
    expect(first.body.retryable).toBe(false);
    expect([second.status, second.body.code]).toEqual([first.status, first.body.code]);
  }
});
