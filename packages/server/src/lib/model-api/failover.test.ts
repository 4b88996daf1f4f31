import { ChatCompletion } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { chunk, finish, type Handler, stream } from '../testing/chat-endpoint.ts';
import {
  expectProblem,
  hang,
  respondJson,
  setupModelService,
} from '../testing/setup-model-service.ts';
import { upstreamKey } from '../testing/setup-server.ts';

const unavailable = respondJson({ error: { message: 'overloaded' } }, 503);
const throttled = (headers = {}) =>
  respondJson({ error: { message: 'slow down', code: 'rate_limit_exceeded' } }, 429, headers);
const closeConnection: Handler = (response) => void response.destroy();
const redirect: Handler = (response) => {
  response.writeHead(307, { location: 'http://127.0.0.1:9/' });
  response.end();
};

describe('failover', () => {
  it.each<[string, Handler, number | null, string]>([
    ['is unavailable', unavailable, 503, 'refused'],
    ['limits the rate of requests', throttled(), 429, 'throttled'],
    ['rejects the credential', respondJson({ error: { message: 'no' } }, 401), 401, 'refused'],
    ['does not know the model', respondJson({ error: { message: 'no' } }, 404), 404, 'refused'],
    [
      'has no money left',
      respondJson({ error: { code: 'insufficient_quota' } }, 429),
      429,
      'out_of_balance',
    ],
    ['closes the connection', closeConnection, null, 'network'],
    ['redirects', redirect, 307, 'refused'],
    ['responds with HTML', respondJson('<html>'), 200, 'invalid_response'],
    ['responds with other JSON', respondJson({ ok: true }), 200, 'invalid_response'],
  ])('8.3.4: tries the next provider if a provider %s', async (_, handler, status, error) => {
    const { complete, requestsOf } = await setupModelService({
      providers: { a: [handler], b: [respondJson()] },
    });

    const response = await complete();

    expect(response.status).toBe(200);
    const { router_metadata: report } = ChatCompletion.parse(await response.json());
    expect(report).toMatchObject({
      attempt: 2,
      attempts: [
        { provider: 'a', status, error },
        { provider: 'b', status: 200, error: null },
      ],
      endpoints: {
        total: 2,
        available: [
          { provider: 'a', selected: false },
          { provider: 'b', selected: true },
        ],
      },
      strategy: 'failover',
      summary: 'available=2, selected=b',
    });
    expect(requestsOf('b')[0]?.body.model).toBe('model-of-b');
  });

  it('8.3.4: tries the next provider if a provider does not respond in time', async () => {
    const { complete, requestsOf, clock } = await setupModelService({
      providers: { a: [hang], b: [respondJson()] },
      providerSettings: { a: { first_event_timeout_ms: 5000 } },
    });

    const responding = complete();
    await expect.poll(() => requestsOf('a').length).toBe(1);
    clock.advance(5000);

    const { router_metadata: report } = ChatCompletion.parse(await (await responding).json());
    expect(report.attempts[0]).toEqual({
      provider: 'a',
      status: null,
      error: 'timeout',
      duration: 5000,
    });
    await requestsOf('a')[0]?.disconnected;
  });

  it('8.3.4: tries the next provider if the stream of a provider starts with an error', async () => {
    const { complete, requestsOf } = await setupModelService({
      providers: {
        a: [stream(': waiting\n\n', 'data: {"choices":[],"error":{"code":502,"message":"x"}}\n\n')],
        b: [stream(chunk({ content: 'Hello' }), finish())],
      },
    });

    const text = await (await complete({ stream: true })).text();

    expect(text).toContain('Hello');
    expect(text).not.toContain('error');
    expect(requestsOf('b')).toHaveLength(1);
  });

  it('4.12: skips a disabled provider', async () => {
    const { complete, requestsOf } = await setupModelService({
      providers: { a: [respondJson()], b: [respondJson()] },
      providerSettings: { a: { enabled: false } },
    });

    await complete();

    expect([requestsOf('a').length, requestsOf('b').length]).toEqual([0, 1]);
  });

  it.each([
    [400, 'VALIDATION_ERROR'],
    [413, 'PAYLOAD_TOO_LARGE'],
    [422, 'UNPROCESSABLE_CONTENT'],
  ] as const)(
    '7.1: does not try the next provider if a provider rejects the request with the status %i',
    async (status, code) => {
      const error = { message: `bad\n${upstreamKey}`, param: 'top_k' };
      const { complete, requestsOf } = await setupModelService({
        providers: { a: [respondJson({ error }, status)], b: [respondJson()] },
      });

      const problem = await expectProblem(await complete(), code);

      expect(problem).toMatchObject({ param: 'top_k', retryable: false });
      expect(problem.detail).toContain('bad …');
      expect(requestsOf('b')).toEqual([]);
    },
  );
});

describe('a request for which all providers failed', () => {
  it('7.4: gets provider_unavailable', async () => {
    const { complete, logLines } = await setupModelService({
      providers: { a: [unavailable], b: [closeConnection] },
    });

    const problem = await expectProblem(await complete(), 'provider_unavailable');

    expect(problem.retryable).toBe(true);
    expect(logLines.filter((line) => line.includes('model provider failed'))).toHaveLength(2);
  });

  it('7.4: gets UPSTREAM_ERROR if the responses are invalid', async () => {
    const { complete } = await setupModelService({ providers: { a: [respondJson('{')] } });

    await expectProblem(await complete(), 'UPSTREAM_ERROR');
  });

  it('7.1: gets a 504 if no provider responds in time', async () => {
    const { complete, requestsOf, clock } = await setupModelService({
      providers: { a: [hang] },
      providerSettings: { a: { first_event_timeout_ms: 5000 } },
    });

    const responding = complete();
    await expect.poll(() => requestsOf('a').length).toBe(1);
    clock.advance(5000);

    await expectProblem(await responding, 'UPSTREAM_TIMEOUT');
  });

  it('8.3.4: gets a 429 with the shortest Retry-After if providers limit the rate of requests', async () => {
    const { complete } = await setupModelService({
      providers: {
        a: [throttled({ 'retry-after': '40' })],
        b: [throttled({ 'retry-after': '7' })],
        c: [unavailable],
      },
    });

    const response = await complete();

    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('x-service-problem-origin')).toBe('upstream_provider');
    const problem = await expectProblem(response, 'RATE_LIMITED');
    expect(problem).toMatchObject({ kind: 'rate_limit', scope: 'model' });
    expect(problem.details).toBeUndefined();
  });

  it('gets UPSTREAM_ERROR if a response is larger than the limit', async () => {
    const { complete } = await setupModelService({
      providers: { a: [respondJson({ choices: [], padding: 'x'.repeat(5000) })] },
      config: { limits: { request: { model_response_bytes: 4096 } } },
    });

    await expectProblem(await complete(), 'UPSTREAM_ERROR');
  });
});

describe('a client that disconnects', () => {
  it('aborts the request to the provider, and no other provider is tried', async () => {
    const { complete, requestsOf } = await setupModelService({
      providers: { a: [hang], b: [respondJson()] },
    });
    const controller = new AbortController();

    const responding = complete({}, { signal: controller.signal });
    await expect.poll(() => requestsOf('a').length).toBe(1);
    controller.abort();

    await expect(responding).rejects.toThrow();
    await requestsOf('a')[0]?.disconnected;
    expect(requestsOf('b')).toEqual([]);
  });
});
