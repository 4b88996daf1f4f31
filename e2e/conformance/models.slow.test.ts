/** Rules 4.12 and 8.3, and the codes of 7.4 that concern models (docs/conformance.md). */
import { expect, it } from 'vitest';
import { eventReader } from './setup/event-reader.ts';
import { completeChat, completion, startModelServer, upstreamKey } from './setup/model-server.ts';
import { expectProblem, startReferenceServer } from './setup/server.ts';
import { neverRespond, respondWithError, respondWithJson } from './setup/upstream.ts';

const modelsPath = '/model/v1/models';
const ownKey = { 'x-upstream-api-key': 'sk-of-the-caller' };

it('4.12 GET /model/v1/models needs no key, but a wrong key gets 401', async () => {
  const { request, as } = await startReferenceServer();

  expect((await request('GET', modelsPath)).status).toBe(200);
  expectProblem(await as('sk-service-wrong')('GET', modelsPath), 401, 'AUTHENTICATION_ERROR');
});

it('4.12 a model has `supported_apis`, and the price of a second of video', async () => {
  const { request } = await startModelServer({
    model: { supported_apis: ['chat_completions', 'videos'] },
    config: { prices: { m: { video_second_cents: 5 } } },
  });

  const { body } = await request('GET', modelsPath);

  expect(body.data).toMatchObject([
    {
      id: 'm',
      supported_apis: ['chat_completions', 'videos'],
      pricing: { video_second: 0.05 },
    },
  ]);
});

it('4.12 a chat completion has all documented members', async () => {
  const { complete } = await startModelServer();

  const { status, body } = await complete();

  expect(status).toBe(200);
  expect(body).toMatchObject({
    choices: [
      {
        finish_reason: 'stop',
        index: 0,
        logprobs: null,
        message: { role: 'assistant', content: 'Hello!' },
      },
    ],
    created: 1_700_000_000,
    id: expect.any(String),
    model: expect.any(String),
    object: 'chat.completion',
    service_tier: null,
    system_fingerprint: null,
  });
});

it('4.12 `usage` has the tokens, the cost, its details, and whether the caller sent a key', async () => {
  const { complete } = await startModelServer();

  const { body } = await complete();

  // 1000 input tokens at 10 dollars a million, and 500 output tokens at 20 dollars a million.
  expect(body.usage).toMatchObject({
    completion_tokens: 500,
    completion_tokens_details: null,
    cost: 0.02,
    cost_details: { prompt_cost: 0.01, completion_cost: 0.01 },
    is_byok: false,
  });
});

it('4.12 `router_metadata` reports how the request was routed', async () => {
  const { complete } = await startModelServer({
    providers: { a: respondWithError(503), b: completeChat },
  });

  const { body } = await complete();

  expect(body.router_metadata).toEqual({
    attempt: 2,
    attempts: [
      expect.objectContaining({ provider: 'a', status: 503 }),
      expect.objectContaining({ provider: 'b', status: 200 }),
    ],
    endpoints: expect.any(Object),
    generation_time: expect.any(Number),
    is_byok: false,
    params: {},
    pipeline: expect.any(Array),
    region: null,
    requested: 'm',
    strategy: expect.any(String),
    summary: expect.any(String),
  });
});

it('4.12 the scripted model completes chats without an upstream', async () => {
  const scripted = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };
  const { complete } = await startModelServer({ model: { providers: [scripted] } });

  const { status, body } = await complete();

  expect(status).toBe(200);
  expect(body.choices[0].message.content).toEqual(expect.any(String));
});

it('1.1 with `stream`, a chat completion is a stream of server-sent events', async () => {
  const script = [{ say: 'Hello' }];
  const scripted = { provider: 'scripted' as const, script, delay_ms: 0, first_delay_ms: 0 };
  const { send } = await startModelServer({ model: { providers: [scripted] } });

  const response = await send({ stream: true });

  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const data = (await response.text()).split(/^data: /m).map((text) => text.trim());
  expect(data.at(-1)).toBe('[DONE]');
  const chunks = data.slice(1, -1).map((text) => JSON.parse(text));
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  expect(text).toBe('Hello');
});

it('7.4 an unknown model gets 404 MODEL_NOT_FOUND', async () => {
  const { complete } = await startModelServer();

  expectProblem(await complete({ model: 'none' }), 404, 'MODEL_NOT_FOUND');
});

it('7.4 a chat completion of a model without chat completions gets 404 MODEL_PROTOCOL_NOT_OFFERED', async () => {
  const { complete } = await startModelServer({ model: { supported_apis: ['embeddings'] } });

  expectProblem(await complete(), 404, 'MODEL_PROTOCOL_NOT_OFFERED');
});

