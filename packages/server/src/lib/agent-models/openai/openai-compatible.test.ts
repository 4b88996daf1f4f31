import { describe, expect, it } from 'vitest';
import { Limits } from '../../config/limits.ts';
import {
  chatEndpoint,
  chunk,
  done,
  finish,
  type Handler,
  refuse,
  stream,
  streamThenHang,
  usage,
} from '../../testing/chat-endpoint.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import type { ModelEvent, ModelRequest } from '../model.ts';
import { createOpenAiCompatible } from './openai-compatible.ts';
import { callIdOf } from './to-chat-request.ts';

const request: ModelRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
};

async function setup(...handlers: Handler[]) {
  const endpoint = await chatEndpoint(...handlers);
  const clock = createFakeClock();
  const model = createOpenAiCompatible({
    baseUrl: endpoint.url,
    model: 'test-model',
    apiKey: 'secret',
    firstEventTimeout: 60_000,
    idleTimeout: 30_000,
    limits: Limits.parse(undefined).run,
    clock,
  });
  const run = async (input = request, signal = new AbortController().signal) => {
    const events: ModelEvent[] = [];
    for await (const event of model.run(input, signal)) events.push(event);
    return events;
  };
  return { ...endpoint, model, clock, run };
}

const textOf = (events: ModelEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

describe('createOpenAiCompatible', () => {
  it('yields each fragment of the text, then the usage, then the finish reason', async () => {
    const { run, requests } = await setup(
      stream(
        chunk({ role: 'assistant' }),
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo' }),
        finish(),
        usage(7, 2),
        done,
      ),
    );

    expect(await run()).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'usage', usage: { inputTokens: 7, outputTokens: 2, estimated: false } },
      { type: 'finish', reason: 'end' },
    ]);
    expect(requests[0]?.authorization).toBe('Bearer secret');
    expect(requests[0]?.body).toMatchObject({
      model: 'test-model',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
    });
  });

  it('decodes characters that are split between packets', async () => {
    const bytes = Buffer.from(chunk({ content: 'grüß 👋🏽 gut' }) + finish());
    const { run } = await setup(stream(...[...bytes].map((byte) => Buffer.from([byte]))));

    expect(textOf(await run())).toBe('grüß 👋🏽 gut');
  });

  it('reads many events from one packet', async () => {
    const parts = Array.from({ length: 500 }, (_, index) => `w${index} `);
    const { run } = await setup(
      stream(parts.map((content) => chunk({ content })).join('') + finish()),
    );

    expect(textOf(await run())).toBe(parts.join(''));
  });

  it('reads thinking from `reasoning_content` and from `reasoning`', async () => {
    const { run } = await setup(
      stream(
        chunk({ reasoning_content: 'a' }),
        chunk({ reasoning: 'b' }),
        chunk({ content: 'c' }),
        finish(),
      ),
    );

    expect((await run()).slice(0, 3)).toEqual([
      { type: 'thinking', text: 'a' },
      { type: 'thinking', text: 'b' },
      { type: 'text', text: 'c' },
    ]);
  });

  it('assembles tool calls from fragments; the input is null if it is not JSON', async () => {
    const part = (index: number, fields: object) => chunk({ tool_calls: [{ index, ...fields }] });
    const { run } = await setup(
      stream(
        part(0, { id: 'a', function: { name: 'weather', arguments: '' } }),
        part(0, { function: { arguments: '{"ci' } }),
        part(1, { id: 'b', function: { name: 'time', arguments: '' } }),
        part(0, { function: { arguments: 'ty":"Rome"}' } }),
        part(1, { function: { arguments: '{broken' } }),
        finish('tool_calls'),
      ),
    );

    expect((await run()).filter(({ type }) => type !== 'usage')).toEqual([
      { type: 'tool_call', name: 'weather', input: { city: 'Rome' } },
      { type: 'tool_call', name: 'time', input: null },
      {
        type: 'provider_message',
        message: {
          tool_calls: [
            {
              id: 'a',
              type: 'function',
              function: { name: 'weather', arguments: '{"city":"Rome"}' },
            },
            // Several endpoints reject arguments that are not a JSON object.
            { id: 'b', type: 'function', function: { name: 'time', arguments: '{}' } },
          ],
        },
      },
      { type: 'finish', reason: 'tool_calls' },
    ]);
  });

  it('estimates usage that the provider does not report, and marks it as estimated', async () => {
    const { run } = await setup(stream(chunk({ content: 'x'.repeat(400) }), finish()));

    expect(await run()).toContainEqual({
      type: 'usage',
      usage: { inputTokens: 5, outputTokens: 100, estimated: true },
    });
  });

  it.each([
    ['text', chunk({ content: 'data: [DONE]' }), 'end'],
    [
      'a tool call',
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'x', arguments: '{}' } }] }),
      'tool_calls',
    ],
  ])('accepts %s without a finish reason if the stream is complete', async (_, piece, reason) => {
    const bytes = [...Buffer.from(piece + done)].map((byte) => Buffer.from([byte]));
    const { run } = await setup(stream(...bytes));

    expect((await run()).at(-1)).toEqual({ type: 'finish', reason });
  });

  it.each([
    [
      'an HTML page',
      respondWithHtml(503, `<!DOCTYPE html><html>${'x'.repeat(1_000_000)}</html>`),
      'the provider answered 503 with an HTML page',
    ],
    [
      'a long text',
      respondWithHtml(502, `busy\r\n${'x'.repeat(1_000_000)}`),
      `502 busy ${'x'.repeat(291)}…`,
    ],
    ['the API key', refuse(401, { message: 'Key secret is wrong' }), '401 Key … is wrong'],
  ])(
    'fails with a message of one short line if the provider responds with %s',
    async (_, handler, message) => {
      const { run } = await setup(handler);

      await expect(run()).rejects.toMatchObject({ message, cause: undefined });
    },
  );

  it.each([
    ['a refused key', refuse(401), false],
    ['an unknown model', refuse(404), false],
    ['a request that is too long', refuse(400, { code: 'context_length_exceeded' }), false],
    ['an empty account', refuse(429, { code: 'insufficient_quota' }), false],
    ['throttling', refuse(429), true],
    ['a failing endpoint', refuse(503), true],
    ['a closed connection', closeConnection, true],
    [
      'an error inside the stream',
      stream(chunk({ content: 'a' }), 'data: {"error":{"message":"overloaded"}}\n\n'),
      true,
    ],
    ['an end without a finish reason', stream(chunk({ content: 'a' })), true],
    [
      'an end without a finish reason after the text “[DONE]”',
      stream(chunk({ content: '\n\ndata: [DONE]' })),
      true,
    ],
    ['an end without output', stream(chunk({ reasoning: 'a' }), done), true],
    ['a response that is not a stream', stream('<html>captive portal</html>'), true],
    ['data that is not JSON', stream('data: {oops\n\n'), true],
  ])('after $0, fails with an error whose `retryable` is $2', async (_, handler, retryable) => {
    const { run, requests } = await setup(handler);

    await expect(run()).rejects.toMatchObject({ name: 'ModelError', retryable });
    expect(requests).toHaveLength(1);
  });

  it('waits `first_event_timeout_ms` for the first content, even if other chunks precede it', async () => {
    const url_citation = { url: 'https://a.example/' };
    let proceed = () => {};
    const { model, clock } = await setup((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ role: 'assistant', content: '' }));
      response.write(chunk({ annotations: [{ type: 'url_citation', url_citation }] }));
      proceed = () => response.end(chunk({ content: 'late' }) + finish() + done);
    });
    const events = model.run(request, new AbortController().signal)[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ type: 'citation' });

    const next = events.next();
    clock.advance(59_000);
    proceed();

    expect((await next).value).toEqual({ type: 'text', text: 'late' });
  });

  it('fails and disconnects if a response stalls for the idle timeout', async () => {
    const { model, clock, requests } = await setup(streamThenHang(chunk({ content: 'and then' })));
    const events = model.run(request, new AbortController().signal)[Symbol.asyncIterator]();
    await events.next();

    const next = events.next();
    clock.advance(30_000);

    expect((await next).value).toMatchObject({ type: 'usage', usage: { estimated: true } });
    await expect(events.next()).rejects.toMatchObject({ kind: 'stalled' });
    await requests[0]?.disconnected;
  });

  it('disconnects without an error when the signal is aborted', async () => {
    const { model, requests } = await setup(streamThenHang(chunk({ content: 'and then' })));
    const controller = new AbortController();
    const events = model.run(request, controller.signal)[Symbol.asyncIterator]();
    await events.next();

    const next = events.next();
    controller.abort();

    expect((await next).value).toMatchObject({ type: 'usage', usage: { estimated: true } });
    expect(await events.next()).toMatchObject({ done: true });
    await requests[0]?.disconnected;
  });

  it('fails and disconnects if a response does not end', async () => {
    const { run, requests } = await setup(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const comment = `: ${'and on '.repeat(10_000)}\n`;
      while (!response.destroyed) {
        await new Promise((resolve) => response.write(comment, resolve));
      }
    });

    await expect(run()).rejects.toMatchObject({ name: 'ModelError', retryable: false });
    await requests[0]?.disconnected;
  });

  it.each([302, 307, 308])('does not follow a redirect %i', async (status) => {
    const other = await chatEndpoint();
    const { run } = await setup((response) => {
      response.writeHead(status, { location: other.url }).end();
    });

    await expect(run()).rejects.toMatchObject({ name: 'ModelError', retryable: false });
    expect(other.requests).toEqual([]);
  });

  it('sends images, tool calls and tool results in the format of chat completions', async () => {
    const { run, requests } = await setup(stream(finish()));

    await run({
      system: '',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', mimeType: 'image/png', bytes: new Uint8Array([1, 2, 3]) },
          ],
        },
        { role: 'assistant', text: '', toolCalls: [{ id: 'c1', name: 'look', input: { at: 1 } }] },
        { role: 'tool', toolCallId: 'c1', text: 'a cat', isError: false },
      ],
      tools: [{ name: 'look', description: 'Looks', inputSchema: { type: 'object' } }],
    });

    expect(requests[0]?.body).toMatchObject({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: callIdOf('c1'), function: { name: 'look', arguments: '{"at":1}' } }],
        },
        { role: 'tool', tool_call_id: callIdOf('c1'), content: 'a cat' },
      ],
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
    });
  });
});

function closeConnection(response: Parameters<Handler>[0]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ content: 'half' }), () => response.destroy());
}

function respondWithHtml(status: number, text: string): Handler {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end(text);
  };
}
