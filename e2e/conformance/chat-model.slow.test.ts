/** Rules 4.13: endpoints of the chat-model prefix. The other files named `chat-model-*` test responses and videos. */
import { expect, it } from 'vitest';
import { type CompatibleOptions, startCompatibleServer } from './setup/compatible.ts';
import { startModelServer } from './setup/model-server.ts';
import { apiKey, type Reply, readReply } from './setup/server.ts';
import { respondWithError } from './setup/upstream.ts';

const prefix = '/chat-model/v1';
const scriptedProvider = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };

async function start(options: CompatibleOptions = {}) {
  const { backend, ...server } = await startCompatibleServer(options);
  return {
    ...server,
    call: (method: string, path: string, body?: unknown) => backend(method, prefix + path, body),
    /** Uploads a form. */
    upload: async (fields: Record<string, string | File>, query = ''): Promise<Reply> => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      const init = { method: 'POST', headers: { authorization: `Bearer ${apiKey}` }, body: form };
      return readReply(await fetch(`${server.url}${prefix}/files${query}`, init));
    },
  };
}

/** Checks that a response is an error in the form of the chat-model family. */
function expectError({ status, body }: Reply, expected: number, members: object = {}): void {
  expect({ status, error: body.error }).toMatchObject({
    status: expected,
    error: { message: expect.any(String), ...members },
  });
}

const chatRequest = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
const userItem = (content: string) => ({ role: 'user', content });
const textFile = (content = 'Hello') => new File([content], 'a.txt');
const purpose = 'user_data';

it('4.13 chat completions, embeddings, images and audio are forwarded to the upstream', async () => {
  const { call, received } = await start();
  const bodies = {
    '/chat/completions': chatRequest,
    '/embeddings': { model: 'm', input: 'Hi' },
    '/images/generations': { model: 'm', prompt: 'A cat' },
    '/audio/speech': { model: 'm', input: 'Hi', voice: 'alloy' },
  };

  for (const [path, body] of Object.entries(bodies)) {
    const reply = await call('POST', path, body);
    expect([reply.status, reply.body]).toEqual([200, { of: 'the upstream' }]);
    expect(received.at(-1)).toMatchObject({ url: `/vendor/v1${path}` });
    expect(JSON.parse(received.at(-1)?.body ?? '')).toEqual(body);
  }
});

it('4.13 moderations, batches, fine-tuning and other endpoints do not exist: 404', async () => {
  const { call, received } = await start();
  const paths = `/moderations /batches /fine_tuning/jobs /assistants /completions
    /audio/translations /uploads /images/variations`;

  for (const path of paths.split(/\s+/)) expectError(await call('POST', path, {}), 404);
  expect(received).toEqual([]);
});

it('4.13 vector stores have 16 operations', async () => {
  const { call, upload } = await start();
  const { body: file } = await upload({ file: textFile('Refunds take ten days'), purpose });
  const { body: store } = await call('POST', '/vector_stores', { name: 'Help' });
  const path = `/vector_stores/${store.id}`;

  const batch = await call('POST', `${path}/file_batches`, { file_ids: [file.id] });
  const batchPath = `${path}/file_batches/${batch.body.id}`;
  await expect.poll(async () => (await call('GET', batchPath)).body.status).toBe('completed');
  const replies = [
    await call('GET', '/vector_stores'),
    await call('GET', path),
    await call('POST', path, { name: 'New' }),
    await call('POST', `${path}/search`, { query: 'refunds' }),
    await call('GET', `${batchPath}/files`),
    await call('POST', `${batchPath}/cancel`),
    await call('GET', `${path}/files`),
    await call('GET', `${path}/files/${file.id}`),
    await call('GET', `${path}/files/${file.id}/content`),
    await call('POST', `${path}/files/${file.id}`, { attributes: { a: 1 } }),
    await call('DELETE', `${path}/files/${file.id}`),
    await call('POST', `${path}/files`, { file_id: file.id }),
    await call('DELETE', path),
  ];

  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(replies[3]?.body.data).toMatchObject([{ file_id: file.id, filename: 'a.txt' }]);
  expectError(await call('GET', path), 404, { code: 'vector_store_not_found' });
});

it('4.13.1 unknown members of chat completions and embeddings are forwarded unchanged', async () => {
  const { call, received } = await start();
  const unknown = { vendor_option: { deep: [1, null] }, top_k: 5 };

  await call('POST', '/chat/completions', { ...chatRequest, ...unknown });
  await call('POST', '/embeddings', { model: 'm', input: 'Hi', ...unknown });

  for (const { body } of received) expect(JSON.parse(body)).toMatchObject(unknown);
  expect(received).toHaveLength(2);
});

