import { describe, expect, it } from 'vitest';
import { chunk, done, finish, stream, streamThenHang, usage } from '../testing/chat-endpoint.ts';
import {
  completion,
  expectProblem,
  messages,
  respondJson,
  setupModelService,
} from '../testing/setup-model-service.ts';
import { testBaseUrl } from '../testing/setup-server.ts';

const minute = 60_000;
const usageOf = (prompt_tokens: number, completion_tokens: number) =>
  respondJson({ ...completion, usage: { prompt_tokens, completion_tokens } });

describe('requests per minute of a model', () => {
  it('8.3.2: cause a 429 `rate_limit_error` with `Retry-After: 60` when they exceed the limit', async () => {
    const { complete, requestsOf } = await setupModelService({ model: { requests_per_minute: 2 } });

    await complete();
    await complete();
    const response = await complete();

    expect(response.headers.get('retry-after')).toBe('60');
    expect(response.headers.get('x-service-problem-scope')).toBe('model');
    expect(await expectProblem(response, 'RATE_LIMITED')).toMatchObject({
      type: `${testBaseUrl}/problems/rate_limit_error`,
      kind: 'rate_limit',
      scope: 'model',
      retryable: true,
      details: { rateLimit: { type: 'requests_per_minute', current: 2, limit: 2 } },
    });
    expect(requestsOf('a')).toHaveLength(2);
  });

  it('8.3.2: are admitted again a minute later', async () => {
    const { complete, clock } = await setupModelService({ model: { requests_per_minute: 1 } });

    await complete();
    clock.advance(minute - 1);
    const early = await complete();
    clock.advance(1);
    const late = await complete();

    expect([early.status, late.status]).toEqual([429, 200]);
  });

  it('8.3.1: are unlimited if the limit is 0', async () => {
    const { complete } = await setupModelService({ model: { requests_per_minute: 0 } });

    const responses = await Promise.all(Array.from({ length: 20 }, () => complete()));

    expect(responses.every(({ status }) => status === 200)).toBe(true);
  });

  it('8.1: are counted for each model separately', async () => {
    const provider = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };
    const { post, backend } = await setupModelService({
      config: {
        prices: {},
        models: ['x', 'y'].map((id) => ({ id, providers: [provider], requests_per_minute: 1 })),
      },
    });
    const statusOf = async (model: string) => (await post({ model, messages })).status;

    expect([await statusOf('x'), await statusOf('y'), await statusOf('x')]).toEqual([
      200, 200, 429,
    ]);
    expect((await backend('GET', '/model/v1/models')).status).toBe(200);
  });
});

describe('the problem pages', () => {
  it('7.2: include `rate_limit_error` and `budget_error`', async () => {
    const { url } = await setupModelService();

    for (const name of ['rate_limit_error', 'budget_error']) {
      expect((await fetch(`${url}/problems/${name}`)).status).toBe(200);
    }
  });
});

describe('tokens per minute of a model', () => {
  it('8.3.2: include reported input and output, and cause a 429 `rate_limit_error` above the limit', async () => {
    const { complete, clock } = await setupModelService({
      providers: { a: [usageOf(600, 500)] },
      model: { tokens_per_minute: 1000 },
    });

    const first = await complete();
    const refused = await complete();
    clock.advance(minute);
    const later = await complete();

    expect([first.status, later.status]).toEqual([200, 200]);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(await expectProblem(refused, 'RATE_LIMITED')).toMatchObject({
      type: `${testBaseUrl}/problems/rate_limit_error`,
      details: { rateLimit: { type: 'tokens_per_minute', current: 1100, limit: 1000 } },
    });
  });

  it('8.3.2: cause a 429 before the request is forwarded if its input alone exceeds the limit', async () => {
    const { complete, requestsOf } = await setupModelService({
      model: { tokens_per_minute: 1000 },
    });

    const response = await complete({ messages: [{ role: 'user', content: 'a'.repeat(5000) }] });

    await expectProblem(response, 'RATE_LIMITED');
    expect(requestsOf('a')).toEqual([]);
  });

  it('8.3.2: exclude requests that the limit of requests per minute refuses', async () => {
    const { complete } = await setupModelService({
      providers: { a: [usageOf(1, 1)] },
      model: { tokens_per_minute: 100, requests_per_minute: 1 },
    });
    const exceededLimits = new Set<string>();

    await complete();
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const { details } = (await (await complete()).json()) as {
        details: { rateLimit: { type: string } };
      };
      exceededLimits.add(details.rateLimit.type);
    }

    expect(exceededLimits).toEqual(new Set(['requests_per_minute']));
  });

  it('8.3.2: include the tokens of a stream from which the client disconnects', async () => {
    const { complete, requestsOf } = await setupModelService({
      providers: { a: [streamThenHang(chunk({ content: 'a'.repeat(8000) }))] },
      model: { tokens_per_minute: 1000 },
    });

    const response = await complete({ stream: true });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    await requestsOf('a')[0]?.disconnected;

    await expect.poll(async () => (await complete({ stream: true })).status).toBe(429);
  });
});

describe('the monthly budget of a model', () => {
  // Each response costs 2 cents.
  const budget = { model: { budget_cents_per_month: 2 } };

  it('8.3.5: causes a 429 `budget_error` (QUOTA_EXHAUSTED) without `Retry-After` when it is used up', async () => {
    const { complete, requestsOf } = await setupModelService(budget);

    await complete();
    const response = await complete();

    expect(response.headers.get('retry-after')).toBeNull();
    expect(await expectProblem(response, 'QUOTA_EXHAUSTED')).toMatchObject({
      type: `${testBaseUrl}/problems/budget_error`,
      status: 429,
      retryable: false,
    });
    expect(requestsOf('a')).toHaveLength(1);
  });

  it('8.3.5: is reset at the start of the next UTC month', async () => {
    const { complete, clock } = await setupModelService(budget);

    await complete();
    clock.advance(Date.UTC(2026, 1, 1) - clock.now() - 1);
    const before = await complete();
    clock.advance(1);
    const after = await complete();

    expect([before.status, after.status]).toEqual([429, 200]);
  });

  it('8.3.5: includes the cost of streams', async () => {
    const { complete } = await setupModelService({
      ...budget,
      providers: { a: [stream(chunk({ content: 'x' }), finish(), usage(1000, 500), done)] },
    });

    await (await complete({ stream: true })).text();

    await expect.poll(async () => (await complete({ stream: true })).status).toBe(429);
  });

  it('8.3.5: is shared by all processes through the store', async () => {
    const first = await setupModelService(budget);
    await first.complete();

    const second = await setupModelService({ ...budget, sharedStore: first.store, seed: 'other' });

    expect((await second.complete()).status).toBe(429);
  });
});
