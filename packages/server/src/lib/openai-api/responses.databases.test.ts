import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createSqliteStore } from '../store/sqlite-store.ts';
import { expectError, responseModel, setupChatModel } from '../testing/setup-chat-model.ts';
import { events, json, type Replay, replayUpstream } from '../testing/setup-gateway.ts';
import { testApiKey, upstreamKey } from '../testing/setup-server.ts';

const day = 86_400_000;
const upstreamId = 'msg_0123456789abcdef0123456789abcdef';
const reply = (text: string) => ({
  type: 'message',
  id: upstreamId,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
/** `reply(text)` with an id of the platform, as callers get it. */
const issuedReply = (text: string) => ({
  ...reply(text),
  id: expect.stringMatching(/^msg_[\w-]{22}$/),
});
const completedResponse = (...output: object[]) => ({
  id: 'resp_of_the_upstream',
  object: 'response',
  created_at: 1_800_000_000,
  status: 'completed',
  model: 'm-2026',
  store: false,
  previous_response_id: null,
  output,
  usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  vendor_extension: true,
});
const sseEvents = (...list: { type: string; [member: string]: unknown }[]) =>
  list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

/** Serves the family. By default, its upstream answers each request with the text `answer <n>`. */
async function setup(replay?: Replay, options?: Parameters<typeof setupChatModel>[1]) {
  let count = 0;
  const server = await setupChatModel(
    replay ??
      ((response, call) => {
        count += 1;
        return json(completedResponse(reply(`answer ${count}`)))(response, call);
      }),
    options,
  );
  const create = async (body: object, headers?: object) =>
    server.call('POST', '/responses', { model: 'm', ...body }, headers);
  return {
    ...server,
    create,
    /** The bodies that the upstream received. */
    forwarded: () =>
      Promise.all(server.calls.map(async ({ body }) => JSON.parse((await body).toString()))),
    /** Texts of the listed input items. */
    inputOf: async (id: string, query = '?order=asc') => {
      const { body } = await server.call('GET', `/responses/${id}/input_items${query}`);
      return body.data.map(({ content }: { content: [{ text: string }] }) => content[0].text);
    },
  };
}

describe('a response of the chat-model family', () => {
  it('lists its input items with the same number of queries, however many there are', async () => {
    const store = await createSqliteStore({ data: 'memory' });
    let queries = 0;
    const counter: KyselyPlugin = {
      transformQuery({ node }) {
        if (JSON.stringify(node).includes('"chat_model_items"')) queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const sharedStore = { ...store, db: store.db.withPlugin(counter) };
    const { create, inputOf } = await setup(undefined, { sharedStore });
    const queriesFor = async (count: number) => {
      const input = Array.from({ length: count }, (_, n) => ({ role: 'user', content: `${n}` }));
      const { body } = await create({ input });
      queries = 0;
      expect(await inputOf(body.id, '?order=asc&limit=100')).toHaveLength(count);
      return queries;
    };

    expect(await queriesFor(100)).toBe(await queriesFor(1));
  });

  it('is stored under an id that the server generates, and can be read', async () => {
    const { call, create, calls, forwarded } = await setup();

    const { status, body } = await create({ input: 'Hi', metadata: { a: 'b' } });

    expect(status).toBe(200);
    expect(body).toEqual({
      ...completedResponse(issuedReply('answer 1')),
      id: expect.stringMatching(/^resp_[\w-]{22}$/),
      store: true,
      background: false,
    });
    expect((await call('GET', `/responses/${body.id}`)).body).toEqual(body);
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /vendor/v1/responses',
    ]);
    expect(await forwarded()).toEqual([
      { model: 'm', input: 'Hi', metadata: { a: 'b' }, store: false },
    ]);
  });

  it('4.13.1: may have unknown members, which are forwarded unchanged', async () => {
    const { create, forwarded } = await setup();
    const extension = { vendor_option: { deep: [1, null, 'x'] }, top_k: 5 };

    await create({ input: 'Hi', temperature: 0.5, ...extension });

    expect(await forwarded()).toMatchObject([{ temperature: 0.5, ...extension }]);
  });

  it.each([
    [{ model: 5 }, 'model'],
    [{ temperature: 3 }, 'temperature'],
    [{ temperature: 'warm' }, 'temperature'],
    [{ top_p: -1 }, 'top_p'],
    [{ max_output_tokens: 0 }, 'max_output_tokens'],
    [{ top_logprobs: 21 }, 'top_logprobs'],
    [{ store: 'yes' }, 'store'],
    [{ tools: [{ name: 'f' }] }, 'tools[0].type'],
    [{ truncation: 'maybe' }, 'truncation'],
    [{ input: 5 }, 'input'],
    [
      {
        input: [
          { role: 'user', content: 'x' },
          { role: 'robot', content: 'x' },
        ],
      },
      'input[1].role',
    ],
    [{ input: [{ type: 'function_call_output', output: 'x' }] }, 'input[0].call_id'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
    [{ previous_response_id: 'resp_a', conversation: 'conv_a' }, 'previous_response_id'],
    [{ background: true, store: false }, 'store'],
  ])(
    '4.13.1: is refused with an error that contains the name of the invalid member: $1',
    async (fields, param) => {
      const { calls, create } = await setup();

      expectError(await create({ input: 'x', ...fields }), { status: 400, param });
      expect(calls).toEqual([]);
    },
  );

  it('4.13.2: cannot be read, deleted or continued if it was created with `store: false`', async () => {
    const { call, create } = await setup();
    const { body } = await create({ input: 'Hi', store: false });
    const refusal = { status: 404, code: 'response_not_found' };

    expect(body.store).toBe(false);
    expectError(await call('GET', `/responses/${body.id}`), refusal);
    expectError(await call('DELETE', `/responses/${body.id}`), refusal);
    expectError(await call('GET', `/responses/${body.id}/input_items`), refusal);
    expectError(await create({ input: 'x', previous_response_id: body.id }), {
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    });
  });

  it('4.13.2: expires 30 days after its creation, and is then deleted', async () => {
    const { call, clock, create, store } = await setup();
    const { body } = await create({ input: 'Hi' });

    clock.advance(30 * day - 1);
    expect((await call('GET', `/responses/${body.id}`)).body).toEqual(body);
    clock.advance(1);

    const refusal = { status: 404, code: 'response_not_found' };
    expectError(await call('GET', `/responses/${body.id}`), refusal);
    expectError(await call('DELETE', `/responses/${body.id}`), refusal);
    const rows = async () => {
      clock.advance(3_600_000);
      return [
        ...(await store.db.selectFrom('chat_model_responses').select('id').execute()),
        ...(await store.db.selectFrom('chat_model_items').select('id').execute()),
      ];
    };
    await expect.poll(rows).toEqual([]);
  });

  it('4.13.2: is deleted together with its items', async () => {
    const { call, create, store } = await setup();
    const { body } = await create({ input: 'Hi' });

    expect((await call('DELETE', `/responses/${body.id}`)).body).toEqual({
      id: body.id,
      object: 'response',
      deleted: true,
    });

    const refusal = { status: 404, code: 'response_not_found' };
    expectError(await call('GET', `/responses/${body.id}`), refusal);
    expectError(await call('DELETE', `/responses/${body.id}`), refusal);
    expect(await store.db.selectFrom('chat_model_items').selectAll().execute()).toEqual([]);
  });

  it('4.13.3: cannot be cancelled if it was created without `background`', async () => {
    const { call, create } = await setup();
    const { body } = await create({ input: 'Hi' });

    expectError(await call('POST', `/responses/${body.id}/cancel`), {
      status: 400,
      code: 'native_responses_operation_unsupported',
    });
    expectError(await call('POST', '/responses/resp_none/cancel'), {
      status: 404,
      code: 'object_not_found',
    });
  });

  it('4.13.4: lists the items of all responses that it continues, followed by the input of its request', async () => {
    const { create, call, forwarded, inputOf } = await setup();
    const { body: first } = await create({ input: 'one' });
    const { body: second } = await create({ input: 'two', previous_response_id: first.id });

    const { body: third } = await create({
      input: [{ role: 'user', content: 'three' }],
      previous_response_id: second.id,
      instructions: 'Be brief.',
    });

    const resolved = ['one', 'answer 1', 'two', 'answer 2', 'three'];
    expect(third.previous_response_id).toBe(second.id);
    expect(await inputOf(third.id)).toEqual(resolved);
    expect(await inputOf(third.id, '')).toEqual([...resolved].reverse());
    const [, , body] = await forwarded();
    expect(body).toEqual({
      model: 'm',
      instructions: 'Be brief.',
      store: false,
      input: [
        { role: 'user', content: 'one' },
        issuedReply('answer 1'),
        { role: 'user', content: 'two' },
        issuedReply('answer 2'),
        { role: 'user', content: 'three' },
      ],
    });
    const { body: list } = await call('GET', `/responses/${third.id}/input_items`);
    expect(list.data[0]).toEqual({
      id: expect.stringMatching(/^msg_[\w-]{22}$/),
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_text', text: 'three' }],
    });
  });

  it('4.13.4: lists its input items in pages', async () => {
    const { call, create } = await setup();
    const { body } = await create({
      input: ['a', 'b', 'c'].map((content) => ({ role: 'user', content })),
    });
    const list = async (query: string) =>
      (await call('GET', `/responses/${body.id}/input_items${query}`)).body;
    const all = (await list('?order=asc')).data;

    expect(await list('?limit=2')).toEqual({
      object: 'list',
      data: [all[2], all[1]],
      first_id: all[2].id,
      last_id: all[1].id,
      has_more: true,
    });
    expect(await list(`?limit=2&after=${all[1].id}`)).toMatchObject({
      data: [all[0]],
      has_more: false,
    });
    expect((await list(`?order=asc&after=${all[1].id}`)).data).toEqual([all[2]]);
    const path = `/responses/${body.id}/input_items`;
    expectError(await call('GET', `${path}?limit=101`), { status: 400, param: 'limit' });
    expectError(await call('GET', `${path}?order=up`), { status: 400, param: 'order' });
    expectError(await call('GET', `${path}?after=msg_none`), { status: 400, param: 'after' });
  });

  it('4.13.4: has input items whose ids start with a prefix for their type', async () => {
    const { call, create } = await setup();
    const { body } = await create({
      input: [
        { type: 'message', role: 'user', content: 'x', id: 'mine' },
        { type: 'reasoning', summary: [], encrypted_content: 'e' },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'y' },
      ],
    });

    const { data } = (await call('GET', `/responses/${body.id}/input_items?order=asc`)).body;

    expect(data.map(({ id }: { id: string }) => id.replace(/_.*/, ''))).toEqual([
      'msg',
      'rs',
      'fc',
      'fco',
    ]);
  });

  it('4.13.4: lists only the input of its request, and cannot be continued, after the response that it continues was deleted', async () => {
    const { call, create, inputOf } = await setup();
    const { body: first } = await create({ input: 'one' });
    const { body: second } = await create({ input: 'two', previous_response_id: first.id });

    await call('DELETE', `/responses/${first.id}`);

    expect(await inputOf(second.id)).toEqual(['two']);
    expectError(await create({ input: 'three', previous_response_id: second.id }), {
      status: 400,
      code: 'previous_response_not_found',
    });
  });

  it('4.13.4: lists only the input of its request after the response that it continues has expired', async () => {
    const { clock, create, inputOf } = await setup();
    const { body: first } = await create({ input: 'one' });
    clock.advance(20 * day);
    const { body: second } = await create({ input: 'two', previous_response_id: first.id });

    clock.advance(10 * day);

    expect(await inputOf(second.id)).toEqual(['two']);
  });

  it('is returned and stored even if its conversation is deleted while the upstream responds', async () => {
    let deleteConversation = async () => {};
    const { call, create } = await setup(async (response, upstreamCall) => {
      await deleteConversation();
      json(completedResponse(reply('answer')))(response, upstreamCall);
    });
    const { body: conversation } = await call('POST', '/conversations', {});
    deleteConversation = async () => {
      await call('DELETE', `/conversations/${conversation.id}`);
    };

    const created = await create({ input: 'one', conversation: conversation.id });

    expect([created.status, created.body.output]).toEqual([200, [issuedReply('answer')]]);
    expect((await call('GET', `/responses/${created.body.id}`)).status).toBe(200);
  });

  it('4.13.6: continues a conversation, and its items are added to the conversation', async () => {
    const { call, create, forwarded } = await setup();
    const { body: conversation } = await call('POST', '/conversations', {
      items: [{ role: 'user', content: 'zero' }],
    });

    const { body } = await create({ input: 'one', conversation: conversation.id });
    await create({ input: 'two', conversation: { id: conversation.id }, store: false });

    expect(body.conversation).toEqual({ id: conversation.id });
    const [, second] = await forwarded();
    expect(second).not.toHaveProperty('conversation');
    expect(second.input).toEqual([
      { role: 'user', content: 'zero' },
      { role: 'user', content: 'one' },
      issuedReply('answer 1'),
      { role: 'user', content: 'two' },
    ]);
    const { data } = (await call('GET', `/conversations/${conversation.id}/items`)).body;
    expect(data.map(({ content }: { content: [{ text: string }] }) => content[0].text)).toEqual([
      'zero',
      'one',
      'answer 1',
      'two',
      'answer 2',
    ]);
    await call('DELETE', `/conversations/${conversation.id}`);
    expectError(await create({ input: 'x', conversation: conversation.id }), {
      status: 404,
      code: 'conversation_not_found',
    });
  });

  it('belongs to the tenant: another API key reads, continues and deletes it', async () => {
    const { call, create, otherKey } = await setup();
    const { body } = await create({ input: 'Hi' });
    const { body: conversation } = await call('POST', '/conversations', {});
    const { headers } = await otherKey();
    const path = `/responses/${body.id}`;

    expect((await call('GET', path, undefined, headers)).body).toEqual(body);
    const { body: items } = await call('GET', `${path}/input_items`, undefined, headers);
    expect(items.data).toHaveLength(1);
    const reference = [{ type: 'item_reference', id: body.output[0].id }];
    for (const request of [
      { input: 'x', previous_response_id: body.id },
      { input: 'x', conversation: conversation.id },
      { input: reference },
    ]) {
      expect((await create(request, headers)).status).toBe(200);
    }
    expect((await call('DELETE', path, undefined, headers)).body).toMatchObject({ deleted: true });
    expectError(await call('GET', path), { status: 404, code: 'response_not_found' });
  });

  it('is sent to the upstream with the content of referenced items and files', async () => {
    const { call, create, forwarded, upload } = await setup();
    const { body: image } = await upload({
      file: new File([Buffer.from('89504e470d0a1a0a', 'hex')], 'a.png'),
      purpose: 'vision',
    });
    const { body: text } = await upload({ file: new File(['Hi'], 'a.txt'), purpose: 'user_data' });
    const { body: first } = await create({ input: 'one' });

    const { body } = await create({
      input: [
        { type: 'item_reference', id: first.output[0].id },
        {
          role: 'user',
          content: [
            { type: 'input_image', file_id: image.id, detail: 'low' },
            { type: 'input_file', file_id: text.id },
            { type: 'input_text', text: 'What is this?' },
          ],
        },
      ],
    });

    const [, second] = await forwarded();
    expect(second.input).toEqual([
      issuedReply('answer 1'),
      {
        role: 'user',
        content: [
          {
            type: 'input_image',
            image_url: 'data:image/png;base64,iVBORw0KGgo=',
            detail: 'low',
          },
          { type: 'input_file', filename: 'a.txt', file_data: 'data:text/plain;base64,SGk=' },
          { type: 'input_text', text: 'What is this?' },
        ],
      },
    ]);
    const { data } = (await call('GET', `/responses/${body.id}/input_items`)).body;
    expect(data[0].content[1]).toEqual({ type: 'input_file', file_id: text.id });
    const content = [{ type: 'input_file', file_id: 'file-none' }];
    expectError(await create({ input: [{ role: 'user', content }] }), {
      status: 400,
      param: 'input',
      message: 'file-none',
    });
  });

  it('is continued with its encrypted reasoning, but without reasoning items that have no encrypted content', async () => {
    const reasoning = { type: 'reasoning', id: 'rs_0123456789abcdef0123', summary: [] };
    const encrypted = { ...reasoning, id: 'rs_0123456789abcdef4567', encrypted_content: 'e' };
    const repeated = { ...reasoning, id: 'rs_0' };
    const { create, forwarded } = await setup(
      json(completedResponse(reasoning, encrypted, repeated, reply('a'))),
    );
    const { body } = await create({ input: 'one' });
    expect(body.output.slice(0, 3).map(({ id }: { id: string }) => id)).toEqual([
      reasoning.id,
      encrypted.id,
      expect.stringMatching(/^rs_[\w-]{22}$/),
    ]);

    await create({ input: 'two', previous_response_id: body.id });

    const [, second] = await forwarded();
    expect(second.input.slice(1, -1)).toEqual([encrypted, issuedReply('a')]);
  });

  it('is refused if it continues a response whose items exceed the size limit of a body', async () => {
    const { create } = await setup(undefined, {
      config: { limits: { request: { model_json_bytes: 2000 } } },
    });
    const { body: first } = await create({ input: 'x'.repeat(1500) });
    const next = { input: 'x'.repeat(1500), previous_response_id: first.id };
    const { body: second } = await create(next);

    expectError(await create({ ...next, previous_response_id: second.id }), {
      status: 400,
      code: 'context_length_exceeded',
      param: 'previous_response_id',
    });
  });

  it('7.1: fails with the unchanged error of the upstream, and is not stored', async () => {
    const error = {
      message: 'Unknown model',
      type: 'invalid_request_error',
      param: 'model',
      code: 'x',
    };
    const { create, store } = await setup(json({ error }, 404));

    const { status, headers, body } = await create({ input: 'Hi' });

    expect({ status, body }).toEqual({ status: 404, body: { error } });
    expect(headers.get('x-service-problem-origin')).toBe('upstream_provider');
    expect(await store.db.selectFrom('chat_model_responses').selectAll().execute()).toEqual([]);
  });

  it.each([
    ['is not JSON', 'no JSON'],
    ['has no output', { object: 'response' }],
  ])('fails with 502 if the response of the upstream %s', async (_, answer) => {
    const { create } = await setup(json(answer));

    expectError(await create({ input: 'Hi' }), { status: 502, code: 'upstream_error' });
  });

  it('requires an upstream, unlike conversations and files', async () => {
    const { call, create, upload } = await setup(undefined, { config: { compatible: {} } });

    const refused = await create({ input: 'Hi' });

    expectError(refused, { status: 501, code: 'not_implemented' });
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expectError(await create({ input: 'Hi', background: true }), { status: 501 });
    expectError(await call('GET', '/responses/resp_none'), { status: 404 });
    expect((await call('POST', '/conversations', {})).status).toBe(200);
    expect((await upload({ file: new File(['x'], 'a'), purpose: 'vision' })).status).toBe(200);
  });
});

describe('a streamed response of the chat-model family', () => {
  const started = { ...completedResponse(), status: 'in_progress' };
  const item = reply('Hello');
  const stream = sseEvents(
    { type: 'response.created', sequence_number: 0, response: started },
    { type: 'response.output_item.added', output_index: 0, item },
    {
      type: 'response.output_text.delta',
      output_index: 0,
      item_id: upstreamId,
      delta: 'Hello',
    },
    { type: 'response.vendor', kept: true },
    { type: 'response.completed', sequence_number: 4, response: completedResponse(item) },
  );
  const read = async (response: Response) => {
    const text = await response.text();
    return text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)));
  };
  const post = (body: object) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', input: 'Hi', stream: true, ...body }),
  });

  it('has the ids of the server in every event, and is stored before it ends', async () => {
    const { call, inputOf, send } = await setup(events(...stream));

    const response = await send('/chat-model/v1/responses', post({}));
    const list = await read(response);

    const { id, output } = list[4].response;
    const itemId = output[0].id;
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(id).toMatch(/^resp_[\w-]{22}$/);
    expect(itemId).toMatch(/^msg_[\w-]{22}$/);
    expect(list).toMatchObject([
      { response: { id, store: true } },
      { item: { id: itemId } },
      { item_id: itemId, delta: 'Hello' },
      { type: 'response.vendor', kept: true },
      { response: { id, output: [{ id: itemId }] } },
    ]);
    expect((await call('GET', `/responses/${id}`)).body).toEqual(list[4].response);
    expect(await inputOf(id)).toEqual(['Hi']);
  });

  it('is not stored with `store: false`', async () => {
    const { call, send } = await setup(events(...stream));

    const list = await read(await send('/chat-model/v1/responses', post({ store: false })));

    expect(list[4].response.store).toBe(false);
    expectError(await call('GET', `/responses/${list[4].response.id}`), { status: 404 });
  });

  it('ends with an error event, and is not stored, if the stream of the upstream ends early', async () => {
    const { send, store } = await setup(events(...stream.slice(0, 3)));

    const list = await read(await send('/chat-model/v1/responses', post({})));

    expect(list.at(-1)).toMatchObject({
      type: 'error',
      code: 'upstream_error',
      sequence_number: 1,
    });
    expect(await store.db.selectFrom('chat_model_responses').selectAll().execute()).toEqual([]);
  });

  it('is aborted at the upstream when the caller disconnects', async () => {
    const { calls, send } = await setup((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(stream[0]);
    });
    const caller = new AbortController();

    const response = await send('/chat-model/v1/responses', { ...post({}), signal: caller.signal });
    await response.body?.getReader().read();
    caller.abort();

    await calls[0]?.disconnected;
    expect(calls).toHaveLength(1);
  });
});