it('4.13.1 a declared member with an invalid type or range gets 400 with its name', async () => {
  const { call, received } = await start();

  for (const [path, body, param] of [
    ['/chat/completions', { ...chatRequest, temperature: 3 }, 'temperature'],
    ['/chat/completions', { ...chatRequest, n: 'two' }, 'n'],
    ['/chat/completions', { ...chatRequest, n: 129 }, 'n'],
    ['/chat/completions', { ...chatRequest, logit_bias: { 50256: 101 } }, 'logit_bias[50256]'],
    ['/chat/completions', { ...chatRequest, metadata: 'x' }, 'metadata'],
    ['/chat/completions', { ...chatRequest, modalities: 'text' }, 'modalities'],
    ['/chat/completions', { ...chatRequest, parallel_tool_calls: 'yes' }, 'parallel_tool_calls'],
    ['/chat/completions', { ...chatRequest, service_tier: 1 }, 'service_tier'],
    ['/chat/completions', { ...chatRequest, store: 'no' }, 'store'],
    ['/chat/completions', { ...chatRequest, tool_choice: 5 }, 'tool_choice'],
    ['/embeddings', { model: 'm', input: 5 }, 'input'],
  ] as const) {
    expectError(await call('POST', path, body), 400, { type: 'invalid_request_error', param });
  }
  expect(received).toEqual([]);
});

it('4.13.5 POST /responses/compact and /responses/input_tokens get 501 with `x-should-retry: false`', async () => {
  const { call, received } = await start();

  for (const path of ['/responses/compact', '/responses/input_tokens']) {
    const reply = await call('POST', path, {});
    expectError(reply, 501, { message: expect.stringContaining('has not implemented') });
    expect(reply.headers.get('x-should-retry')).toBe('false');
  }
  expect(received).toEqual([]);
});

it('4.13.6 a conversation is created with items and metadata, and can be read', async () => {
  const { call } = await start();
  const items = [userItem('a'), userItem('b')];

  const { status, body } = await call('POST', '/conversations', { items, metadata: { a: 'b' } });

  expect(status).toBe(200);
  expect(body).toMatchObject({ object: 'conversation', metadata: { a: 'b' } });
  expect((await call('GET', `/conversations/${body.id}`)).body).toEqual(body);
  const list = await call('GET', `/conversations/${body.id}/items`);
  expect(list.body.data).toHaveLength(2);
});

it('4.13.6, 8.4 a request can create at most 20 items of a conversation', async () => {
  const { call } = await start();
  const items = Array.from({ length: 21 }, (_, index) => userItem(`${index}`));
  const { body } = await call('POST', '/conversations', { items: items.slice(1) });

  expectError(await call('POST', '/conversations', { items }), 400, { param: 'items' });
  const path = `/conversations/${body.id}/items`;
  expectError(await call('POST', path, { items }), 400, { param: 'items' });
  expect((await call('POST', path, { items: items.slice(1) })).body.data).toHaveLength(20);
});

it('4.13.6 a missing conversation gets 404 conversation_not_found', async () => {
  const { call } = await start();

  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['POST', '', { metadata: {} }],
    ['DELETE', '', undefined],
    ['GET', '/items', undefined],
    ['POST', '/items', { items: [userItem('a')] }],
  ] as const) {
    const reply = await call(method, `/conversations/conv_none${path}`, body);
    expectError(reply, 404, { code: 'conversation_not_found' });
  }
});

it('4.13.6 an update replaces all metadata of a conversation', async () => {
  const { call } = await start();
  const { body } = await call('POST', '/conversations', { metadata: { a: '1', b: '2' } });

  const updated = await call('POST', `/conversations/${body.id}`, { metadata: { c: '3' } });

  expect(updated.body.metadata).toEqual({ c: '3' });
});

it('4.13.6 items are listed in the order of their creation, with `limit`, `after` and `order`', async () => {
  const { call } = await start();
  const { body } = await call('POST', '/conversations', { items: ['a', 'b', 'c'].map(userItem) });
  const texts = async (query: string) => {
    const list = await call('GET', `/conversations/${body.id}/items${query}`);
    return list.body.data.map(({ content }: { content: [{ text: string }] }) => content[0].text);
  };
  const list = await call('GET', `/conversations/${body.id}/items?limit=1`);

  expect(await texts('')).toEqual(['a', 'b', 'c']);
  expect(await texts('?order=desc&limit=2')).toEqual(['c', 'b']);
  expect(await texts(`?after=${list.body.last_id}`)).toEqual(['b', 'c']);
});

