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
} from '../../testing/chat-endpoint.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import type { ModelEvent, ModelMessage, ModelRequest } from '../model.ts';
import { createOpenAiCompatible, type OpenAiCompatibleOptions } from './openai-compatible.ts';

type Body = Record<string, unknown>;

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const request: ModelRequest = { system: '', messages: [user('hi')], tools: [] };
const answer = stream(chunk({ content: 'Hi.' }), finish(), done);

async function setup(handlers: Handler[], options: Partial<OpenAiCompatibleOptions> = {}) {
  const endpoint = await chatEndpoint(...handlers);
  const run = async (changes: Partial<OpenAiCompatibleOptions> = {}, input = request) => {
    const model = createOpenAiCompatible({
      baseUrl: endpoint.url,
      model: 'm',
      apiKey: 'key',
      firstEventTimeout: 60_000,
      idleTimeout: 30_000,
      limits: Limits.parse(undefined).run,
      clock: createFakeClock(),
      ...options,
      ...changes,
    });
    const events: ModelEvent[] = [];
    for await (const event of model.run(input, new AbortController().signal)) events.push(event);
    return events;
  };
  return { ...endpoint, run };
}

const joined = (events: readonly ModelEvent[], type: 'text' | 'thinking') =>
  events.map((event) => (event.type === type ? event.text : '')).join('');
const callsOf = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'tool_call' ? [[event.name, event.input]] : []));

describe('a refused parameter', () => {
  const unsupported = {
    message:
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    type: 'invalid_request_error',
    param: 'max_tokens',
    code: 'unsupported_parameter',
  };

  it('`max_tokens` is replaced by `max_completion_tokens`, once for each model', async () => {
    const { run, requests } = await setup([refuse(400, unsupported), answer], {
      maxOutputTokens: 99,
    });

    expect(joined(await run(), 'text')).toBe('Hi.');
    expect(joined(await run(), 'text')).toBe('Hi.');
    await run({ model: 'other' });

    expect(
      requests.map(({ body }) => [body.model, body.max_tokens, body.max_completion_tokens]),
    ).toEqual([
      ['m', 99, undefined],
      ['m', undefined, 99],
      ['m', undefined, 99],
      ['other', 99, undefined],
    ]);
  });

  it('a setting selects the parameter without a refusal', async () => {
    const { run, requests } = await setup([answer], {
      maxOutputTokens: 99,
      maxOutputTokensParameter: 'max_completion_tokens',
    });

    await run();

    expect(requests[0]?.body).toMatchObject({ max_completion_tokens: 99 });
    expect(requests[0]?.body).not.toHaveProperty('max_tokens');
  });

  it.each([
    [
      'an empty reasoning',
      'Missing `reasoning_content` field in the assistant message at message index 1.',
      { reasoning_content: '' },
    ],
    [
      'a placeholder for the signature',
      'Function call is missing a thought_signature in functionCall parts.',
      {
        tool_calls: [
          {
            extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
          },
          { function: { name: 'b' } },
        ],
      },
    ],
  ])('messages of another model get %s', async (_, refusal, added) => {
    const { run, requests } = await setup([refuse(400, { message: refusal }), answer]);
    const toolCalls = ['a', 'b'].map((id) => ({ id, name: id, input: {} }));
    const messages: ModelMessage[] = [
      user('hi'),
      { role: 'assistant', text: '', toolCalls },
      ...toolCalls.map(
        ({ id }): ModelMessage => ({
          role: 'tool',
          toolCallId: id,
          text: 'ok',
          isError: false,
        }),
      ),
    ];

    expect(joined(await run({}, { ...request, messages }), 'text')).toBe('Hi.');

    expect(requests).toHaveLength(2);
    expect(requests[1]?.body.messages[1]).toMatchObject(added);
  });

  it('members of the provider’s own messages that it refuses are left out', async () => {
    const refusal = { message: "'messages.1' : property 'channel' is unsupported" };
    const { run, requests } = await setup([refuse(400, refusal), answer]);
    const providerMessage = { channel: 'final', x_state: 1 };
    const own: ModelMessage = { role: 'assistant', text: 'Hm.', toolCalls: [], providerMessage };
    const input = { ...request, messages: [user('hi'), own, user('and?')] };

    await run({}, input);
    await run({}, input);

    expect(requests.map(({ body }) => body.messages[1])).toEqual([
      { role: 'assistant', content: 'Hm.', ...providerMessage },
      { role: 'assistant', content: 'Hm.', x_state: 1 },
      { role: 'assistant', content: 'Hm.', x_state: 1 },
    ]);
  });

  it.each([
    [
      'of Mistral',
      { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] },
      (body: Body) => expect(body).not.toHaveProperty('stream_options'),
    ],
    [
      'of Gemini',
      [{ error: { message: 'Function call is missing a thought_signature.' } }],
      (body: Body) => expect(JSON.stringify(body)).toContain('skip_thought_signature_validator'),
    ],
  ])('is found in an error %s, which has another form', async (_, error, check) => {
    const refusal: Handler = (response) => {
      response.writeHead(422, { 'content-type': 'application/json' });
      response.end(JSON.stringify(error));
    };
    const { run, requests } = await setup([refusal, answer]);
    const call = { id: 'a', name: 'a', input: {} };
    const messages: ModelMessage[] = [
      user('hi'),
      { role: 'assistant', text: '', toolCalls: [call] },
      { role: 'tool', toolCallId: 'a', text: 'ok', isError: false },
    ];

    expect(joined(await run({}, { ...request, messages }), 'text')).toBe('Hi.');

    expect(requests).toHaveLength(2);
    if (requests[1]) check(requests[1].body);
  });

  it('a value that is too large is an error', async () => {
    const tooLarge = { message: 'max_tokens is too large: 99', param: 'max_tokens' };
    const { run, requests } = await setup([refuse(400, tooLarge)], { maxOutputTokens: 99 });

    await expect(run()).rejects.toMatchObject({ retryable: false });
    expect(requests).toHaveLength(1);
  });
});

