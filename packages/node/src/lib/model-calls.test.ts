import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createPlatformClient } from './platform-client.ts';
import { PlatformError } from './platform-error.ts';
import {
  json,
  problem,
  type Responder,
  rejectionOf,
  startStubPlatform,
} from './testing/stub-platform.ts';

async function setup(...responders: Responder[]) {
  const { baseUrl, requests } = await startStubPlatform(...responders);
  return { platform: createPlatformClient({ baseUrl, apiKey: 'sk-service-test' }), requests };
}

/** Responds with a stream of events with these data, which ends after `[DONE]`. */
const stream =
  (...data: (object | string)[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const part of data) {
      response.write(`data: ${typeof part === 'string' ? part : JSON.stringify(part)}\n\n`);
    }
    if (data.at(-1) === '[DONE]') response.end();
  };

const chunk = (content: string) => ({
  id: 'c',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
});

const completion = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      logprobs: null,
      message: { role: 'assistant', content: 'Hello' },
    },
  ],
  service_tier: null,
  system_fingerprint: null,
  usage: {
    prompt_tokens: 1,
    completion_tokens: 1,
    total_tokens: 2,
    cost: null,
    cost_details: null,
    is_byok: false,
  },
  router_metadata: {
    attempt: 1,
    attempts: [],
    endpoints: { total: 1, available: [] },
    is_byok: false,
    params: {},
    pipeline: [],
    region: null,
    requested: 'm',
    strategy: 'direct',
    summary: '',
  },
};

const request = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

/** The contents of all chunks. */
async function contentsOf(chunks: AsyncIterable<{ choices: { delta: { content?: unknown } }[] }>) {
  const contents: unknown[] = [];
  for await (const { choices } of chunks) contents.push(choices[0]?.delta.content);
  return contents;
}

describe('models.list', () => {
  it('returns the list of models', async () => {
    const { platform, requests } = await setup(json({ data: [], next_cursor: null }));

    expect(await platform.models.list()).toEqual({ data: [], next_cursor: null });
    expect(requests[0]).toMatchObject({ method: 'GET', url: '/model/v1/models' });
  });
});

describe('chatCompletions.create', () => {
  it('sends the request with unknown members, and returns the completion', async () => {
    const { platform, requests } = await setup(json({ ...completion, extra: 1 }));

    const result = await platform.chatCompletions.create(
      { ...request, vendor_option: true },
      { upstreamApiKey: 'sk-mine' },
    );

    expect(result).toEqual({ ...completion, extra: 1 });
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: '/model/v1/chat/completions',
      headers: { authorization: 'Bearer sk-service-test', 'x-upstream-api-key': 'sk-mine' },
      body: JSON.stringify({ ...request, vendor_option: true }),
    });
  });

  it('retries after a 429 with a short `Retry-After`', async () => {
    const { platform, requests } = await setup(
      json(problem('RATE_LIMITED', 429, true), 429, { 'retry-after': '0' }),
      json(completion),
    );

    await platform.chatCompletions.create(request);

    expect(requests).toHaveLength(2);
  });

  it.each([
    ['a 502, because a retry would cost money', problem('provider_unavailable', 502, true), {}],
    [
      'a 429 that requests a wait of a minute',
      problem('RATE_LIMITED', 429, true),
      { 'retry-after': '60' },
    ],
    ['a 429 for a used-up budget', problem('QUOTA_EXHAUSTED', 429, false), {}],
  ])('does not retry after %s', async (_, body, headers) => {
    const { platform, requests } = await setup(json(body, body.status, headers));

    const error = await rejectionOf(platform.chatCompletions.create(request));

    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ code: body.code, status: body.status });
    expect(requests).toHaveLength(1);
  });

  it('rejects with the reason of its aborted signal, and closes the connection', async () => {
    const { platform, requests } = await setup(() => {});
    const controller = new AbortController();

    const creating = platform.chatCompletions.create(request, { signal: controller.signal });
    await expect.poll(() => requests.length).toBe(1);
    controller.abort(new Error('left'));

    await expect(creating).rejects.toThrow('left');
    await requests[0]?.closed;
  });

  it('rejects with the reason of a signal that is aborted while an error response arrives', async () => {
    const { baseUrl } = await startStubPlatform((response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.write('{');
    });
    const controller = new AbortController();
    const platform = createPlatformClient({
      baseUrl,
      apiKey: 'sk-service-test',
      fetch: async (...parameters) => {
        const response = await fetch(...parameters);
        setImmediate(() => controller.abort(new Error('left')));
        return response;
      },
    });

    const creating = platform.chatCompletions.create(request, { signal: controller.signal });

    await expect(creating).rejects.toThrow('left');
  });

  it('rejects with TIMEOUT after the `timeoutMs` of the call', async () => {
    const { platform } = await setup(() => {});

    const error = await rejectionOf(platform.chatCompletions.create(request, { timeoutMs: 1 }));

    expect(error).toMatchObject({ code: 'TIMEOUT', retryable: true });
  });
});

