import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPlatformClient, type PlatformClient } from './platform-client.ts';
import {
  createStubbedClient,
  json,
  problem,
  type Responder,
  rejectionOf,
  startStubPlatform,
  truncatedJson,
} from './testing/stub-platform.ts';

const issued = { id: 'emb_1', token: 'et_secret', expires_at: '2026-01-01T00:00:00.000Z' };

describe('the platform client', () => {
  it('retries an issuance that is rejected with a 429', async () => {
    const { platform, requests } = await createStubbedClient([
      { status: 429, body: problem('RATE_LIMITED', 429, true), headers: { 'retry-after': '0' } },
      { status: 200, body: issued },
    ]);

    const result = await platform.embedTokens.issue({ agent: 'demo', external_user_id: 'ada' });

    expect(result.id).toBe('emb_1');
    expect(requests).toHaveLength(2);
  });

  it('retries an issuance that is rejected with a 503 and a past date in Retry-After', async () => {
    const inThePast = 'Thu, 01 Jan 2026 00:00:00 GMT';
    const { platform, requests } = await createStubbedClient([
      {
        status: 503,
        body: problem('SERVICE_UNAVAILABLE', 503, true),
        headers: { 'retry-after': inThePast },
      },
      { status: 200, body: issued },
    ]);

    await platform.embedTokens.issue({ agent: 'demo', external_user_id: 'ada' });

    expect(requests).toHaveLength(2);
  });

  it('rejects an issuance if Retry-After is longer than its timeout', async () => {
    const { platform, requests } = await createStubbedClient([
      { status: 429, body: problem('RATE_LIMITED', 429, true), headers: { 'retry-after': '60' } },
    ]);

    const error = await rejectionOf(
      platform.embedTokens.issue({ agent: 'demo', external_user_id: 'ada' }),
    );

    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterSeconds: 60 });
    expect(error.message).toContain('requests a wait of 60 seconds');
    expect(requests).toHaveLength(1);
  });

  it('does not retry an issuance that may have succeeded', async () => {
    const { platform, requests } = await createStubbedClient([
      { status: 502, body: problem('UPSTREAM_ERROR', 502, true) },
    ]);

    const error = await rejectionOf(
      platform.embedTokens.issue({ agent: 'demo', external_user_id: 'ada' }),
    );

    expect(error.code).toBe('UPSTREAM_ERROR');
    expect(requests).toHaveLength(1);
  });

  it('retries an idempotent call at most maxRetries times', async () => {
    const { platform, requests } = await createStubbedClient(
      [
        {
          status: 503,
          body: problem('SERVICE_UNAVAILABLE', 503, true),
          headers: { 'retry-after': '0' },
        },
      ],
      { maxRetries: 3 },
    );

    const error = await rejectionOf(platform.embedTokens.list());

    expect(error.code).toBe('SERVICE_UNAVAILABLE');
    expect(requests).toHaveLength(4);
  });

  it('retries an idempotent call if the connection closes in the middle of the response', async () => {
    const page = { data: [], next_cursor: null, next_page: null };
    const { baseUrl, requests } = await startStubPlatform(truncatedJson(page), json(page));
    const platform = createPlatformClient({ baseUrl, apiKey: 'sk-service-test' });

    expect(await platform.embedTokens.list()).toEqual(page);
    expect(requests).toHaveLength(2);
  });

  it.each([0, 2])(
    'rejects an idempotent call after %d retries if each response ends early',
    async (maxRetries) => {
      const { baseUrl, requests } = await startStubPlatform(truncatedJson({ data: [] }));
      const platform = createPlatformClient({ baseUrl, apiKey: 'sk-service-test', maxRetries });

      const error = await rejectionOf(platform.embedTokens.list());

      expect(error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true });
      expect(requests).toHaveLength(maxRetries + 1);
    },
  );

  it('rejects with TIMEOUT if the response starts, but does not end in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { baseUrl } = await startStubPlatform((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    });
    const platform = createPlatformClient({
      baseUrl,
      apiKey: 'sk-service-test',
      fetch: async (...parameters) => {
        const response = await fetch(...parameters);
        setImmediate(() => vi.advanceTimersByTime(10_000));
        return response;
      },
    });

    const error = await rejectionOf(
      platform.embedTokens.issue({ agent: 'demo', external_user_id: 'ada' }),
    );

    expect(error).toMatchObject({ code: 'TIMEOUT', retryable: true });
  });

  it('does not repeat a deletion if the connection closes in the middle of the response', async () => {
    const { baseUrl, requests } = await startStubPlatform(truncatedJson({ id: 'db_1' }));
    const platform = createPlatformClient({ baseUrl, apiKey: 'sk-service-test' });

    const error = await rejectionOf(platform.databases.delete('db_1'));

    expect(error.code).toBe('NETWORK_ERROR');
    expect(requests).toHaveLength(1);
  });

  it('rejects a call without a retry if Retry-After is longer than 30 seconds', async () => {
    const { platform, requests } = await createStubbedClient([
      { status: 429, body: problem('RATE_LIMITED', 429, true), headers: { 'retry-after': '31' } },
    ]);

    const error = await rejectionOf(platform.embedTokens.list());

    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 31 });
    expect(requests).toHaveLength(1);
  });

  it.each([429, 502, 503])(
    'retries an idempotent call after a %d of a proxy, without a problem body',
    async (status) => {
      const { platform, requests } = await createStubbedClient([
        { status, body: '<html>', headers: { 'retry-after': '0' } },
        { status: 200, body: { data: [], next_cursor: null, next_page: null } },
      ]);

      await platform.embedTokens.list();

      expect(requests).toHaveLength(2);
    },
  );

  it.each([502, 503])(
    'retries an idempotent call after a %d even if its problem has `retryable: false`',
    async (status) => {
      const { platform, requests } = await createStubbedClient([
        { status, body: problem('UPSTREAM_ERROR', status, false), headers: { 'retry-after': '0' } },
        { status: 200, body: { data: [], next_cursor: null, next_page: null } },
      ]);

      await platform.embedTokens.list();

      expect(requests).toHaveLength(2);
    },
  );

  it('does not retry a call after a 429 for a used-up budget', async () => {
    const { platform, requests } = await createStubbedClient([
      { status: 429, body: problem('QUOTA_EXHAUSTED', 429, false) },
    ]);

    const error = await rejectionOf(platform.embedTokens.list());

    expect(error).toMatchObject({ code: 'QUOTA_EXHAUSTED', retryable: false });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['with a problem body', problem('not_implemented', 501, true)],
    ['without a problem body', '<html>'],
  ])('does not retry a call after a 501 %s', async (_, body) => {
    const { platform, requests } = await createStubbedClient([{ status: 501, body }]);

    const error = await rejectionOf(platform.embedTokens.list());

    expect(error).toMatchObject({ status: 501, retryable: false });
    expect(requests).toHaveLength(1);
  });
});

