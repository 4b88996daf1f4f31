import { ChatCompletionChunk, Problem } from '@inlay/protocol';
import { createParser } from 'eventsource-parser';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import {
  chunk,
  done,
  finish,
  type Handler,
  stream,
  streamThenHang,
  usage,
} from '../testing/chat-endpoint.ts';
import { respondJson, setupModelService } from '../testing/setup-model-service.ts';
import { testApiKey, upstreamKey } from '../testing/setup-server.ts';

const withUsage = { stream: true, stream_options: { include_usage: true } };
const answer = [
  chunk({ content: 'Hel' }),
  chunk({ content: 'lo' }),
  finish(),
  usage(1000, 500),
  done,
];

/** Returns the `data` of all events of a complete stream. */
function dataOf(text: string): string[] {
  const found: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => found.push(data) });
  parser.feed(text);
  return found;
}

/** Reads from a stream until it contains a text. */
async function readUntil(response: Response, expected: string) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  while (!text.includes(expected)) {
    const { done: isDone, value } = await reader.read();
    if (isDone) throw new Error(`The stream ended without “${expected}”: ${text}`);
    text += Buffer.from(value).toString();
  }
  return { text, reader };
}

describe('a streamed chat completion', () => {
  it('4.12: contains the events of the provider, byte for byte', async () => {
    const unusualEvent = `: comment\nevent: x\ndata: {"choices":[{"delta":{"content":"\\u00e9"}}],"extra":{"kept": 1}}\n\n`;
    const { complete } = await setupModelService({
      providers: { a: [stream(unusualEvent, ...answer)] },
    });

    const response = await complete({ stream: true });

    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const text = await response.text();
    expect(text.startsWith(unusualEvent + answer.slice(0, 3).join(''))).toBe(true);
    expect(dataOf(text).at(-1)).toBe('[DONE]');
  });

  it('4.12: contains characters whose bytes arrive in separate chunks', async () => {
    const bytes = Buffer.from(chunk({ content: 'Grüße 👋' }));
    const pieces = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    const { complete } = await setupModelService({
      providers: { a: [stream(...pieces, finish(), done)] },
    });

    const text = await (await complete({ stream: true })).text();

    expect(text).toContain('Grüße 👋');
  });

  it('4.12: is not buffered', async () => {
    const { complete } = await setupModelService({
      providers: { a: [streamThenHang(chunk({ content: 'first' }))] },
    });

    const { text, reader } = await readUntil(await complete({ stream: true }), 'first');

    expect(text).not.toContain('[DONE]');
    await reader.cancel();
  });

  it('4.12: has the usage and the routing report in its last chunk if the client requests the usage', async () => {
    const { complete } = await setupModelService({
      providers: { a: [respondJson({}, 500)], b: [stream(...answer)] },
    });

    const events = dataOf(await (await complete(withUsage)).text());

    const last = ChatCompletionChunk.parse(JSON.parse(events.at(-2) ?? ''));
    expect(last.choices).toEqual([]);
    expect(last.usage).toMatchObject({
      prompt_tokens: 1000,
      completion_tokens: 500,
      total_tokens: 1500,
      cost: 0.02,
      is_byok: false,
    });
    expect(last.router_metadata).toMatchObject({ attempt: 2, summary: 'available=2, selected=b' });
    expect(events.filter((data) => data.includes('"usage"'))).toHaveLength(1);
  });

  it('4.12: contains no usage unless the client requests it, even if the provider reports it', async () => {
    const { complete, requestsOf } = await setupModelService({
      providers: {
        a: [stream(chunk({ content: 'x' }, { usage: { prompt_tokens: 1 } }), ...answer)],
      },
    });

    const text = await (await complete({ stream: true })).text();

    expect(requestsOf('a')[0]?.body.stream_options).toEqual({ include_usage: true });
    expect(text).not.toContain('usage');
    expect(text).toContain('"content":"x"');
  });

  it('4.12: contains an estimated usage if the provider reports none', async () => {
    const { complete } = await setupModelService({
      providers: { a: [stream(chunk({ content: 'Hello!!!' }), finish(), done)] },
    });

    const events = dataOf(await (await complete(withUsage)).text());

    const last = ChatCompletionChunk.parse(JSON.parse(events.at(-2) ?? ''));
    expect(last.usage).toMatchObject({ completion_tokens: 2 });
  });

  it('8.3.4: is requested from the next provider if a provider does not respond with a stream', async () => {
    const { complete } = await setupModelService({
      providers: { a: [respondJson()], b: [stream(...answer)] },
    });

    const text = await (await complete({ stream: true })).text();

    expect(text).toContain('"content":"Hel"');
  });

  it.each<[string, Handler, string]>([
    ['ends without a finish reason', stream(chunk({ content: 'x' })), 'UPSTREAM_ERROR'],
    [
      'reports an error',
      stream(chunk({ content: 'x' }), `data: {"error":{"message":"${upstreamKey}"}}\n\n`, done),
      'UPSTREAM_ERROR',
    ],
    [
      'closes the connection',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chunk({ content: 'x' }), () => response.destroy());
      },
      'UPSTREAM_ERROR',
    ],
  ])('7.4: ends with an error if the provider %s', async (_, handler, code) => {
    const { complete } = await setupModelService({ providers: { a: [handler] } });

    const text = await (await complete({ stream: true })).text();

    const events = dataOf(text);
    expect(events).not.toContain('[DONE]');
    const { error } = JSON.parse(events.at(-1) ?? '') as { error: unknown };
    const problem = Problem.parse(error);
    expect(problem.code).toBe(code);
    // OpenAI clients show this member.
    expect(error).toMatchObject({ message: problem.detail });
    expect(text).not.toContain(upstreamKey);
  });

  it('7.4: ends with an error if the provider stops sending', async () => {
    const { complete, clock } = await setupModelService({
      providers: { a: [streamThenHang(chunk({ content: 'first' }))] },
      providerSettings: { a: { idle_timeout_ms: 3000 } },
    });

    const { reader } = await readUntil(await complete({ stream: true }), 'first');
    let last: string | undefined;
    void reader.read().then(({ value }) => {
      last = Buffer.from(value ?? []).toString();
    });
    // The server starts the timer when it reads the next chunk, so the clock is advanced repeatedly.
    await expect
      .poll(() => {
        clock.advance(3000);
        return last;
      })
      .toContain('UPSTREAM_TIMEOUT');
  });

  it('is complete if the provider sends a finish reason but no [DONE]', async () => {
    const { complete } = await setupModelService({
      providers: { a: [stream(chunk({ content: 'x' }), finish())] },
    });

    const events = dataOf(await (await complete({ stream: true })).text());

    expect(events.at(-1)).toBe('[DONE]');
  });

  it('is aborted at the provider when the client disconnects', async () => {
    const { complete, requestsOf } = await setupModelService({
      providers: { a: [streamThenHang(chunk({ content: 'first' }))] },
    });

    const { reader } = await readUntil(await complete({ stream: true }), 'first');
    await reader.cancel();

    await requestsOf('a')[0]?.disconnected;
  });

  it('8.2.1: counts as a concurrent request until its last byte', async () => {
    let end = () => {};
    const { complete } = await setupModelService({
      providers: {
        a: [
          (response) => {
            streamThenHang(chunk({ content: 'first' }))(response, [] as never);
            end = () => response.end(finish() + done);
          },
        ],
      },
      config: { limits: { api_key: { requests_per_second: 100, concurrent: 1 } } },
    });

    const { reader } = await readUntil(await complete({ stream: true }), 'first');
    const during = await complete({ stream: true });
    end();
    while (!(await reader.read()).done);
    await expect.poll(async () => (await complete({ model: 'unknown' })).status).toBe(404);

    expect(during.status).toBe(429);
    expect(await during.text()).toContain('Concurrent request limit');
  });

  it('can be read with the official OpenAI client', async () => {
    const { url } = await setupModelService({ providers: { a: [stream(...answer)] } });
    const client = new OpenAI({ baseURL: `${url}/model/v1`, apiKey: testApiKey, maxRetries: 0 });

    const chunks = await client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    });
    let text = '';
    for await (const part of chunks) text += part.choices[0]?.delta.content ?? '';

    expect(text).toBe('Hello');
  });
});
