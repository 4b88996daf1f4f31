import { type Problem, type ProblemCode, problems } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { explainedProblems } from '../meta/problem-pages.ts';
import { problemOf } from '../testing/problem-of.ts';
import { setupServer, testApiKey, testBaseUrl, testOrigin } from '../testing/setup-server.ts';
import { ApiError } from './api-error.ts';
import { serializeProblem } from './problem-response.ts';

const bearer = { authorization: `Bearer ${testApiKey}` };
const json = { ...bearer, 'content-type': 'application/json' };
const tokensPath = '/agent/v1/embed_tokens';

/** Checks all headers of section 7.3 and all members of section 7.2 against `problems`. */
async function expectProblem(response: Response, code: ProblemCode): Promise<Problem> {
  const { status, kind, origin, retryable, recovery, name, title } = problems[code];
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^req_[\w-]{22}$/),
    'x-service-problem-code': code,
    'x-service-problem-kind': kind,
    'x-service-problem-origin': origin,
    'x-service-problem-retryable': String(retryable),
    'x-service-recovery-action': recovery,
  });
  expect(response.headers.get('x-should-retry')).toBe(retryable ? null : 'false');
  const body = await problemOf(response);
  expect(body).toMatchObject({
    type: `${testBaseUrl}/problems/${name}`,
    title,
    status,
    code,
    retryable,
    instance: expect.stringMatching(/^prb_/),
  });
  expect(response.status).toBe(status);
  return body;
}