it('the query of the base URL is the query of each request, and a key of Azure has its own header', async () => {
  const seen: unknown[] = [];
  const { run, url } = await setup([
    (response, requests) => {
      const { url: path, headers } = response.req;
      seen.push([path, headers['api-key'], headers.authorization]);
      return answer(response, requests);
    },
  ]);

  await run({ baseUrl: `${url}/openai/deployments/d?api-version=2025-01-01-preview` });
  await run({ baseUrl: `${url}/?tenant=a%26b` });

  expect(seen).toEqual([
    ['/v1/openai/deployments/d/chat/completions?api-version=2025-01-01-preview', 'key', undefined],
    ['/v1/chat/completions?tenant=a%26b', undefined, 'Bearer key'],
  ]);
});

describe('an answer in JSON instead of a stream', () => {
  const completion = {
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Hi.',
          reasoning_content: 'Hm.',
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  };
  const respond =
    (body: string, type: string): Handler =>
    (response) => {
      response.writeHead(200, { 'content-type': type });
      // In two writes, with a gap inside the text.
      response.write(body.slice(0, 40), () => response.end(body.slice(40)));
    };

  it.each(['application/json', 'text/event-stream'])('of type %s is used', async (type) => {
    const { run, requests } = await setup([
      respond(`\n${JSON.stringify(completion, null, 2)}`, type),
    ]);

    const events = await run();

    expect(joined(events, 'text')).toBe('Hi.');
    expect(joined(events, 'thinking')).toBe('Hm.');
    expect(callsOf(events)).toEqual([['f', { x: 1 }]]);
    expect(events.slice(-2)).toEqual([
      { type: 'usage', usage: { inputTokens: 5, outputTokens: 2, estimated: false } },
      { type: 'finish', reason: 'tool_calls' },
    ]);
    expect(requests).toHaveLength(1);
  });

  it('with an error is that error', async () => {
    const { run } = await setup([respond('{"error":{"message":"no money"}}', 'application/json')]);

    await expect(run()).rejects.toThrow('no money');
  });

  it('that is not valid is an error that is not retried', async () => {
    const { run } = await setup([respond('{"choices": [', 'application/json')]);

    await expect(run()).rejects.toMatchObject({ retryable: false });
  });
});

it('a content of parts is divided into reasoning and text, and returned as it came', async () => {
  const thinking = (text: string) =>
    chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] });
  const { run } = await setup([
    stream(
      thinking('They '),
      thinking('greet.'),
      chunk({ content: [{ type: 'text', text: 'Good' }] }),
      chunk({ content: ' morning!' }),
      finish(),
      done,
    ),
  ]);

  const events = await run();

  expect(joined(events, 'thinking')).toBe('They greet.');
  expect(joined(events, 'text')).toBe('Good morning!');
  expect(events.find(({ type }) => type === 'provider_message')).toEqual({
    type: 'provider_message',
    message: {
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'They greet.' }] },
        { type: 'text', text: 'Good morning!' },
      ],
    },
  });
});