it('4.13.6 deleting an item returns the conversation', async () => {
  const { call } = await start();
  const { body: conversation } = await call('POST', '/conversations', { items: [userItem('a')] });
  const path = `/conversations/${conversation.id}/items`;
  const { body } = await call('GET', path);

  const deleted = await call('DELETE', `${path}/${body.data[0].id}`);

  expect(deleted.body).toEqual(conversation);
  expect((await call('GET', path)).body.data).toEqual([]);
});

it('4.13.6 a deleted conversation and its items get 404 conversation_not_found', async () => {
  const { call } = await start();
  const { body } = await call('POST', '/conversations', { items: [userItem('a')] });
  const path = `/conversations/${body.id}`;
  const { body: list } = await call('GET', `${path}/items`);
  await call('DELETE', path);

  for (const each of [path, `${path}/items`, `${path}/items/${list.data[0].id}`]) {
    expectError(await call('GET', each), 404, { code: 'conversation_not_found' });
  }
});

const catalogue = {
  models: [
    { id: 'acme/large-2', providers: [scriptedProvider] },
    { id: 'acme/other', providers: [scriptedProvider], supported_apis: ['messages' as const] },
  ],
};

it('4.13.7 the id of a model can have a publisher before a slash', async () => {
  const { call } = await start({ config: catalogue });

  for (const id of ['acme/large-2', encodeURIComponent('acme/large-2')]) {
    const { status, body } = await call('GET', `/models/${id}`);
    expect([status, body.id]).toEqual([200, 'acme/large-2']);
  }
});

it('4.13.7 models that do not declare the protocol are not listed, and get 404', async () => {
  const { call } = await start({ config: { ...catalogue, compatible: {} } });

  const { body } = await call('GET', '/models');

  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['acme/large-2']);
  for (const id of ['acme/other', 'none']) expectError(await call('GET', `/models/${id}`), 404);
});

it('7.4 a model without the protocol gets 404 model_protocol_not_offered', async () => {
  const { call } = await start({ config: catalogue });

  const reply = await call('POST', '/chat/completions', { ...chatRequest, model: 'acme/other' });

  expectError(reply, 404, { code: 'model_protocol_not_offered' });
});

it('7.4 an empty balance gets 402 insufficient_quota', async () => {
  const { request } = await startModelServer({ providers: { a: respondWithError(402) } });
  const headers = { authorization: `Bearer ${apiKey}`, 'x-upstream-api-key': 'sk-mine' };

  const reply = await request('POST', `${prefix}/chat/completions`, { headers, body: chatRequest });

  expectError(reply, 402, { code: 'insufficient_quota' });
});

it('7.2.1, 8.3.2 a request over a limit of a model gets the type rate_limit_error and `Retry-After: 60`', async () => {
  const models = [{ id: 'm', providers: [scriptedProvider], requests_per_minute: 1 }];
  const { call } = await start({ config: { models } });
  await call('POST', '/chat/completions', chatRequest);

  const reply = await call('POST', '/chat/completions', chatRequest);

  expectError(reply, 429, { type: 'rate_limit_error' });
  expect(reply.headers.get('retry-after')).toBe('60');
});

it('8.3.4 if a provider is throttled and the others fail, the 429 is returned', async () => {
  const { backend } = await startModelServer({
    providers: { a: respondWithError(429, { 'retry-after': '9' }), b: respondWithError(500) },
    model: { supported_apis: ['chat_completions', 'responses', 'embeddings'] },
  });

  for (const [path, body] of [
    ['/chat/completions', chatRequest],
    ['/responses', { model: 'm', input: 'Hi' }],
    ['/embeddings', { model: 'm', input: 'Hi' }],
  ] as const) {
    const reply = await backend('POST', prefix + path, body);
    expectError(reply, 429, { type: 'rate_limit_error' });
    expect(reply.headers.get('retry-after')).toBe('9');
  }
});

it('8.3.5 a request over the budget of a model gets the type budget_error, and no `Retry-After`', async () => {
  const models = [{ id: 'm', providers: [scriptedProvider], budget_cents_per_month: 0 }];
  const { call } = await start({ config: { models, prices: { m: {} } } });

  const reply = await call('POST', '/chat/completions', chatRequest);

  expectError(reply, 429, { type: 'budget_error' });
  expect(reply.headers.get('retry-after')).toBeNull();
});

it('4.13.8 remixing a video gets 400 with `x-should-retry: false`', async () => {
  const { call } = await start();

  const reply = await call('POST', '/videos/video_1/remix', { prompt: 'x' });

  expectError(reply, 400, {
    type: 'invalid_request_error',
    message: expect.stringContaining('not supported'),
  });
  expect(reply.headers.get('x-should-retry')).toBe('false');
});

