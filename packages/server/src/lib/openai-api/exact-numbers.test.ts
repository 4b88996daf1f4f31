import { describe, expect, it } from 'vitest';
import { responseModel, setupChatModel } from '../testing/setup-chat-model.ts';
import { type Replay, replayUpstream } from '../testing/setup-gateway.ts';

/** Numbers that JavaScript cannot represent. */
const numbers = '[9007199254740993,-12345678901234567890,1e400]';
const item = `{"type":"function_call_output","call_id":"c","output":"x","vendor":${numbers}}`;
const outputItem = `{"type":"function_call","call_id":"c","name":"f","arguments":"{}","vendor":${numbers}}`;
const created = '{"type":"response.created","sequence_number":0,"response":{"output":[]}}';
const done = `{"id":"r","object":"response","status":"completed","output":[${outputItem}],"vendor":${numbers}}`;
const tools = `[{"type":"function","name":"f","parameters":{"maximum":${numbers}}}]`;

/** Sends `done` as JSON or as a stream, as the caller requests. */
const respond: Replay = async (response, call) => {
  const isStream = JSON.parse(String(await call.body)).stream === true;
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
  const progress = `{"type":"response.in_progress","sequence_number":1,"vendor":${numbers},"response":${done}}`;
  const completed = `{"type":"response.completed","sequence_number":2,"response":${done}}`;
  const events = [created, progress, completed].map((data) => `data: ${data}\n\n`);
  response.end(isStream ? events.join('') : done);
};

async function setup(options?: Parameters<typeof setupChatModel>[1]) {
  const server = await setupChatModel(respond, options);
  const send = async (method: string, path: string, body?: string) => {
    const response = await server.send(`/chat-model/v1${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body }),
    });
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({ status: 200 });
    return text;
  };
  return {
    ...server,
    send,
    /** Creates a response. Returns its id and the text of the answer. */
    create: async (fields = '') => {
      const body = `{"model":"m","input":[${item}],"tools":${tools},"vendor":${numbers}${fields}}`;
      const text = await send('POST', '/responses', body);
      return { id: /"id":"(resp_[\w-]+)"/.exec(text)?.[1] ?? '', text };
    },
    waitFor: (id: string) =>
      expect.poll(() => send('GET', `/responses/${id}`)).toContain('"status":"completed"'),
    lastForwarded: async () => String(await server.calls.at(-1)?.body),
  };
}

/** Counts the lists of `numbers` in a text. */
const count = (text: string) => text.split(numbers).length - 1;

describe('numbers in JSON bodies keep all digits', () => {
  it.each([
    ['a response', '', 2],
    ['a streamed response', ',"stream":true', 5],
    ['a background response', ',"background":true', 1],
    ['a streamed background response', ',"background":true,"stream":true', 7],
  ])('in %s, for the upstream and for the caller', async (_, fields, expected) => {
    const { create, send, waitFor, lastForwarded } = await setup();

    const { id, text } = await create(fields);
    await waitFor(id);

    expect(count(await lastForwarded())).toBe(3);
    expect(count(text)).toBe(expected);
    expect(count(await send('GET', `/responses/${id}`))).toBe(2);
    expect(count(await send('GET', `/responses/${id}/input_items`))).toBe(1);
  });

  it('in the events of a background response that are read again', async () => {
    const { create, send } = await setup();
    const { id, text } = await create(',"background":true,"stream":true');

    expect(await send('GET', `/responses/${id}?stream=true`)).toBe(text);
  });

  it('in preceding and referenced items', async () => {
    const { create, send, lastForwarded } = await setup();
    const first = await create();
    const [, itemId] = /"id":"(fc_[\w-]+)"/.exec(first.text) ?? [];

    await create(`,"previous_response_id":"${first.id}"`);
    expect(count(await lastForwarded())).toBe(5);
    await send(
      'POST',
      '/responses',
      `{"model":"m","input":[{"type":"item_reference","id":"${itemId}"}]}`,
    );
    expect(count(await lastForwarded())).toBe(1);
  });

  it('in items of conversations', async () => {
    const { create, send, lastForwarded } = await setup();
    const [, id] =
      /"id":"(conv_[\w-]+)"/.exec(await send('POST', '/conversations', `{"items":[${item}]}`)) ??
      [];
    const path = `/conversations/${id}/items`;

    const added = await send('POST', path, `{"items":[${item}]}`);
    const [, itemId] = /"id":"(fco_[\w-]+)"/.exec(added) ?? [];

    expect(count(added)).toBe(1);
    expect(count(await send('GET', path))).toBe(2);
    expect(count(await send('GET', `${path}/${itemId}`))).toBe(1);
    await create(`,"conversation":"${id}"`);
    expect(count(await lastForwarded())).toBe(5);
  });

  it.each([
    ['chat completions', '', 3],
    ['streamed chat completions', ',"stream":true,"stream_options":{"include_usage":true}', 3],
  ])('in %s of a model of the catalogue', async (_, fields, expected) => {
    const usage = `{"prompt_tokens":1,"completion_tokens":1,"vendor":${numbers}}`;
    const body = `{"choices":[{"message":{"vendor":${numbers}}}],"vendor":${numbers},"usage":${usage}}`;
    const provider = await replayUpstream(async (response, call) => {
      await call.body;
      const type = fields === '' ? 'application/json' : 'text/event-stream';
      response.writeHead(200, { 'content-type': type });
      response.end(fields === '' ? body : `data: ${body}\n\ndata: [DONE]\n\n`);
    });
    const { models } = responseModel([provider.url], { supported_apis: ['chat_completions'] });
    const { send } = await setup({ config: { models } });

    const text = await send(
      'POST',
      '/chat/completions',
      `{"model":"acme/large","messages":[{"role":"user","content":"Hi"}],"tools":${tools},"vendor":${numbers}${fields}}`,
    );

    expect(count(text)).toBe(expected);
    expect(count(String(await provider.calls.at(-1)?.body))).toBe(2);
  });
});