describe('parallel tool calls', () => {
  const call = (fields: object, name = 'weather', city = '') => ({
    ...fields,
    function: { name, arguments: city && JSON.stringify({ city }) },
  });
  const both = [
    ['weather', { city: 'Oslo' }],
    ['weather', { city: 'Rome' }],
  ];

  it.each([
    ['have one index and different ids', { index: 0, id: 'a' }, { index: 0, id: 'b' }],
    ['have one index and no ids', { index: 0 }, { index: 0 }],
    ['have neither an index nor an id', {}, {}],
    ['have only ids', { id: 'a' }, { id: 'b' }],
  ])('that %s are separate calls', async (_, first, second) => {
    const pieces = [call(first, 'weather', 'Oslo'), call(second, 'weather', 'Rome')];
    const { run } = await setup([
      stream(...pieces.map((each) => chunk({ tool_calls: [each] })), finish('tool_calls'), done),
      stream(chunk({ tool_calls: pieces }), finish('tool_calls'), done),
    ]);

    expect(callsOf(await run())).toEqual(both);
    expect(callsOf(await run())).toEqual(both);
  });

  it('of one index are continued by fragments without a name', async () => {
    const { run } = await setup([
      stream(
        chunk({ tool_calls: [call({ index: 0, id: 'a' }, 'weather', 'Oslo')] }),
        chunk({
          tool_calls: [{ index: 0, id: 'b', function: { name: 'weather', arguments: '' } }],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '"Rome"}' } }] }),
        finish('tool_calls'),
        done,
      ),
    ]);

    expect(callsOf(await run())).toEqual(both);
  });

  it('of different tools without arguments, indices and ids are separate calls', async () => {
    const { run } = await setup([
      stream(chunk({ tool_calls: [call({}, 'a'), call({}, 'b')] }), finish('tool_calls'), done),
    ]);

    expect(callsOf(await run())).toEqual([
      ['a', {}],
      ['b', {}],
    ]);
  });

  it('with a new id in each fragment are one call', async () => {
    const { run } = await setup([
      stream(
        chunk({
          tool_calls: [{ index: 0, id: 'a', function: { name: 'weather', arguments: '' } }],
        }),
        chunk({ tool_calls: [{ index: 0, id: 'b', function: { arguments: '{"city":' } }] }),
        chunk({ tool_calls: [{ index: 0, id: 'c', function: { arguments: '"Oslo"}' } }] }),
        finish('tool_calls'),
        done,
      ),
    ]);

    expect(callsOf(await run())).toEqual(both.slice(0, 1));
  });

  it('that repeat their id, or the whole call, are one call', async () => {
    const whole = call({ index: 0, id: 'a' }, 'weather', 'Oslo');
    const { run } = await setup([
      stream(chunk({ tool_calls: [whole] }), chunk({ tool_calls: [whole] }), finish(), done),
      stream(
        ...['{"city"', ':"Oslo"', '}'].map((text) =>
          chunk({ tool_calls: [{ id: 'a', function: { name: 'weather', arguments: text } }] }),
        ),
        finish(),
        done,
      ),
    ]);

    expect(callsOf(await run())).toEqual(both.slice(0, 1));
    expect(callsOf(await run())).toEqual(both.slice(0, 1));
  });
});

describe('reasoning in tags', () => {
  it.each([
    [
      '<think>\nThe user greets me.\n</think>\n\nGood morning!',
      'The user greets me.',
      'Good morning!',
    ],
    ['\n<Thinking>a\n\nb</Thinking>c', 'a\n\nb', 'c'],
    ['<think></think>c', '', 'c'],
    ['<think>a</think><think>b</think>c', 'ab', 'c'],
    ['[THINK]a[/THINK]c', 'a', 'c'],
    ['<think>without an end', 'without an end', ''],
    ['<think>a </thin b</think>c', 'a </thin b', 'c'],
    ['Use `<think>a</think>`.', '', 'Use `<think>a</think>`.'],
    ['```\n<think>a</think>\n```', '', '```\n<think>a</think>\n```'],
    ['<thinker>a</thinker>', '', '<thinker>a</thinker>'],
    ['  <thi', '', '  <thi'],
  ])('%j is no part of the answer if it is at the start', async (content, thinking, text) => {
    for (const length of [1, 3, content.length]) {
      const pieces = content.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
      const { run } = await setup([
        stream(...pieces.map((piece) => chunk({ content: piece })), finish(), done),
      ]);

      const events = await run();

      expect(joined(events, 'thinking')).toBe(thinking);
      expect(joined(events, 'text')).toBe(text);
    }
  });
});
