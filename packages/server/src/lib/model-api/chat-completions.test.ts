import { ChatCompletion } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import {
  completion,
  expectProblem,
  messages,
  respondJson,
  setupModelService,
} from '../testing/setup-model-service.ts';
import { testBaseUrl, upstreamKey } from '../testing/setup-server.ts';

const callerKey = 'sk-of-the-caller';
const withCallerKey = { headers: { 'x-upstream-api-key': callerKey } };

describe('POST /model/v1/chat/completions', () => {
  it('4.12: responds with the completion, its usage and its routing report', async () => {
    const { complete } = await setupModelService();

    const response = await complete();

    expect(response.status).toBe(200);
    const body = ChatCompletion.parse(await response.json());
    expect(body).toEqual({
      ...completion,
      choices: [{ ...completion.choices[0], logprobs: null }],
      service_tier: null,
      system_fingerprint: null,
      usage: {
        ...completion.usage,
        completion_tokens_details: null,
        // A million input tokens cost 10, and a million output tokens 20.
        cost: 0.02,
        cost_details: { prompt_cost: 0.01, completion_cost: 0.01 },
        is_byok: false,
      },
      router_metadata: {
        attempt: 1,
        attempts: [{ provider: 'a', status: 200, error: null, duration: 0 }],
        endpoints: { total: 1, available: [{ provider: 'a', selected: true }] },
        generation_time: 0,
        is_byok: false,
        params: {},
        pipeline: ['check', 'limit', 'route', 'forward'],
        region: null,
        requested: 'm',
        strategy: 'direct',
        summary: 'available=1, selected=a',
      },
    });
  });

  it('4.12: returns costs without floating-point errors', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 6 };
    const { complete } = await setupModelService({
      providers: { a: [respondJson({ ...completion, usage })] },
      config: { prices: { m: { input_cents_per_million: 100, output_cents_per_million: 100 } } },
    });

    const body = ChatCompletion.parse(await (await complete()).json());

    expect(body.usage).toMatchObject({
      cost: 0.000009,
      cost_details: { prompt_cost: 0.000003, completion_cost: 0.000006 },
    });
  });

  it('4.12: forwards the body with unknown members, and with the model name of the provider', async () => {
    const { complete, requestsOf } = await setupModelService();

    await complete({
      temperature: 0.5,
      logprobs: true,
      n: 2,
      response_format: { type: 'json_schema', json_schema: { name: 's', schema: {} } },
      vendor_option: { nested: [1, null] },
      provider: { require_parameters: false },
    });

    expect(requestsOf('a')[0]?.body).toEqual({
      model: 'model-of-a',
      messages,
      temperature: 0.5,
      logprobs: true,
      n: 2,
      response_format: { type: 'json_schema', json_schema: { name: 's', schema: {} } },
      vendor_option: { nested: [1, null] },
    });
  });

  it('5.1: sends the provider’s credential to the provider, but not to the client', async () => {
    const { complete, requestsOf } = await setupModelService();

    const text = await (await complete()).text();

    expect(requestsOf('a')[0]?.authorization).toBe(`Bearer ${upstreamKey}`);
    expect(text).not.toContain(upstreamKey);
  });

  it('4.12: estimates the usage that a provider does not report', async () => {
    const { complete } = await setupModelService({
      providers: { a: [respondJson({ ...completion, usage: undefined })] },
    });

    const { usage } = ChatCompletion.parse(await (await complete()).json());

    expect(usage.prompt_tokens).toBeGreaterThan(0);
    // `Hello!` has six characters, which are estimated as two tokens.
    expect(usage.completion_tokens).toBe(2);
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
  });

  it('5.4: requires an API key', async () => {
    const { complete, requestsOf } = await setupModelService();

    const response = await complete({}, { headers: { authorization: '' } });

    await expectProblem(response, 'AUTHENTICATION_ERROR');
    expect(requestsOf('a')).toEqual([]);
  });

  it('4.7: responds to an embed token with 404', async () => {
    const { complete, issue } = await setupModelService();
    const { token } = await issue();

    const response = await complete({}, { headers: { authorization: `Bearer ${token}` } });

    await expectProblem(response, 'NOT_FOUND');
  });

  it.each([
    ['no model', { model: undefined }, '/model'],
    ['no messages', { messages: undefined }, '/messages'],
    ['an empty list of messages', { messages: [] }, '/messages'],
    ['a message without a role', { messages: [{}] }, '/messages/0/role'],
    ['a temperature above 2', { temperature: 2.5 }, '/temperature'],
    ['n of 0', { n: 0 }, '/n'],
    ['stream as a text', { stream: 'yes' }, '/stream'],
    ['an unknown preference', { provider: { sort: 'price' } }, '/provider'],
  ])('7.1: responds with a JSON Pointer to the invalid field: %s', async (_, fields, pointer) => {
    const { complete, requestsOf } = await setupModelService();

    const problem = await expectProblem(await complete(fields), 'VALIDATION_ERROR');

    expect(problem.errors?.[0]?.pointer).toBe(pointer);
    expect(requestsOf('a')).toEqual([]);
  });

  it('8.3: accepts a body up to `model_json_bytes`, even above the limit of other services', async () => {
    const { complete } = await setupModelService({
      config: { limits: { request: { model_json_bytes: 3_000_000 } } },
    });
    const withImage = (size: number) => ({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(size)}` } },
          ],
        },
      ],
    });

    expect((await complete(withImage(2_500_000))).status).toBe(200);
    await expectProblem(await complete(withImage(3_000_001)), 'PAYLOAD_TOO_LARGE');
  });
});

describe('an unsupported chat completion', () => {
  it('7.4: gets MODEL_NOT_FOUND for an unknown model', async () => {
    const { post } = await setupModelService();

    const problem = await expectProblem(await post({ model: 'x', messages }), 'MODEL_NOT_FOUND');

    expect(problem.param).toBe('model');
  });

  it('7.4: gets MODEL_PROTOCOL_NOT_OFFERED for a model without chat completions', async () => {
    const { complete } = await setupModelService({ model: { supported_apis: ['embeddings'] } });

    const problem = await expectProblem(await complete(), 'MODEL_PROTOCOL_NOT_OFFERED');

    expect(problem.detail).toContain('`embeddings`');
  });

  it('7.4: gets MODEL_PROTOCOL_LINE_UNAVAILABLE if no provider is enabled', async () => {
    const { complete } = await setupModelService({ providerSettings: { a: { enabled: false } } });

    const problem = await expectProblem(await complete(), 'MODEL_PROTOCOL_LINE_UNAVAILABLE');

    expect(problem.retryable).toBe(true);
  });

  it('7.4: gets thinking_disable_unsupported for a model that always thinks', async () => {
    const { complete } = await setupModelService({ model: { can_disable_thinking: false } });

    expect((await complete({ reasoning_effort: 'low' })).status).toBe(200);
    const problem = await expectProblem(
      await complete({ reasoning_effort: 'none' }),
      'thinking_disable_unsupported',
    );
    expect(problem).toMatchObject({ retryable: false, param: 'reasoning_effort' });
  });

  it('7.4: gets validation_error for a response format that the model does not support', async () => {
    const { complete } = await setupModelService({
      model: { response_formats: ['text', 'json_object'] },
    });

    expect((await complete({ response_format: { type: 'json_object' } })).status).toBe(200);
    const problem = await expectProblem(
      await complete({ response_format: { type: 'json_schema' } }),
      'validation_error',
    );
    expect(problem.param).toBe('response_format');
  });

  it('7.4: gets validation_error for an unsupported parameter only with `require_parameters`', async () => {
    const { complete, requestsOf } = await setupModelService({
      model: { supported_parameters: ['temperature'] },
    });

    expect((await complete({ temperature: 1, top_k: 5 })).status).toBe(200);
    expect(requestsOf('a')[0]?.body.top_k).toBe(5);
    const problem = await expectProblem(
      await complete({ temperature: 1, top_k: 5, provider: { require_parameters: true } }),
      'validation_error',
    );
    expect(problem.param).toBe('top_k');
  });
});

describe('a chat completion without an upstream key of the caller', () => {
  it('7.4: gets PROVIDER_SELECTION_NOT_ALLOWED if it names a provider', async () => {
    const { complete, requestsOf } = await setupModelService();

    for (const provider of [{ order: ['a'] }, { only: ['a'] }]) {
      await expectProblem(await complete({ provider }), 'PROVIDER_SELECTION_NOT_ALLOWED');
    }
    expect(requestsOf('a')).toEqual([]);
  });
});

describe('a chat completion with an upstream key of the caller', () => {
  it('8.3.3: uses this key, has no cost, and does not count against the limits of the model', async () => {
    const { complete, requestsOf } = await setupModelService({
      model: { requests_per_minute: 1, tokens_per_minute: 10, budget_cents_per_month: 0 },
    });

    const responses = [await complete({}, withCallerKey), await complete({}, withCallerKey)];

    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(requestsOf('a')[0]?.authorization).toBe(`Bearer ${callerKey}`);
    const body = ChatCompletion.parse(await responses[0]?.json());
    expect(body.usage).toMatchObject({ is_byok: true, cost: null });
    expect(body.router_metadata).toMatchObject({ is_byok: true, strategy: 'byok' });
  });

  it('is sent only to the providers that the caller names, in that order', async () => {
    const { complete, requestsOf } = await setupModelService({
      providers: {
        a: [respondJson()],
        b: [respondJson({}, 503)],
        c: [respondJson()],
      },
    });

    const response = await complete({ provider: { order: ['b', 'a'] } }, withCallerKey);

    expect(response.status).toBe(200);
    expect(['a', 'b', 'c'].map((name) => requestsOf(name).length)).toEqual([1, 1, 0]);
    const { router_metadata: report } = ChatCompletion.parse(await response.json());
    expect(report.attempts.map(({ provider }) => provider)).toEqual(['b', 'a']);
    expect(report.params).toEqual({ order: ['b', 'a'] });
  });

  it.each([
    ['no choice among several providers', {}, '/provider/only'],
    ['an unknown provider', { provider: { only: ['x'] } }, '/provider/only/0'],
    [
      'a provider that accepts no keys of callers',
      { provider: { order: ['a', 'b'] } },
      '/provider/order/1',
    ],
  ])('is refused with %s', async (_, fields, pointer) => {
    const { complete } = await setupModelService({
      providers: { a: [respondJson()], b: [respondJson()], c: [respondJson()] },
      providerSettings: { b: { caller_keys: false } },
    });

    const problem = await expectProblem(await complete(fields, withCallerKey), 'VALIDATION_ERROR');

    expect(problem.errors?.[0]?.pointer).toBe(pointer);
  });

  it.each([
    [402, { message: 'no credits' }, 'INSUFFICIENT_BALANCE'],
    [429, { code: 'insufficient_quota' }, 'INSUFFICIENT_BALANCE'],
    [401, { message: `wrong key ${callerKey}` }, 'VALIDATION_ERROR'],
  ] as const)(
    '7.4: gets $2 if the provider responds with the status $0 and the error $1',
    async (status, error, code) => {
      const { complete } = await setupModelService({
        providers: { a: [respondJson({ error }, status)] },
      });

      const problem = await expectProblem(await complete({}, withCallerKey), code);

      expect(JSON.stringify(problem)).not.toContain(callerKey);
    },
  );

  it('is refused if the key contains a space', async () => {
    const { complete } = await setupModelService();

    const response = await complete({}, { headers: { 'x-upstream-api-key': 'a b' } });

    const problem = await expectProblem(response, 'VALIDATION_ERROR');
    expect(problem.errors?.[0]?.pointer).toBe('/headers/x-upstream-api-key');
    expect(problem.type).toBe(`${testBaseUrl}/problems/validation-error`);
  });
});