it('4.13.9, 7.4 a parameter that the transcription API does not have gets 400 input_not_representable', async () => {
  const { url } = await start();
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: 'w', speaker_count: '2' })) {
    form.append(name, value);
  }
  form.append('file', textFile());
  const init = { method: 'POST', headers: { authorization: `Bearer ${apiKey}` }, body: form };

  const reply = await readReply(await fetch(`${url}${prefix}/audio/transcriptions`, init));

  expectError(reply, 400, { code: 'input_not_representable', param: 'speaker_count' });
});

it('4.13.10 a file is uploaded, read, downloaded and deleted', async () => {
  const { call, upload, url } = await start();

  const { status, body } = await upload({ purpose, file: textFile() });

  expect(status).toBe(200);
  expect(body).toMatchObject({ object: 'file', bytes: 5, filename: 'a.txt', purpose });
  expect((await call('GET', `/files/${body.id}`)).body).toEqual(body);
  const headers = { authorization: `Bearer ${apiKey}` };
  const content = await fetch(`${url}${prefix}/files/${body.id}/content`, { headers });
  expect(await content.text()).toBe('Hello');
  expect((await call('DELETE', `/files/${body.id}`)).status).toBe(200);
  expectError(await call('GET', `/files/${body.id}`), 404);
});

it('4.13.10, 8.4 a file of a chat model can have at most 104857600 bytes', async () => {
  const { upload } = await start();
  const maximum = new Uint8Array(104_857_600).fill(0x61);

  expect((await upload({ purpose, file: new File([maximum], 'a.txt') })).status).toBe(200);
  expectError(await upload({ purpose, file: new File([maximum, 'x'], 'a.txt') }), 400);
});

it('4.13.10 `purpose` is user_data, assistants or vision', async () => {
  const { upload } = await start();

  for (const each of ['user_data', 'assistants', 'vision']) {
    expect((await upload({ purpose: each, file: textFile() })).status).toBe(200);
  }
  for (const each of ['batch', 'fine-tune', '']) {
    expectError(await upload({ purpose: each, file: textFile() }), 400, { param: 'purpose' });
  }
});

it('4.13.10 the type of a file is detected from its content; an unsupported type or an empty file gets 400', async () => {
  const { upload } = await start();
  const bytes = (...values: number[]) => new File([new Uint8Array(values)], 'a.txt');
  const png = bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0);

  expect((await upload({ purpose, file: png })).status).toBe(200);
  expect((await upload({ purpose, file: new File(['%PDF-1.7\n'], 'a') })).status).toBe(200);
  expectError(await upload({ purpose, file: bytes(0x7f, 0x45, 0x4c, 0x46, 0, 1, 2) }), 400);
  expectError(await upload({ purpose, file: textFile('') }), 400);
});

it('4.13.10 an unknown form field or query parameter gets 400 with its name', async () => {
  const { upload } = await start();
  const type = 'invalid_request_error';
  const message = expect.stringContaining('extra');

  const field = await upload({ extra: 'x', purpose, file: textFile() });
  const query = await upload({ purpose, file: textFile() }, '?extra=x');

  for (const reply of [field, query]) expectError(reply, 400, { type, message, param: 'extra' });
  const list = await upload({ purpose, file: textFile() }, '?extra[]=x');
  expectError(list, 400, { type, message, param: 'extra[]' });
});

it('4.13.10 a file gets 404 after the time of its `expires_after`', async () => {
  const { upload, call, clock } = await start();
  const expiry = { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3600' };
  const { body } = await upload({ ...expiry, purpose, file: textFile() });
  const before = await call('GET', `/files/${body.id}`);

  clock.advance(3_600_000);

  expect(before.status).toBe(200);
  expectError(await call('GET', `/files/${body.id}`), 404);
});

it('4.13.11 the list of files supports only `after`, `order`, `limit` and `purpose`', async () => {
  const { upload, call, clock } = await start();
  const ids: string[] = [];
  for (const each of ['user_data', 'vision', 'user_data']) {
    clock.advance(1000);
    ids.push((await upload({ purpose: each, file: textFile() })).body.id);
  }
  const list = async (query: string) =>
    (await call('GET', `/files?${query}`)).body.data.map(({ id }: { id: string }) =>
      ids.indexOf(id),
    );

  expect(await list('order=asc&limit=2')).toEqual([0, 1]);
  expect(await list(`order=asc&after=${ids[1]}`)).toEqual([2]);
  expect(await list('purpose=vision')).toEqual([1]);
  for (const param of ['before', 'purpose[]', 'limit[]']) {
    const members = { type: 'invalid_request_error', message: expect.stringContaining(param) };
    expectError(await call('GET', `/files?${param}=1`), 400, { ...members, param });
  }
});