/** Starts a completion, and returns a function that aborts it. */
function startCompletion(platform: PlatformClient): () => void {
  const controller = new AbortController();
  platform.chatCompletions
    .create({ model: 'm', messages: [] }, { signal: controller.signal })
    .catch(() => {});
  return () => controller.abort();
}

describe('token issuances during another call with a 429', () => {
  const request = { agent: 'demo', external_user_id: 'ada' };
  const page = { data: [], next_cursor: null, next_page: null };

  async function setup(...completions: Responder[]) {
    const { baseUrl, requests } = await startStubPlatform((response) => {
      if (response.req.url === '/model/v1/chat/completions') completions.shift()?.(response);
      else json(response.req.method === 'GET' ? page : issued)(response);
    });
    const platform = createPlatformClient({ baseUrl, apiKey: 'sk-service-test' });
    return { platform, count: (path: string) => requests.filter(({ url }) => url === path).length };
  }

  it('wait while the other call waits for the rate limit', async () => {
    const { platform, count } = await setup(
      json({ ...problem('RATE_LIMITED', 429, true), scope: 'platform' }, 429, {
        'retry-after': '20',
      }),
    );
    const abort = startCompletion(platform);
    await expect.poll(() => count('/model/v1/chat/completions')).toBe(1);
    // The client has received the 429 before the last of these responses.
    for (let index = 0; index < 20; index += 1) await platform.agents.list();

    const issuing = platform.embedTokens.issue(request);
    // Each of these requests takes as long as an issuance.
    for (let index = 0; index < 20; index += 1) await platform.agents.list();

    expect(count('/agent/v1/embed_tokens')).toBe(0);
    abort();
    expect(await issuing).toEqual(issued);
  });

  it('start when the other call is retried, however long its response takes', async () => {
    const { platform, count } = await setup(
      json(problem('RATE_LIMITED', 429, true), 429, { 'retry-after': '0' }),
      () => {},
    );
    const abort = startCompletion(platform);
    await expect.poll(() => count('/model/v1/chat/completions')).toBe(2);

    expect(await platform.embedTokens.issue(request)).toEqual(issued);
    abort();
  });

  it('do not wait for the rate limit of a model, which does not count them', async () => {
    const { platform, count } = await setup(
      json({ ...problem('RATE_LIMITED', 429, true), scope: 'model' }, 429, { 'retry-after': '20' }),
    );
    const abort = startCompletion(platform);
    await expect.poll(() => count('/model/v1/chat/completions')).toBe(1);
    // The client has received the 429 before the last of these responses.
    for (let index = 0; index < 20; index += 1) await platform.agents.list();

    expect(await platform.embedTokens.issue(request)).toEqual(issued);
    abort();
  });
});