describe('chatCompletions.create and stream', () => {
  it.each([Number.POSITIVE_INFINITY, 0, 2 ** 31, Number.NaN])(
    'reject the timeout %d without sending a request',
    async (timeoutMs) => {
      const { platform, requests } = await setup(json(completion));

      const errors = [
        await rejectionOf(platform.chatCompletions.create(request, { timeoutMs })),
        await rejectionOf(platform.chatCompletions.stream(request, { timeoutMs }).next()),
      ];

      expect(errors.map(({ code }) => code)).toEqual(['INVALID_OPTION', 'INVALID_OPTION']);
      expect(errors[0]?.message).toContain('`timeoutMs`');
      expect(requests).toEqual([]);
    },
  );
});

describe('chatCompletions.stream', () => {
  it('yields the chunks with the usage', async () => {
    const last = { id: 'c', choices: [], usage: completion.usage };
    const { platform, requests } = await setup(stream(chunk('Hel'), chunk('lo'), last, '[DONE]'));

    const chunks = [];
    for await (const part of platform.chatCompletions.stream(request)) chunks.push(part);

    expect(chunks).toEqual([chunk('Hel'), chunk('lo'), last]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('rejects with the problem if the response is a problem instead of a stream', async () => {
    const { platform } = await setup(json(problem('MODEL_NOT_FOUND', 404, false), 404));

    const error = await rejectionOf(contentsOf(platform.chatCompletions.stream(request)));

    expect(error).toMatchObject({ code: 'MODEL_NOT_FOUND', status: 404 });
  });

  it('yields the chunks before a problem inside the stream, and then rejects with the problem', async () => {
    const error = { error: problem('UPSTREAM_ERROR', 502, true) };
    const { platform } = await setup(stream(chunk('x'), error));
    const chunks = platform.chatCompletions.stream(request);

    expect((await chunks.next()).value).toEqual(chunk('x'));
    expect(await rejectionOf(chunks.next())).toMatchObject({
      code: 'UPSTREAM_ERROR',
      status: 502,
      retryable: true,
    });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['is not a stream', json({})],
    ['has an event that is not JSON', stream('{', '[DONE]')],
    ['has an event without choices', stream({ id: 'c' }, '[DONE]')],
  ])('rejects with UNEXPECTED_RESPONSE if the response %s', async (_, handler) => {
    const { platform } = await setup(handler);

    const error = await rejectionOf(contentsOf(platform.chatCompletions.stream(request)));

    expect(error.code).toBe('UNEXPECTED_RESPONSE');
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['ends without [DONE]', (response) => response.end()],
    ['is cut', (response) => response.destroy()],
  ])('rejects with NETWORK_ERROR if the stream %s, after the chunks before', async (_, end) => {
    const responses: ServerResponse[] = [];
    const { platform } = await setup((response) => {
      responses.push(response);
      stream(chunk('x'))(response);
    });
    const chunks = platform.chatCompletions.stream(request);

    expect((await chunks.next()).value).toEqual(chunk('x'));
    responses.forEach(end);
    const error = await rejectionOf(chunks.next());

    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true });
  });

  it('rejects with the reason of a signal that is aborted in the middle of the stream', async () => {
    const { platform, requests } = await setup(stream(chunk('x')));
    const controller = new AbortController();
    const chunks = platform.chatCompletions.stream(request, { signal: controller.signal });
    await chunks.next();

    const next = chunks.next();
    controller.abort(new Error('left'));

    await expect(next).rejects.toThrow('left');
    await requests[0]?.closed;
  });

  it('rejects with an error that the caller throws into the iteration', async () => {
    const { platform } = await setup(stream(chunk('x')));
    const chunks = platform.chatCompletions.stream(request);
    await chunks.next();

    await expect(chunks.throw(new Error('thrown'))).rejects.toThrow('thrown');
  });

  it('closes the connection when the caller leaves the loop', async () => {
    const { platform, requests } = await setup(stream(chunk('x')));

    for await (const part of platform.chatCompletions.stream(request)) {
      expect(part).toEqual(chunk('x'));
      break;
    }

    await requests[0]?.closed;
  });
});