describe('7.1 to 7.3: an error response', () => {
  it.each([
    ['an unknown path', 'GET', '/nowhere', {}, undefined, 'NOT_FOUND'],
    [
      'an unknown path of the agent service',
      'GET',
      '/agent/v1/nowhere',
      {},
      undefined,
      'NOT_FOUND',
    ],
    ['an unknown version', 'GET', '/agent/v2/sessions', {}, undefined, 'NOT_FOUND'],
    ['an unknown path of the meta service', 'GET', '/meta/v1/nowhere', {}, undefined, 'NOT_FOUND'],
    ['an unknown problem', 'GET', '/problems/nothing', {}, undefined, 'NOT_FOUND'],
    ['a missing file', 'GET', '/assets/none.js', {}, undefined, 'NOT_FOUND'],
    ['a hosted page that is not built', 'GET', '/hosted/', {}, undefined, 'NOT_FOUND'],
    ['a script that is not built', 'GET', '/inlay.js', {}, undefined, 'NOT_FOUND'],
    [
      'an escape in the path that is not UTF-8',
      'GET',
      '/agent/v1/sessions/%ff%',
      bearer,
      undefined,
      'NOT_FOUND',
    ],
    ['no credential', 'GET', tokensPath, {}, undefined, 'AUTHENTICATION_ERROR'],
    [
      'a wrong credential',
      'GET',
      tokensPath,
      { authorization: 'Bearer x' },
      undefined,
      'AUTHENTICATION_ERROR',
    ],
    [
      'a credential of another scheme',
      'GET',
      tokensPath,
      { authorization: 'Basic eDp5' },
      undefined,
      'AUTHENTICATION_ERROR',
    ],
    [
      'an origin that is not allowed',
      'GET',
      '/agent/v1/embed/config',
      { origin: 'https://evil.example' },
      undefined,
      'EMBED_ORIGIN_NOT_ALLOWED',
    ],
    [
      'a query that is not UTF-8',
      'GET',
      `${tokensPath}?page=%ff`,
      bearer,
      undefined,
      'VALIDATION_ERROR',
    ],
    ['an invalid query', 'GET', `${tokensPath}?limit=0`, bearer, undefined, 'VALIDATION_ERROR'],
    [
      'an invalid page cursor',
      'GET',
      `${tokensPath}?page=x`,
      bearer,
      undefined,
      'VALIDATION_ERROR',
    ],
    ['a body that is not JSON', 'POST', tokensPath, json, '{', 'VALIDATION_ERROR'],
    ['a body that is not an object', 'POST', tokensPath, json, '[]', 'VALIDATION_ERROR'],
    [
      'JSON with a byte order mark in the middle',
      'POST',
      tokensPath,
      json,
      '{}\ufeff',
      'VALIDATION_ERROR',
    ],
    [
      'a body of another content type',
      'POST',
      tokensPath,
      { ...bearer, 'content-type': 'text/plain' },
      '{}',
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a compressed body',
      'POST',
      tokensPath,
      { ...json, 'content-encoding': 'gzip' },
      '{}',
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a body of two megabytes',
      'POST',
      tokensPath,
      json,
      `"${'a'.repeat(2_097_152)}"`,
      'PAYLOAD_TOO_LARGE',
    ],
    ['an unsupported method', 'DELETE', tokensPath, bearer, undefined, 'METHOD_NOT_ALLOWED'],
    [
      'an unsupported method on a problem page',
      'POST',
      '/problems/not-found',
      {},
      undefined,
      'METHOD_NOT_ALLOWED',
    ],
    ['an unsupported method on a file', 'POST', '/inlay.js', {}, undefined, 'METHOD_NOT_ALLOWED'],
    [
      'an unsupported method on the health route',
      'POST',
      '/meta/v1/health',
      {},
      undefined,
      'METHOD_NOT_ALLOWED',
    ],
  ] as [string, string, string, Record<string, string>, string | undefined, ProblemCode][])(
    'has all headers and members for %s',
    async (_, method, path, headers, body, code) => {
      const { app } = await setupServer();

      const response = await app.request(path, { method, headers, ...(body && { body }) });

      await expectProblem(response, code);
    },
  );

  it('has a new request id, even if the caller sends one', async () => {
    const { requestAsPage } = await setupServer();
    const named = { 'x-request-id': 'req_of_the_caller' };

    const responses = [
      await requestAsPage('GET', '/x', undefined, named),
      await requestAsPage('GET', '/x'),
    ];

    const ids = responses.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set([...ids, 'req_of_the_caller']).size).toBe(3);
  });

  it('7.3: does not contain the cause of an unexpected error, which is logged', async () => {
    const { backend, store, logLines } = await setupServer();
    await store.db.schema.dropTable('token_values').execute();
    await store.db.schema.dropTable('issuances').execute();

    const response = await backend('GET', tokensPath);

    const body = await expectProblem(response, 'INTERNAL_ERROR');
    expect(JSON.stringify(body)).not.toMatch(/issuances|sql|\.ts/i);
    const lines = logLines
      .map((line) => JSON.parse(line))
      .filter(({ message }) => message.startsWith('request'));
    expect(lines).toMatchObject([
      { message: 'request failed', error: expect.stringMatching(/issuances/) },
      { message: 'request', status: 500, code: 'INTERNAL_ERROR', instance: body.instance },
    ]);
    expect(lines[0].request).toBe(lines[1].request);
    expect(response.headers.get('x-request-id')).toBe(lines[1].request);
  });

  it.each([
    ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'],
    ['57P01', 'terminating connection due to administrator command'],
    ['53300', 'sorry, too many clients already'],
    ['SQLITE_BUSY', 'database is locked'],
    [undefined, 'timeout exceeded when trying to connect'],
  ])('Q03: has Retry-After if the store does not respond: $1', async (code, message) => {
    const { backend, store } = await setupServer();
    store.db.getExecutor = () => {
      throw Object.assign(new Error(message), code && { code });
    };

    const response = await backend('GET', tokensPath);

    expect(response.headers.get('retry-after')).toBe('2');
    await expectProblem(response, 'SERVICE_UNAVAILABLE');
  });
});

