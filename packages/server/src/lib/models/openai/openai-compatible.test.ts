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

const request: ModelRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
};

async function setup(...answers: Handler[]) {
  const endpoint = await chatEndpoint(...answers);
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
  const ask = async (input = request, signal = new AbortController().signal) => {
    const events: ModelEvent[] = [];
    for await (const event of model.run(input, signal)) events.push(event);
    return events;
  };
  return { ...endpoint, model, clock, ask };
}

const textOf = (events: ModelEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

describe('createOpenAiCompatible', () => {
  it('passes on text as it comes, then usage, then the end', async () => {
    const { ask, requests } = await setup(
      stream(
        chunk({ role: 'assistant' }),
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo' }),
        finish(),
        usage(7, 2),
        done,
      ),
    );

    expect(await ask()).toEqual([
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

  it('puts characters together that were cut between two packets', async () => {
    const bytes = Buffer.from(chunk({ content: 'grüß 👋🏽 gut' }) + finish());
    const { ask } = await setup(stream(...[...bytes].map((byte) => Buffer.from([byte]))));

    expect(textOf(await ask())).toBe('grüß 👋🏽 gut');
  });

  it('reads many events from one packet', async () => {
    const words = Array.from({ length: 500 }, (_, index) => `w${index} `);
    const { ask } = await setup(
      stream(words.map((content) => chunk({ content })).join('') + finish()),
    );

    expect(textOf(await ask())).toBe(words.join(''));
  });

  it('takes thinking from the fields that endpoints put it in', async () => {
    const { ask } = await setup(
      stream(
        chunk({ reasoning_content: 'a' }),
        chunk({ reasoning: 'b' }),
        chunk({ content: 'c' }),
        finish(),
      ),
    );

    expect((await ask()).slice(0, 3)).toEqual([
      { type: 'thinking', text: 'a' },
      { type: 'thinking', text: 'b' },
      { type: 'text', text: 'c' },
    ]);
  });

  it('puts tool calls together from their fragments', async () => {
    const part = (index: number, more: object) => chunk({ tool_calls: [{ index, ...more }] });
    const { ask } = await setup(
      stream(
        part(0, { id: 'a', function: { name: 'weather', arguments: '' } }),
        part(0, { function: { arguments: '{"ci' } }),
        part(1, { id: 'b', function: { name: 'time', arguments: '' } }),
        part(0, { function: { arguments: 'ty":"Rome"}' } }),
        part(1, { function: { arguments: '{broken' } }),
        finish('tool_calls'),
      ),
    );

    expect((await ask()).filter(({ type }) => type !== 'usage')).toEqual([
      { type: 'tool_call', name: 'weather', input: { city: 'Rome' } },
      { type: 'tool_call', name: 'time', input: null },
      { type: 'finish', reason: 'tool_calls' },
    ]);
  });

  it('estimates what the provider did not count, and says so', async () => {
    const { ask } = await setup(stream(chunk({ content: 'x'.repeat(400) }), finish()));

    expect(await ask()).toContainEqual({
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
  ])(
    'takes %s without a finish for whole where the stream came to its end',
    async (_, piece, reason) => {
      const bytes = [...Buffer.from(piece + done)].map((byte) => Buffer.from([byte]));
      const { ask } = await setup(stream(...bytes));

      expect((await ask()).at(-1)).toEqual({ type: 'finish', reason });
    },
  );

  it.each([
    [
      'a page',
      page(503, `<!DOCTYPE html><html>${'x'.repeat(1_000_000)}</html>`),
      'the provider answered 503 with an HTML page',
    ],
    ['a long text', page(502, `busy\r\n${'x'.repeat(1_000_000)}`), `502 busy ${'x'.repeat(291)}…`],
    ['the key', refuse(401, { message: 'Key secret is wrong' }), '401 Key … is wrong'],
  ])(
    'says in one short line what failed where the provider answers with %s',
    async (_, answer, message) => {
      const { ask } = await setup(answer);

      await expect(ask()).rejects.toMatchObject({ message, cause: undefined });
    },
  );

  it.each([
    ['a refused key', refuse(401), false],
    ['an unknown model', refuse(404), false],
    ['a request that is too long', refuse(400, { code: 'context_length_exceeded' }), false],
    ['an empty account', refuse(429, { code: 'insufficient_quota' }), false],
    ['throttling', refuse(429), true],
    ['a failing endpoint', refuse(503), true],
    ['a connection that breaks off', brokenOff, true],
    [
      'an error inside the stream',
      stream(chunk({ content: 'a' }), 'data: {"error":{"message":"overloaded"}}\n\n'),
      true,
    ],
    ['an end without a finish', stream(chunk({ content: 'a' })), true],
    [
      'an end without a finish that says it was one',
      stream(chunk({ content: '\n\ndata: [DONE]' })),
      true,
    ],
    ['an end without an answer', stream(chunk({ reasoning: 'a' }), done), true],
    ['something that is no stream', stream('<html>captive portal</html>'), true],
    ['data that is no JSON', stream('data: {oops\n\n'), true],
  ])('fails at %s, and tells whether to try again', async (_, answer, retryable) => {
    const { ask, requests } = await setup(answer);

    await expect(ask()).rejects.toMatchObject({ name: 'ModelError', retryable });
    expect(requests).toHaveLength(1);
  });

  it('waits for the first content as long as `first_event_timeout_ms`, whatever comes before it', async () => {
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

  it('gives up an answer that stands still, and hangs up', async () => {
    const { model, clock, requests } = await setup(streamThenHang(chunk({ content: 'and then' })));
    const events = model.run(request, new AbortController().signal)[Symbol.asyncIterator]();
    await events.next();

    const next = events.next();
    clock.advance(30_000);

    expect((await next).value).toMatchObject({ type: 'usage', usage: { estimated: true } });
    await expect(events.next()).rejects.toMatchObject({ kind: 'stalled' });
    await requests[0]?.disconnected;
  });

  it('hangs up when it is interrupted, without an error', async () => {
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

  it('sends pictures, calls and their results in the provider’s words', async () => {
    const { ask, requests } = await setup(stream(finish()));

    await ask({
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
          tool_calls: [{ id: 'c1', function: { name: 'look', arguments: '{"at":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'a cat' },
      ],
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
    });
  });
});

function brokenOff(response: Parameters<Handler>[0]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ content: 'half' }), () => response.destroy());
}

function page(status: number, text: string): Handler {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end(text);
  };
}