it('7.4 a model without an enabled provider gets 503 MODEL_PROTOCOL_LINE_UNAVAILABLE', async () => {
  const scripted = { provider: 'scripted' as const, enabled: false };
  const { complete } = await startModelServer({ model: { providers: [scripted] } });

  const reply = await complete();

  expectProblem(reply, 503, 'MODEL_PROTOCOL_LINE_UNAVAILABLE');
  expect(reply.body.retryable).toBe(true);
});

it('7.4 input of a kind that the model does not support gets 400 INPUT_NOT_REPRESENTABLE', async () => {
  const scripted = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };
  const { complete } = await startModelServer({ model: { providers: [scripted] } });
  const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };

  const reply = await complete({ messages: [{ role: 'user', content: [audio] }] });

  expectProblem(reply, 400, 'INPUT_NOT_REPRESENTABLE');
});

it('7.4 an invalid response of the provider gets 502 UPSTREAM_ERROR', async () => {
  const { complete } = await startModelServer({ providers: { a: respondWithJson({ ok: true }) } });

  expectProblem(await complete(), 502, 'UPSTREAM_ERROR');
});

it('7.4 a request for which all providers fail gets 502 provider_unavailable', async () => {
  const { complete } = await startModelServer({
    providers: { a: respondWithError(503), b: respondWithError(500) },
  });

  expectProblem(await complete(), 502, 'provider_unavailable');
});

it('7.4 `order` or `only` without a key of the caller gets 403 PROVIDER_SELECTION_NOT_ALLOWED', async () => {
  const { complete } = await startModelServer();

  for (const provider of [{ order: ['a'] }, { only: ['a'] }]) {
    expectProblem(await complete({ provider }), 403, 'PROVIDER_SELECTION_NOT_ALLOWED');
    expect((await complete({ provider }, ownKey)).status).toBe(200);
  }
});

it('7.4 disabling the thinking of a model that always thinks gets 400 thinking_disable_unsupported', async () => {
  const { complete } = await startModelServer({ model: { can_disable_thinking: false } });

  const reply = await complete({ reasoning_effort: 'none' });

  expectProblem(reply, 400, 'thinking_disable_unsupported');
});

it('7.4 a `response_format` that the model does not support gets 400 validation_error', async () => {
  const { complete } = await startModelServer({
    model: { response_formats: ['text', 'json_object'] },
  });
  const schema = { type: 'json_schema', json_schema: { name: 's', schema: {} } };

  expectProblem(await complete({ response_format: schema }), 400, 'validation_error');
  expect((await complete({ response_format: { type: 'json_object' } })).status).toBe(200);
});

it('7.4 an unsupported parameter gets 400 validation_error with its name if `require_parameters` is true', async () => {
  const { complete } = await startModelServer({
    model: { supported_parameters: ['temperature'] },
  });

  const reply = await complete({ top_k: 5, provider: { require_parameters: true } });

  expectProblem(reply, 400, 'validation_error');
  expect(reply.body.param).toBe('top_k');
  expect((await complete({ top_k: 5 })).status).toBe(200);
});

it('7.4 an account without money gets 402 INSUFFICIENT_BALANCE', async () => {
  const { complete } = await startModelServer({ providers: { a: respondWithError(402) } });

  expectProblem(await complete({}, ownKey), 402, 'INSUFFICIENT_BALANCE');
});

it('7.4 a malformed parameter gets 400 VALIDATION_ERROR with the name of the field', async () => {
  const { complete } = await startModelServer();

  const reply = await complete({ temperature: 9 });

  expectProblem(reply, 400, 'VALIDATION_ERROR');
  expect(reply.body.errors).toMatchObject([{ pointer: '/temperature' }]);
});

it('8.3.1 the metadata of a model have its limits; 0 means unlimited', async () => {
  const limited = await startModelServer({
    model: { requests_per_minute: 3, tokens_per_minute: 5000 },
  });
  const unlimited = await startModelServer();

  const limitsOf = async ({ request }: typeof limited) =>
    (await request('GET', modelsPath)).body.data[0].rate_limits;

  expect(await limitsOf(limited)).toEqual({ requests_per_minute: 3, tokens_per_minute: 5000 });
  expect(await limitsOf(unlimited)).toEqual({ requests_per_minute: 0, tokens_per_minute: 0 });
  const replies = await Promise.all(Array.from({ length: 10 }, () => unlimited.complete()));
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
});

it('8.3.2 too many requests in a minute get 429 `rate_limit_error` with `Retry-After: 60`', async () => {
  const { complete, clock } = await startModelServer({ model: { requests_per_minute: 1 } });
  await complete();

  const refused = await complete();
  clock.advance(60_000);

  expectProblem(refused, 429, 'RATE_LIMITED');
  expect(refused.body.type).toMatch(/\/rate_limit_error$/);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(refused.body.details.rateLimit).toMatchObject({ current: 1, limit: 1 });
  expect((await complete()).status).toBe(200);
});