describe('7.1: a method that a path does not support', () => {
  it.each([
    ['DELETE', tokensPath, 'POST, GET, HEAD, OPTIONS'],
    ['PUT', '/agent/v1/sessions/x', 'GET, POST, DELETE, HEAD, OPTIONS'],
    ['PATCH', '/meta/v1/health', 'GET, HEAD, OPTIONS'],
    ['POST', '/problems/not-found', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/hosted/', 'GET, HEAD, OPTIONS'],
  ])('gets a 405 with the supported methods in `Allow`: %s %s', async (method, path, allow) => {
    const { app } = await setupServer();

    const response = await app.request(path, { method, headers: bearer });

    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  });

  it.each([
    [tokensPath, 'POST, GET, HEAD, OPTIONS'],
    ['/meta/v1/health', 'GET, HEAD, OPTIONS'],
    ['/problems/not-found', 'GET, HEAD, OPTIONS'],
  ])('is not in the `Allow` header of the OPTIONS response for %s', async (path, allow) => {
    const { app } = await setupServer();

    const response = await app.request(path, { method: 'OPTIONS' });

    expect([response.status, response.headers.get('allow')]).toEqual([204, allow]);
    expect((await app.request('/agent/v1/nowhere', { method: 'OPTIONS' })).status).toBe(404);
  });

  it('4.7: gets a 404 for an embed token on a path for backends', async () => {
    const { requestAsUser, issue } = await setupServer();
    const { token } = await issue();

    const responses = await Promise.all(
      ['DELETE', 'OPTIONS'].map((method) => requestAsUser(token, method, tokensPath)),
    );

    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
  });
});

/** The codes of docs/conformance.md, 7.4. */
const codesOfRules = [
  'AUTHENTICATION_ERROR VALIDATION_ERROR INPUT_NOT_REPRESENTABLE NOT_FOUND MODEL_NOT_FOUND',
  'MODEL_PROTOCOL_NOT_OFFERED MODEL_PROTOCOL_LINE_UNAVAILABLE GENERATION_NOT_FOUND RATE_LIMITED',
  'UPSTREAM_ERROR PROVIDER_SELECTION_NOT_ALLOWED not_implemented model_protocol_not_offered',
  'provider_unavailable thinking_disable_unsupported insufficient_quota INSUFFICIENT_BALANCE',
  'INVALID_PARAMS NAMESPACE_FORBIDDEN ACTION_NOT_FOUND TARGET_NOT_FOUND PRECONDITION_FAILED',
  'NAME_TAKEN OPERATION_NOT_SUPPORTED QUOTA_EXHAUSTED EMBED_FIELD_NOT_ALLOWED',
  'EMBED_USER_BLOCKED EMBED_TOKEN_REVOKED',
].flatMap((line) => line.split(' '));

describe('7.4: the page of a problem', () => {
  it('exists for every code of the rules and of this server', async () => {
    const { app } = await setupServer();
    const codes = new Set([...codesOfRules, ...Object.keys(problems)]);

    for (const code of codes) {
      const found = explainedProblems.filter((problem) => problem.codes.includes(code));
      expect(found, code).toHaveLength(1);
      const response = await app.request(`/problems/${found[0]?.name}`);
      expect(response.status, code).toBe(200);
      expect(await response.text()).toContain(`<code>${code}</code>`);
    }
    const names = explainedProblems.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('is at the URL in the `type` of the problem', async () => {
    const { app } = await setupServer();
    const context = {
      baseUrl: testBaseUrl,
      random: { bytes: (count: number) => Buffer.alloc(count) },
    };

    for (const code of Object.keys(problems) as ProblemCode[]) {
      const { problem } = serializeProblem(new ApiError(code), context);
      const response = await app.request(problem.type);
      expect(response.status, code).toBe(200);
    }
  });

  it.each([
    [undefined, 'text/html; charset=UTF-8'],
    ['*/*', 'text/html; charset=UTF-8'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=UTF-8'],
    ['application/json', 'application/json'],
    ['application/problem+json', 'application/json'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['image/png', 'text/html; charset=UTF-8'],
  ])('is sent as $1 for the Accept header $0', async (accept, type) => {
    const { app } = await setupServer();

    const response = await app.request('/problems/rate-limited', {
      headers: { ...(accept && { accept }) },
    });

    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('vary')).toBe('Accept');
  });

  it('is available as JSON with all members, for every origin', async () => {
    const { requestAsPage } = await setupServer();

    const response = await requestAsPage('GET', '/problems/rate-limited', undefined, {
      accept: 'application/json',
      origin: testOrigin,
    });

    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const { help, recovery, ...members } = problems.RATE_LIMITED;
    expect(await response.json()).toEqual({
      codes: ['RATE_LIMITED', 'rate_limit_exceeded'],
      ...members,
      recovery_action: recovery,
      help,
    });
  });
});
