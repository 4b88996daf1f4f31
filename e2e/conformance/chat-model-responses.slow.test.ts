/** Rules 4.13.1 to 4.13.4 and 4.13.6: responses of the chat-model prefix. */
import { expect, it } from 'vitest';
import { type CompatibleOptions, startCompatibleServer } from './setup/compatible.ts';
import type { Reply } from './setup/server.ts';
import { neverRespond, respondWithJson } from './setup/upstream.ts';

const dayMs = 86_400_000;

/** A completed response of the upstream. */
const completedResponse = (text: string) => ({
  id: 'resp_of_the_upstream',
  object: 'response',
  created_at: 1_800_000_000,
  status: 'completed',
  model: 'm',
  output: [
    {
      type: 'message',
      id: `msg_${text.padEnd(32, '0')}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
  ],
});

async function start(options: CompatibleOptions = {}) {
  const { backend, ...server } = await startCompatibleServer({
    respond: (response) =>
      respondWithJson(completedResponse(`answer${server.received.length}`))(response),
    ...options,
  });
  const call = (method: string, path: string, body?: unknown) =>
    backend(method, `/chat-model/v1${path}`, body);
  return {
    ...server,
    call,
    create: (fields: object = {}) =>
      call('POST', '/responses', { model: 'm', input: 'Hi', ...fields }),
    /** Reads the texts of the input items of a response, oldest first. */
    inputOf: async (id: string): Promise<string[]> => {
      const { body } = await call('GET', `/responses/${id}/input_items?order=asc`);
      return body.data.map(({ content }: { content: [{ text: string }] }) => content[0].text);
    },
  };
}

/** Checks the status of an error, and its body, which has the format of the chat-model API. */
function expectError({ status, body }: Reply, expected: number, members: object = {}): void {
  expect({ status, error: body.error }).toMatchObject({
    status: expected,
    error: { message: expect.any(String), ...members },
  });
}

const notFoundError = { code: 'response_not_found' };

it('4.13.1 a response is created with unknown members, which are forwarded unchanged', async () => {
  const { create, received } = await start();
  const unknown = { vendor_option: { deep: [1, null] }, top_k: 5 };

  const { status } = await create(unknown);

  expect(status).toBe(200);
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject(unknown);
});

it('4.13.1 creating a response with an invalid declared member gets 400 with the name of the member', async () => {
  const { create, received } = await start();

  expectError(await create({ temperature: 3 }), 400, { param: 'temperature' });
  expectError(await create({ max_output_tokens: 0 }), 400, { param: 'max_output_tokens' });
  expect(received).toEqual([]);
});

it('4.13.2 a response that was created with store=false cannot be read or deleted: 404', async () => {
  const { create, call } = await start();
  const { body } = await create({ store: false });

  expectError(await call('GET', `/responses/${body.id}`), 404, notFoundError);
  expectError(await call('DELETE', `/responses/${body.id}`), 404, notFoundError);
});

it('4.13.2, 8.4 a response is stored for 30 days by default', async () => {
  const { create, call, clock } = await start();
  const { body } = await create();
  clock.advance(30 * dayMs - 1);
  const before = await call('GET', `/responses/${body.id}`);

  clock.advance(1);

  expect([before.status, before.body]).toEqual([200, body]);
  expectError(await call('GET', `/responses/${body.id}`), 404, notFoundError);
});

it('4.13.2 a deleted response cannot be read: 404', async () => {
  const { create, call } = await start();
  const { body } = await create();

  expect((await call('DELETE', `/responses/${body.id}`)).status).toBe(200);

  expectError(await call('GET', `/responses/${body.id}`), 404, notFoundError);
});

it('4.13.3 a background response can be cancelled repeatedly, with the same result', async () => {
  const { create, call } = await start({ respond: neverRespond });
  const { body } = await create({ background: true });

  const cancelled = await call('POST', `/responses/${body.id}/cancel`);

  expect(cancelled.body).toMatchObject({ id: body.id, status: 'cancelled' });
  expect((await call('POST', `/responses/${body.id}/cancel`)).body).toEqual(cancelled.body);
});

it('4.13.3 cancelling a missing response gets 404 object_not_found', async () => {
  const { call } = await start();

  expectError(await call('POST', '/responses/resp_none/cancel'), 404, { code: 'object_not_found' });
});

it('4.13.3 cancelling a response without background=true gets 400', async () => {
  const { create, call } = await start();
  const { body } = await create();

  const reply = await call('POST', `/responses/${body.id}/cancel`);

  expectError(reply, 400, { code: 'native_responses_operation_unsupported' });
});

it('4.13.4, 8.4 the `limit` of the list of input items is 1 to 100, and 20 by default', async () => {
  const { create, call } = await start();
  const input = Array.from({ length: 25 }, (_, n) => ({ role: 'user', content: `${n}` }));
  const { body } = await create({ input });
  const path = `/responses/${body.id}/input_items`;

  expect((await call('GET', path)).body.data).toHaveLength(20);
  expect((await call('GET', `${path}?limit=100`)).body.data).toHaveLength(25);
  for (const limit of [0, 101]) expectError(await call('GET', `${path}?limit=${limit}`), 400);
});

it('4.13.4 input items are listed newest first by default; `order` and `after` are supported', async () => {
  const { create, call } = await start();
  const { body } = await create({
    input: ['a', 'b', 'c'].map((content) => ({ role: 'user', content })),
  });
  const list = async (query: string) => {
    const { body: page } = await call('GET', `/responses/${body.id}/input_items${query}`);
    const texts = page.data.map(({ content }: { content: [{ text: string }] }) => content[0].text);
    expect(page).toMatchObject({ first_id: page.data[0].id, last_id: page.data.at(-1).id });
    return { texts, hasMore: page.has_more, last: page.last_id };
  };

  const first = await list('?limit=2');
  expect(first).toMatchObject({ texts: ['c', 'b'], hasMore: true });
  expect(await list(`?after=${first.last}`)).toMatchObject({ texts: ['a'], hasMore: false });
  expect(await list('?order=asc')).toMatchObject({ texts: ['a', 'b', 'c'], hasMore: false });
});

it('4.13.4 input items get ids from the server, with a prefix for each type', async () => {
  const { create, call } = await start();
  const { body } = await create({
    input: [
      { type: 'message', role: 'user', content: 'x', id: 'mine' },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'y' },
      { type: 'reasoning', summary: [], encrypted_content: 'e' },
    ],
  });

  const list = await call('GET', `/responses/${body.id}/input_items?order=asc`);

  const prefixes = list.body.data.map(({ id }: { id: string }) => id.replace(/_.*/, ''));
  expect(prefixes[0]).toBe('msg');
  expect(new Set(prefixes).size).toBe(4);
});

it('4.13.4 the input items of a response that continues another include the inputs and outputs of its ancestors', async () => {
  const { create, inputOf } = await start();
  const { body: first } = await create({ input: 'one' });

  const { body } = await create({ input: 'two', previous_response_id: first.id });

  expect(await inputOf(body.id)).toEqual(['one', 'answer1', 'two']);
});

it('4.13.4 if an ancestor of a response has expired, only the input of the response itself is listed', async () => {
  const { create, inputOf, clock } = await start();
  const { body: first } = await create({ input: 'one' });
  clock.advance(20 * dayMs);
  const { body } = await create({ input: 'two', previous_response_id: first.id });

  clock.advance(10 * dayMs);

  expect(await inputOf(body.id)).toEqual(['two']);
});

it('4.13.4 input items of a response with store=false get 404 response_not_found', async () => {
  const { create, call } = await start();
  const { body } = await create({ store: false });

  expectError(await call('GET', `/responses/${body.id}/input_items`), 404, notFoundError);
});

it('4.13.6 a response cannot be created with a deleted conversation', async () => {
  const { create, call } = await start();
  const { body: conversation } = await call('POST', '/conversations', {});
  const before = await create({ conversation: conversation.id });
  await call('DELETE', `/conversations/${conversation.id}`);

  expect(before.status).toBe(200);
  const reply = await create({ conversation: conversation.id });
  expectError(reply, 404, { code: 'conversation_not_found' });
});

it('4.13.6 a response cannot be created with items of a deleted conversation', async () => {
  const { create, call } = await start();
  const items = [{ role: 'user', content: 'first' }];
  const { body: conversation } = await call('POST', '/conversations', { items });
  await create({ conversation: conversation.id });
  const path = `/conversations/${conversation.id}`;
  const { data } = (await call('GET', `${path}/items`)).body;
  const reference = (id: string) => create({ input: [{ type: 'item_reference', id }] });
  // The item of the conversation, and the input and output of the response.
  expect(data).toHaveLength(3);
  for (const { id } of data) expect((await reference(id)).status).toBe(200);

  await call('DELETE', path);

  for (const { id } of data) expectError(await reference(id), 400, { param: 'input[0].id' });
});

const listedModel = {
  id: 'listed',
  supported_apis: ['responses' as const],
  providers: [
    {
      provider: 'openai-compatible' as const,
      name: 'a',
      base_url: 'http://127.0.0.1:9',
      model: 'm',
    },
  ],
};

it('7.4 a response without thinking of a model that always thinks gets 400 thinking_disable_unsupported', async () => {
  const models = [{ ...listedModel, can_disable_thinking: false }];
  const { create } = await start({ config: { models } });
  const request = { model: 'listed', reasoning: { effort: 'none' } };

  for (const fields of [{}, { background: true }]) {
    expectError(await create({ ...request, ...fields }), 400, {
      code: 'thinking_disable_unsupported',
      param: 'reasoning.effort',
    });
  }
});

it('7.4 a response in a `text.format` that the model does not support gets 400 validation_error', async () => {
  const models = [{ ...listedModel, response_formats: ['text' as const, 'json_object' as const] }];
  const { create } = await start({ config: { models } });
  const format = { type: 'json_schema', name: 'answer', schema: {} };

  const reply = await create({ model: 'listed', text: { format } });

  expectError(reply, 400, { code: 'validation_error', param: 'text.format' });
});