describe('a response of a model of the catalogue', () => {
  const model = 'acme/large';
  const answer = {
    ...completedResponse(reply('Hi')),
    usage: { input_tokens: 600, output_tokens: 500 },
  };
  const delta = { type: 'response.output_text.delta', delta: 'a'.repeat(8000) };
  const created = { type: 'response.created', response: { ...answer, status: 'in_progress' } };
  const stream = sseEvents(created, delta, {
    type: 'response.completed',
    response: answer,
  });
  const busy = json({ error: { message: 'busy' } }, 503);

  /** Serves the model with one provider for each replay. */
  async function setupModel(
    replays: Replay[],
    fields?: Parameters<typeof responseModel>[1],
    config: object = {},
  ) {
    const providers = await Promise.all(replays.map(replayUpstream));
    const urls = providers.map(({ url }) => `${url}/v1`);
    const server = await setup(undefined, {
      config: { ...responseModel(urls, fields), ...config },
    });
    return {
      ...server,
      /** The requests of each provider. */
      providers: providers.map(({ calls }) => calls),
      /** Creates a response, and reads its text. */
      post: async (body: object = {}) => {
        const response = await server.send('/chat-model/v1/responses', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ model, input: 'Hi', ...body }),
        });
        return { status: response.status, headers: response.headers, text: await response.text() };
      },
      /** Costs of the model in this month, in micro-cents. */
      costs: async () => {
        const rows = await server.store.db.selectFrom('model_months').selectAll().execute();
        return rows.map((row) => [row.model, Number(row.spent_microcents)]);
      },
    };
  }

  it.each([{}, { stream: true }, { background: true }])(
    'is refused if the model does not offer responses: %j',
    async (fields) => {
      const { calls, create, providers, store } = await setupModel([json(answer)], {
        supported_apis: ['chat_completions'],
      });

      expectError(await create({ model, input: 'Hi', ...fields }), {
        status: 404,
        code: 'model_protocol_not_offered',
        param: 'model',
      });
      expect([calls, providers[0]]).toEqual([[], []]);
      expect(await store.db.selectFrom('chat_model_responses').selectAll().execute()).toEqual([]);
    },
  );

  it.each<[string, Replay]>([
    ['is busy', busy],
    ['refuses the key', json({ error: { message: 'no' } }, 401)],
    ['does not know the model', json({ error: { message: 'unknown' } }, 404)],
    ['closes the connection', (response) => response.destroy()],
  ])('is created by the next provider if the first one %s', async (_, first) => {
    const { call, calls, create, providers } = await setupModel([first, json(answer)]);

    const { status, body } = await create({ model, input: 'Hi' });
    const next = await create({ model, input: 'More', previous_response_id: body.id });

    expect([status, next.status]).toEqual([200, 200]);
    const [sent, continued] = providers[1] ?? [];
    expect(sent?.url).toBe('/v1/responses');
    expect(sent?.headers.authorization).toBe(`Bearer ${upstreamKey}`);
    const parsed = async (request = sent) => JSON.parse(String(await request?.body));
    expect(await parsed()).toEqual({ model: 'model-of-p1', input: 'Hi', store: false });
    expect((await parsed(continued)).input).toHaveLength(3);
    expect((await call('GET', `/responses/${body.id}`)).body).toEqual(body);
    expect(calls).toEqual([]);
  });

  it('is streamed by the next provider if the first one fails', async () => {
    const { post, providers } = await setupModel([busy, events(...stream)]);

    const { status, text } = await post({ stream: true });

    expect(status).toBe(200);
    expect(text).toContain('response.completed');
    expect(providers.map((calls) => calls.length)).toEqual([1, 1]);
  });

  it('is not sent to another provider if the first one rejects it, and costs nothing', async () => {
    const error = { message: 'No such tool', type: 'invalid_request_error' };
    const { costs, create, providers } = await setupModel([json({ error }, 400), json(answer)]);

    const { status, body } = await create({ model, input: 'Hi' });

    expect({ status, body }).toEqual({ status: 400, body: { error } });
    expect(providers[1]).toEqual([]);
    expect(await costs()).toEqual([]);
  });

  it.each([
    [402, {}],
    [403, {}],
    [404, {}],
    [429, { code: 'insufficient_quota' }],
    [500, {}],
    [503, {}],
  ])(
    '7.4: gets a 502 if the last provider responds with %i %j after the others failed',
    async (status, error) => {
      const { create } = await setupModel([
        busy,
        json({ error: { message: 'x', ...error } }, status),
      ]);

      expectError(await create({ model, input: 'Hi' }), {
        status: 502,
        code: 'provider_unavailable',
      });
    },
  );

  it('does not require an upstream of the chat-model family', async () => {
    const { create } = await setupModel([json(answer)], {}, { compatible: {} });

    expect((await create({ model, input: 'Hi' })).status).toBe(200);
  });

  it.each([{}, { background: true }])(
    'is refused if no provider of the model supports responses: %j',
    async (fields) => {
      const { create } = await setupModel([], { providers: [{ provider: 'scripted' }] });

      expectError(await create({ model, input: 'Hi', ...fields }), {
        status: 503,
        code: 'model_protocol_line_unavailable',
      });
    },
  );

  it('8.3.2: counts against the requests per minute of the model', async () => {
    const { post, providers } = await setupModel([json(answer)], { requests_per_minute: 1 });

    await post();
    const { status, headers, text } = await post();

    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('60');
    expect(JSON.parse(text).error.type).toBe('rate_limit_error');
    expect(providers[0]).toHaveLength(1);
  });

  it.each<[string, Replay, object]>([
    ['a response without streaming', json(answer), {}],
    ['a stream', events(...stream), { stream: true }],
  ])(
    '8.3.2: counts against the tokens per minute with its reported usage: %s',
    async (_, replay, fields) => {
      const { costs, post } = await setupModel([replay], { tokens_per_minute: 1000 });

      const first = await post(fields);
      const { status, text } = await post(fields);

      expect(first.status).toBe(200);
      expect(status).toBe(429);
      expect(text).toContain('1100 of 1000');
      expect(await costs()).toEqual([[model, 600 * 100 + 500 * 1000]]);
    },
  );

  it.each<[string, Replay, object]>([
    [
      'a response without streaming',
      json({ ...completedResponse(reply('a'.repeat(8000))), usage: null }),
      {},
    ],
    ['a stream that ends early', events(...stream.slice(0, 2)), { stream: true }],
  ])(
    '8.3.2: counts against the tokens per minute with an estimated usage if none is reported: %s',
    async (_, replay, fields) => {
      const { post, costs } = await setupModel([replay], { tokens_per_minute: 1000 });

      await post(fields);

      expect((await post(fields)).status).toBe(429);
      const [[, cost] = []] = await costs();
      expect(Number(cost)).toBeGreaterThan(2000 * 1000);
      expect(Number(cost)).toBeLessThan(2200 * 1000);
    },
  );

  it('8.3.2: counts with an estimated usage if the caller disconnects during the stream', async () => {
    const { costs, providers, send } = await setupModel([
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(stream.slice(0, 2).join(''));
      },
    ]);
    const caller = new AbortController();

    const response = await send('/chat-model/v1/responses', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: 'Hi', stream: true }),
      signal: caller.signal,
    });
    await response.body?.getReader().read();
    caller.abort();

    await providers[0]?.[0]?.disconnected;
    await expect.poll(costs).toEqual([[model, expect.any(Number)]]);
    const [[, cost] = []] = await costs();
    expect(Number(cost)).toBeGreaterThan(2000 * 1000);
  });

  it('8.3.2: counts with an estimated usage if the caller disconnects before the response', async () => {
    const { costs, providers, send } = await setupModel([() => {}]);
    const caller = new AbortController();

    const refused = expect(
      send('/chat-model/v1/responses', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, input: 'a'.repeat(8000) }),
        signal: caller.signal,
      }),
    ).rejects.toThrow();
    await expect.poll(() => providers[0]?.length).toBe(1);
    await providers[0]?.[0]?.body;
    caller.abort();

    await refused;
    await expect.poll(costs).toEqual([[model, expect.any(Number)]]);
    const [[, cost] = []] = await costs();
    expect(Number(cost)).toBeGreaterThan(2000 * 100);
    expect(Number(cost)).toBeLessThan(2100 * 100);
  });

  it('costs nothing if the caller disconnects before the request is sent to a provider', async () => {
    const { app, costs, providers } = await setupModel([json(answer)]);

    const { status } = await app.request('/chat-model/v1/responses', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${testApiKey}` },
      body: JSON.stringify({ model, input: 'Hi' }),
      signal: AbortSignal.abort(),
    });

    expect(status).toBe(408);
    expect([providers[0], await costs()]).toEqual([[], []]);
  });

  it('8.3.5: is refused if the monthly budget of the model is used up', async () => {
    const budget = { budget_cents_per_month: 1 };
    const expensive = { ...answer, usage: { input_tokens: 0, output_tokens: 1000 } };
    const { create } = await setupModel([json(expensive)], budget);

    const first = await create({ model, input: 'Hi' });
    const refused = await create({ model, input: 'Hi' });
    const inBackground = await create({ model, input: 'Hi', background: true });

    expect(first.status).toBe(200);
    for (const { status, headers, body } of [refused, inBackground]) {
      expect(status).toBe(429);
      expect(headers.get('retry-after')).toBeNull();
      expect(headers.get('x-service-problem-code')).toBe('QUOTA_EXHAUSTED');
      expect(body.error.message).toContain('budget');
    }
  });
});