it('8.3.2 too many tokens in a minute get 429 `rate_limit_error` with the used and the allowed tokens', async () => {
  const { complete, clock } = await startModelServer({ model: { tokens_per_minute: 1200 } });
  await complete();

  const refused = await complete();
  clock.advance(60_000);

  expectProblem(refused, 429, 'RATE_LIMITED');
  expect(refused.body.type).toMatch(/\/rate_limit_error$/);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(refused.body.details.rateLimit).toMatchObject({ current: 1500, limit: 1200 });
  expect((await complete()).status).toBe(200);
});

it('8.1, 8.3.2 a 429 of a model has the scope `model`; other models are not affected', async () => {
  const scripted = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };
  const one = { providers: [scripted], requests_per_minute: 1 };
  const { complete } = await startModelServer({
    config: {
      prices: {},
      models: [
        { id: 'm', ...one },
        { id: 'n', ...one },
      ],
    },
  });
  await complete();

  const refused = await complete();

  expect(refused.body).toMatchObject({ kind: 'rate_limit', scope: 'model' });
  expect(refused.headers.get('x-service-problem-scope')).toBe('model');
  expect((await complete({ model: 'n' })).status).toBe(200);
});

it('8.3.3 requests with a key of the caller do not count against the limits of the model', async () => {
  const { complete, requestsOf } = await startModelServer({ model: { requests_per_minute: 1 } });

  const replies = [await complete({}, ownKey), await complete({}, ownKey), await complete()];

  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(replies.map(({ body }) => body.usage.is_byok)).toEqual([true, true, false]);
  expect(requestsOf('a').map(({ headers }) => headers.authorization)).toEqual([
    'Bearer sk-of-the-caller',
    'Bearer sk-of-the-caller',
    `Bearer ${upstreamKey}`,
  ]);
});

it('8.3.4 if a provider is throttled, the next provider is tried', async () => {
  const { complete, requestsOf } = await startModelServer({
    providers: { a: respondWithError(429), b: completeChat },
  });

  expect((await complete()).status).toBe(200);
  expect([requestsOf('a').length, requestsOf('b').length]).toEqual([1, 1]);
});

it('8.3.4 if all providers are throttled, their 429 is returned', async () => {
  const throttled = respondWithError(429, { 'retry-after': '7' });
  const { complete } = await startModelServer({ providers: { a: throttled, b: throttled } });

  const reply = await complete();

  expectProblem(reply, 429, 'RATE_LIMITED');
  expect(reply.headers.get('retry-after')).toBe('7');
  expect(reply.headers.get('x-service-problem-origin')).toBe('upstream_provider');
});

it('7.4, 8.3.5 an exhausted monthly budget gets 429 `budget_error` without `Retry-After`', async () => {
  const { complete, clock } = await startModelServer({ model: { budget_cents_per_month: 2 } });
  await complete();

  const refused = await complete();

  expectProblem(refused, 429, 'QUOTA_EXHAUSTED');
  expect(refused.body.type).toMatch(/\/budget_error$/);
  expect(refused.headers.get('retry-after')).toBeNull();
  clock.advance(3_600_000);
  expectProblem(await complete(), 429, 'QUOTA_EXHAUSTED');
  clock.advance(Date.UTC(2026, 1, 1) - clock.now());
  expect((await complete()).status).toBe(200);
});

it('7.1 a request that a provider rejects as unprocessable gets 422', async () => {
  const { complete } = await startModelServer({ providers: { a: respondWithError(422) } });

  const reply = await complete();

  expect([reply.status, reply.body.retryable]).toEqual([422, false]);
});

it('7.1 providers that fail cause 502, and the request can be repeated', async () => {
  const { complete } = await startModelServer({ providers: { a: respondWithError(500) } });

  const reply = await complete();

  expect([reply.status, reply.body.retryable]).toEqual([502, true]);
});

it('7.1 providers that do not respond in time cause 504', async () => {
  const { complete, requestsOf, clock } = await startModelServer({
    providers: { a: neverRespond },
  });
  const responding = complete();
  await expect.poll(() => requestsOf('a').length).toBe(1);

  clock.advance(120_000);
  const reply = await responding;

  expect([reply.status, reply.body.retryable]).toEqual([504, true]);
});

it('4.12 the last event of a stream that breaks is a problem', async () => {
  const { send } = await startModelServer({
    providers: {
      a: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const choices = [{ index: 0, delta: { content: 'x' }, finish_reason: null }];
        response.write(`data: ${JSON.stringify({ ...completion, choices })}\n\n`);
        setImmediate(() => response.destroy());
      },
    },
  });

  const events = await eventReader(await send({ stream: true })).until(null);

  expect(events.at(-1)).toMatchObject({ error: { code: 'UPSTREAM_ERROR', status: 502 } });
});
