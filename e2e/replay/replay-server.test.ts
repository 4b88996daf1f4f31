import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findAnswer } from './answers/catalogue.ts';
import { ManualClock } from './manual-clock.ts';
import { type ReplayServer, startReplayServer } from './replay-server.ts';
import { ask, question, readStream } from './testing/ask.ts';

const textOf = (name: string, turn = 0) => findAnswer(name)?.turns[turn]?.text;

let server: ReplayServer;
let clock: ManualClock;

beforeEach(async () => {
  clock = new ManualClock();
  server = await startReplayServer({ clock });
});
afterEach(() => server.close());

describe('POST /v1/chat/completions', () => {
  it('streams chunks with role, content, finish reason, usage and [DONE]', async () => {
    const response = await ask(server);
    const { chunks, data, content } = await readStream(response);

    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(chunks[0]).toEqual({
      id: 'chatcmpl-replay1',
      object: 'chat.completion.chunk',
      created: clock.now() / 1000,
      model: 'replay/short',
      system_fingerprint: 'fp_replay',
      choices: [
        {
          index: 0,
          delta: { role: 'assistant', content: '', refusal: null },
          logprobs: null,
          finish_reason: null,
        },
      ],
      usage: null,
    });
    expect(chunks[1]?.choices[0]).toEqual({
      index: 0,
      delta: { content: 'Yes' },
      logprobs: null,
      finish_reason: null,
    });
    expect(chunks.at(-2)?.choices).toEqual([
      { index: 0, delta: {}, logprobs: null, finish_reason: 'stop' },
    ]);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { completion_tokens: chunks.length - 3 },
    });
    expect(data.at(-1)).toBe('[DONE]');
    expect(content).toBe(textOf('short'));
  });

  it('omits usage if the client did not request it', async () => {
    const { chunks } = await readStream(await ask(server, { stream_options: undefined }));

    expect(chunks.every((chunk) => !('usage' in chunk))).toBe(true);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
  });

  it('sends one JSON body without `stream`', async () => {
    const response = await ask(server, { stream: false, stream_options: undefined });

    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      model: 'replay/short',
      choices: [
        { message: { role: 'assistant', content: textOf('short') }, finish_reason: 'stop' },
      ],
      usage: { completion_tokens: expect.any(Number), prompt_tokens: expect.any(Number) },
    });
  });

  it('has the finish reason `length` if max_tokens truncates the answer', async () => {
    const { chunks, content } = await readStream(await ask(server, { max_tokens: 3 }));

    expect(content).toBe('Yes, you');
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('length');
  });

  it('truncates the answer to the tokens of the model name', async () => {
    const { chunks } = await readStream(await ask(server, { model: 'replay/guide,tokens=2000' }));

    expect(chunks.at(-1)?.usage?.completion_tokens).toBe(2000);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
  });

  it('sends reasoning_content before the answer', async () => {
    const { chunks, content } = await readStream(await ask(server, { model: 'replay/reasoning' }));
    const thoughts = chunks.map((chunk) => chunk.choices[0]?.delta.reasoning_content);
    const firstContent = chunks.findIndex((chunk) => chunk.choices[0]?.delta.content);

    expect(thoughts.join('')).toBe(findAnswer('reasoning')?.turns[0]?.reasoning);
    expect(thoughts.findLastIndex((thought) => thought !== undefined)).toBe(firstContent - 1);
    expect(content).toBe(textOf('reasoning'));
  });
});

describe('tool calls', () => {
  const tool = (name: string) => ({ type: 'function', function: { name, parameters: {} } });
  const tools = [tool('get_order'), tool('track_parcel')];
  const call = (id: string, name: string) => ({
    id,
    type: 'function',
    function: { name, arguments: '{}' },
  });

  it('are parallel, with their arguments in fragments', async () => {
    const { chunks, content } = await readStream(
      await ask(server, { model: 'replay/tools', tools }),
    );
    const fragments = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    const joined = (index: number) =>
      fragments
        .filter((fragment) => fragment.index === index)
        .map((fragment) => fragment.function.arguments);

    expect(content).toBe(textOf('tools'));
    expect(fragments.filter((fragment) => fragment.id)).toMatchObject([
      { index: 0, id: 'call_replay1', type: 'function', function: { name: 'get_order' } },
      { index: 1, id: 'call_replay2', type: 'function', function: { name: 'track_parcel' } },
    ]);
    for (const [index, wanted] of (findAnswer('tools')?.turns[0]?.toolCalls ?? []).entries()) {
      expect(joined(index).length).toBeGreaterThan(10);
      expect(JSON.parse(joined(index).join(''))).toEqual(wanted.arguments);
    }
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('are followed by the final answer when their results are sent', async () => {
    const messages = [
      ...question,
      { role: 'assistant', content: null, tool_calls: [call('a', 'get_order')] },
      { role: 'tool', tool_call_id: 'a', content: '{"paid":true}' },
    ];
    const answer = await readStream(await ask(server, { model: 'replay/tools', tools, messages }));

    expect(answer.content).toBe(textOf('tools', 1));
    expect(answer.chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
  });

  it('start again with the next user message', async () => {
    const messages = [
      ...question,
      { role: 'assistant', content: null, tool_calls: [call('a', 'get_order')] },
      { role: 'tool', tool_call_id: 'a', content: '{}' },
      { role: 'assistant', content: 'Done.' },
      ...question,
    ];
    const answer = await readStream(await ask(server, { model: 'replay/tools', tools, messages }));

    expect(answer.chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('are omitted for tools that the request does not have', async () => {
    const one = await readStream(
      await ask(server, { model: 'replay/tools', tools: [tool('track_parcel')] }),
    );
    const none = await readStream(await ask(server, { model: 'replay/tools' }));

    const names = one.chunks
      .flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])
      .flatMap((fragment) => fragment.function.name ?? []);
    expect(names).toEqual(['track_parcel']);
    expect(none.content).toBe(textOf('tools', 1));
  });

  it('are complete without `stream`', async () => {
    const body = { model: 'replay/tools', tools, stream: false, stream_options: undefined };
    const response = await ask(server, body);

    expect(await response.json()).toMatchObject({
      choices: [
        {
          message: { tool_calls: [{ function: { name: 'get_order' } }, { id: 'call_replay2' }] },
          finish_reason: 'tool_calls',
        },
      ],
    });
  });
});

describe('server.use()', () => {
  it('overrides the options of the model name until the next call', async () => {
    const model = 'replay/short,chunks=token';
    server.use({ answer: 'emoji', chunks: 'whole' });
    const laid = await readStream(await ask(server, { model }));
    server.use({});
    const plain = await readStream(await ask(server, { model }));

    expect(laid.content).toBe(textOf('emoji'));
    expect(laid.chunks).toHaveLength(4);
    expect(plain.content).toBe(textOf('short'));
  });

  it('plays a custom answer', async () => {
    server.use({ answer: { description: 'mine', turns: [{ text: 'Own words.' }] } });

    expect((await readStream(await ask(server))).content).toBe('Own words.');
  });

  it('throws an error that lists the answers for an unknown name', () => {
    expect(() => server.use({ answer: 'novel' })).toThrow(/There is no answer "novel"; .*report/);
  });
});

describe('server.close()', () => {
  it('aborts pending answers, and can be called twice', async () => {
    server.use({ fault: 'hang-start' });
    const response = await ask(server);
    await server.close();
    await server.close();

    expect((await readStream(response)).error).toBeInstanceOf(TypeError);
    expect(server.requests[0]?.aborted).toBe(false);
  });
});
