import OpenAI, {
  APIError,
  APIUserAbortError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
  toFile,
} from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { json, type Replay, setupGateway } from '../testing/setup-gateway.ts';
import { testApiKey } from '../testing/setup-server.ts';

const reply = (text: string) => ({
  type: 'message',
  id: 'msg_0123456789abcdef0123456789abcdef',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const functionCall = {
  type: 'function_call',
  id: 'fc_0123456789abcdef0123456789abcdef',
  call_id: 'call_1',
  name: 'weather',
  arguments: '{"city":"Bern"}',
};
const responseOf = (...output: object[]) => ({
  id: 'resp_of_the_upstream',
  object: 'response',
  created_at: 1_800_000_000,
  status: 'completed',
  model: 'm',
  output,
});
const neverRespond: Replay = () => {};

/** A gateway, and the official client with its address. */
async function setup(replay?: Replay, options?: Parameters<typeof setupGateway>[1]) {
  const gateway = await setupGateway(replay, options);
  const client = new OpenAI({
    baseURL: `${gateway.url}/chat-model/v1`,
    apiKey: testApiKey,
    maxRetries: 0,
  });
  return { ...gateway, client };
}

const errorOf = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => null,
    (reason: unknown) => reason,
  );
const collect = async <Value>(list: AsyncIterable<Value>) => {
  const values: Value[] = [];
  for await (const value of list) values.push(value);
  return values;
};

describe('4.13: conversations with the official client', () => {
  it('can be created, read, changed, listed and deleted', async () => {
    const { client } = await setup();
    const { conversations } = client;
    const conversation = await conversations.create({
      items: [{ type: 'message', role: 'user', content: 'Hi' }],
      metadata: { topic: 'demo' },
    });
    const added = await conversations.items.create(conversation.id, {
      items: ['a', 'b'].map((content) => ({ role: 'user' as const, content })),
    });

    expect(await conversations.retrieve(conversation.id)).toMatchObject({
      metadata: { topic: 'demo' },
    });
    expect(await conversations.update(conversation.id, { metadata: { topic: 'x' } })).toMatchObject(
      { metadata: { topic: 'x' } },
    );
    const listed = await collect(conversations.items.list(conversation.id, { limit: 1 }));
    expect(listed.slice(1)).toEqual(added.data);
    const [first] = listed;
    const parent = { conversation_id: conversation.id };
    expect(await conversations.items.retrieve(String(first?.id), parent)).toEqual(first);
    expect(await conversations.items.delete(String(first?.id), parent)).toMatchObject({
      object: 'conversation',
    });
    expect(await conversations.delete(conversation.id)).toMatchObject({ deleted: true });
    const missing = await errorOf(conversations.retrieve(conversation.id));
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({
      status: 404,
      code: 'conversation_not_found',
      requestID: expect.stringMatching(/^req_/),
    });
  });
});

describe('4.13: files with the official client', () => {
  it('can be uploaded, listed, downloaded and deleted', async () => {
    const { client } = await setup();
    const file = await client.files.create({
      file: await toFile(Buffer.from('Hello'), 'a.txt'),
      purpose: 'user_data',
      expires_after: { anchor: 'created_at', seconds: 3600 },
    });
    const other = await client.files.create({
      file: await toFile(Buffer.from('Bye'), 'b.txt'),
      purpose: 'assistants',
    });

    expect(file.expires_at).toBe(file.created_at + 3600);
    expect(await client.files.retrieve(file.id)).toEqual(file);
    expect(await client.files.waitForProcessing(file.id)).toEqual(file);
    const ids = (await collect(client.files.list({ limit: 1 }))).map(({ id }) => id);
    expect(ids.sort()).toEqual([file.id, other.id].sort());
    expect(await (await client.files.content(file.id)).text()).toBe('Hello');
    expect(await client.files.delete(file.id)).toMatchObject({ deleted: true });
    expect(await errorOf(client.files.content(file.id))).toBeInstanceOf(NotFoundError);
  });

  it('are refused with a BadRequestError if their purpose is invalid', async () => {
    const { client } = await setup();
    const file = await toFile(Buffer.from('x'), 'a.txt');

    const refused = await errorOf(client.files.create({ file, purpose: 'batch' }));

    expect(refused).toBeInstanceOf(BadRequestError);
    expect(refused).toMatchObject({ status: 400, param: 'purpose', type: 'invalid_request_error' });
  });
});

describe('4.13: responses with the official client', () => {
  it('can be created, continued, read, listed and deleted', async () => {
    const { client, calls } = await setup(json(responseOf(reply('Hello'))));
    const first = await client.responses.create({ model: 'm', input: 'Hi' });

    const { data: second, request_id: requestId } = await client.responses
      .create({ model: 'm', input: 'More', previous_response_id: first.id })
      .withResponse();

    expect(first.output_text).toBe('Hello');
    expect(requestId).toMatch(/^req_/);
    expect((await client.responses.retrieve(second.id)).output_text).toBe('Hello');
    expect(JSON.parse(String(await calls[1]?.body)).input).toHaveLength(3);
    const items = await collect(client.responses.inputItems.list(second.id, { limit: 2 }));
    expect(items.map((item) => 'role' in item && item.role)).toEqual(['user', 'assistant', 'user']);
    await client.responses.delete(second.id);
    expect(await errorOf(client.responses.retrieve(second.id))).toMatchObject({
      status: 404,
      code: 'response_not_found',
    });
  });

  it('are streamed, and stored at the end', async () => {
    const { client } = await setup(async (response, call) => {
      await call.body;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const item = reply('Hello');
      const part = { type: 'output_text', text: '', annotations: [] };
      const position = { output_index: 0, content_index: 0, item_id: item.id };
      const list = [
        { type: 'response.created', response: { ...responseOf(), status: 'in_progress' } },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
        { type: 'response.content_part.added', ...position, part },
        { type: 'response.output_text.delta', ...position, delta: 'Hel', logprobs: [] },
        { type: 'response.output_text.delta', ...position, delta: 'lo', logprobs: [] },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: responseOf(item) },
      ];
      for (const [sequence_number, event] of list.entries()) {
        response.write(
          `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
        );
      }
      response.end();
    });

    const stream = client.responses.stream({ model: 'm', input: 'Hi' });
    const deltas: string[] = [];
    const ids = new Set<unknown>();
    stream.on('response.output_text.delta', ({ delta }) => deltas.push(delta));
    stream.on('event', (event) => {
      if ('item_id' in event) ids.add(event.item_id);
      if ('item' in event) ids.add(event.item.id);
    });
    const final = await stream.finalResponse();

    expect(deltas).toEqual(['Hel', 'lo']);
    expect(final.output[0]?.id).toMatch(/^msg_[\w-]{22}$/);
    expect([...ids]).toEqual([final.output[0]?.id]);
    expect(final.id).toMatch(/^resp_[\w-]{22}$/);
    expect((await client.responses.retrieve(final.id)).output_text).toBe('Hello');
  });

  it('cause an APIError if their stream breaks', async () => {
    const { client } = await setup(async (response, call) => {
      await call.body;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = { type: 'response.output_text.delta', delta: 'Hel', sequence_number: 0 };
      response.write(`data: ${JSON.stringify(event)}\n\n`, () => response.destroy());
    });

    const stream = await client.responses.create({ model: 'm', input: 'Hi', stream: true });
    const error = await errorOf(collect(stream));

    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({
      message: 'The upstream returned an invalid response.',
      code: 'upstream_error',
      type: 'server_error',
    });
  });

  it('call tools, and are continued with the results', async () => {
    const { client, calls } = await setup(json(responseOf(functionCall)));
    const tools: OpenAI.Responses.Tool[] = [
      { type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false },
    ];

    const first = await client.responses.create({ model: 'm', input: 'Weather?', tools });
    await client.responses.create({
      model: 'm',
      previous_response_id: first.id,
      tools,
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'Sunny' }],
    });

    expect(first.output).toMatchObject([{ ...functionCall, id: expect.any(String) }]);
    const sent = JSON.parse(String(await calls[1]?.body));
    expect(sent.tools).toEqual(tools);
    expect(sent.input.slice(1)).toEqual([
      ...first.output,
      { type: 'function_call_output', call_id: 'call_1', output: 'Sunny' },
    ]);
  });

  it('can refer to stored files by id, also in chat completions, which then contain the files', async () => {
    const { client, calls } = await setup(json({ object: 'chat.completion', choices: [] }));
    const file = await client.files.create({
      file: await toFile(Buffer.from('Bern'), 'city.txt'),
      purpose: 'user_data',
    });
    const complete = (fileId: string) =>
      client.chat.completions.create({
        model: 'm',
        messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: fileId } }] }],
      });

    await complete(file.id);

    const url = `data:text/plain;base64,${Buffer.from('Bern').toString('base64')}`;
    expect(JSON.parse(String(await calls[0]?.body)).messages[0].content).toEqual([
      { type: 'file', file: { filename: 'city.txt', file_data: url } },
    ]);
    expect(await errorOf(complete('file-none'))).toMatchObject({ status: 400, param: 'messages' });
  });

  it('4.13.3: are executed in the background while they are streamed, and the stream is continued by another process', async () => {
    const sse = (event: { type: string; [member: string]: unknown }) =>
      `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    let finish = () => {};
    const first = await setup(async (response, call) => {
      await call.body;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        sse({ type: 'response.created', response: { ...responseOf(), status: 'in_progress' } }) +
          sse({ type: 'response.output_text.delta', output_index: 0, delta: 'Hel' }),
      );
      finish = () => {
        response.write(sse({ type: 'response.output_text.delta', output_index: 0, delta: 'lo' }));
        response.end(sse({ type: 'response.completed', response: responseOf(reply('Hello')) }));
      };
    });
    const second = await setup(neverRespond, { sharedStore: first.store, seed: 'two' });
    const stream = await first.client.responses.create({
      model: 'm',
      input: 'Hi',
      background: true,
      stream: true,
    });

    const seen: { type: string; sequence_number: number }[] = [];
    let id = '';
    for await (const event of stream) {
      seen.push(event);
      if (event.type === 'response.created') id = event.response.id;
      if (event.type === 'response.output_text.delta') break;
    }
    const rest = await second.client.responses.retrieve(id, {
      stream: true,
      starting_after: seen.at(-1)?.sequence_number ?? 0,
    });
    finish();
    const polling = setInterval(() => second.clock.advance(250), 5);
    const last = await collect(rest);
    clearInterval(polling);

    expect(seen.map(({ type, sequence_number: number }) => [number, type])).toEqual([
      [0, 'response.created'],
      [1, 'response.queued'],
      [2, 'response.output_text.delta'],
    ]);
    expect(last).toMatchObject([
      { sequence_number: 3, type: 'response.output_text.delta', delta: 'lo' },
      { sequence_number: 4, type: 'response.completed', response: { id, background: true } },
    ]);
    expect(await second.client.responses.retrieve(id)).toMatchObject({ output_text: 'Hello' });
    const replayed = await collect(await second.client.responses.retrieve(id, { stream: true }));
    expect(replayed).toHaveLength(5);
  });

  it('4.13.3: are not streamed when they are read if they were created without a stream', async () => {
    const { client } = await setup(json(responseOf(reply('Hello'))));
    const { id } = await client.responses.create({ model: 'm', input: 'Hi' });

    const error = await errorOf(client.responses.retrieve(id, { stream: true }));

    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ param: 'stream' });
  });

  it('4.13.4: have items with unique ids of the server, even if the upstream repeats its ids', async () => {
    const { client } = await setup(json(responseOf(reply('Hello'), functionCall)));
    const conversation = await client.conversations.create();
    const parent = { conversation_id: conversation.id };
    const request = { model: 'm', input: 'Hi', conversation: conversation.id };
    const { id: background } = await client.responses.create({ ...request, background: true });
    await expect
      .poll(async () => (await client.responses.retrieve(background)).status)
      .toBe('completed');

    const created = await client.responses.create(request);

    const outputs = [(await client.responses.retrieve(background)).output, created.output];
    const issued = outputs.flat().map(({ id }) => String(id));
    expect(issued).toEqual(
      ['msg', 'fc', 'msg', 'fc'].map((type) =>
        expect.stringMatching(new RegExp(`^${type}_[\\w-]{22}$`)),
      ),
    );
    expect(new Set(issued).size).toBe(4);
    expect((await client.responses.retrieve(created.id)).output).toEqual(created.output);
    const listed = await collect(client.conversations.items.list(conversation.id, { limit: 1 }));
    const ids = listed.map(({ id }) => String(id));
    expect(ids.filter((id) => issued.includes(id))).toEqual(issued);
    await client.conversations.items.delete(String(issued[0]), parent);
    expect(await client.conversations.items.retrieve(String(issued[2]), parent)).toEqual(
      created.output[0],
    );
  });

  it('4.13.4: are continued with the item ids that the caller received', async () => {
    const request = {
      type: 'mcp_approval_request',
      id: 'mcpr_0123456789abcdef0123456789abcdef',
      name: 'delete',
      server_label: 'files',
      arguments: '{}',
    };
    const { client, calls } = await setup(json(responseOf(request, reply('May I?'))));
    const { id, output } = await client.responses.create({ model: 'm', input: 'Tidy up' });
    const approval = {
      type: 'mcp_approval_response' as const,
      approval_request_id: String(output[0]?.id),
      approve: true,
    };

    const next = await client.responses.create({
      model: 'm',
      input: [approval],
      previous_response_id: id,
    });

    expect(output[0]?.id).toMatch(/^mcpr_[\w-]{22}$/);
    const sent = JSON.parse(String(await calls[1]?.body)).input;
    expect(sent.slice(1)).toEqual([...output, approval]);
    const items = await collect(client.responses.inputItems.list(next.id, { order: 'asc' }));
    expect(items.slice(1, 3)).toEqual(output);
  });

  it('can have structured output', async () => {
    const { client, calls } = await setup(json(responseOf(reply('{"city":"Bern"}'))));
    const format = zodTextFormat(z.object({ city: z.string() }), 'place');

    const { output_parsed: parsed } = await client.responses.parse({
      model: 'm',
      input: 'Capital?',
      text: { format },
    });

    expect(parsed).toEqual({ city: 'Bern' });
    const { text } = JSON.parse(String(await calls[0]?.body));
    expect(text.format).toMatchObject({ type: 'json_schema', name: 'place' });
  });

  it('can be executed in the background', async () => {
    const { client } = await setup(json(responseOf(reply('Done'))));

    const { id, status } = await client.responses.create({
      model: 'm',
      input: 'Hi',
      background: true,
    });

    expect(status).toBe('queued');
    await expect.poll(async () => (await client.responses.retrieve(id)).output_text).toBe('Done');
  });

  it('can be cancelled while they are executed in the background', async () => {
    const { client } = await setup(neverRespond);
    const { id } = await client.responses.create({ model: 'm', input: 'Hi', background: true });

    const cancelled = await client.responses.cancel(id);

    expect(cancelled.status).toBe('cancelled');
    expect(await client.responses.cancel(id)).toEqual(cancelled);
  });

  it('are aborted at the upstream when the caller aborts', async () => {
    const { client, calls } = await setup(neverRespond);
    const caller = new AbortController();

    const call = errorOf(
      client.responses.create({ model: 'm', input: 'Hi' }, { signal: caller.signal }),
    );
    await expect.poll(() => calls.length).toBe(1);
    caller.abort();

    expect(await call).toBeInstanceOf(APIUserAbortError);
    await calls[0]?.disconnected;
  });

  it('are refused with an InternalServerError without an upstream', async () => {
    const { client } = await setup(undefined, { config: { compatible: {} } });

    const refused = await errorOf(client.responses.create({ model: 'm', input: 'Hi' }));

    expect(refused).toBeInstanceOf(InternalServerError);
    expect(refused).toMatchObject({ status: 501, code: 'not_implemented' });
  });

  it('are refused with a BadRequestError if a member is invalid', async () => {
    const { client } = await setup();

    const invalid = await errorOf(
      client.responses.create({ model: 'm', input: 'Hi', temperature: 9 }),
    );

    expect(invalid).toBeInstanceOf(BadRequestError);
    expect(invalid).toMatchObject({ status: 400, param: 'temperature' });
  });
});

describe('4.13: videos with the official client', () => {
  it('can be created, polled, listed, downloaded and deleted', async () => {
    const task = { id: 'up_1', object: 'video', status: 'completed', seconds: '4' };
    const { client } = await setup((response, call) => {
      if (!call.url.includes('/content')) return json(task)(response, call);
      response.writeHead(200, { 'content-type': 'video/mp4' });
      return response.end('film');
    });

    const { id } = await client.videos.create({ model: 'm', prompt: 'A cat', seconds: '4' });

    expect(id).toMatch(/^video_/);
    expect(await client.videos.retrieve(id)).toEqual({ ...task, id });
    expect((await collect(client.videos.list())).map((video) => video.id)).toEqual([id]);
    expect(await (await client.videos.downloadContent(id)).text()).toBe('film');
    const spritesheet = client.videos.downloadContent(id, { variant: 'spritesheet' });
    expect(await errorOf(spritesheet)).toBeInstanceOf(BadRequestError);
    expect(await client.videos.delete(id)).toMatchObject({ deleted: true });
    expect(await errorOf(client.videos.retrieve(id))).toBeInstanceOf(NotFoundError);
  });

  it('have a thumbnail', async () => {
    const { client } = await setup((response, call) => {
      const { pathname, searchParams } = new URL(call.url, 'http://upstream');
      if (!pathname.endsWith('/content')) {
        return json({ id: 'up_1', object: 'video', status: 'completed' })(response, call);
      }
      response.writeHead(200, { 'content-type': 'image/webp' });
      return response.end(`the ${searchParams.get('variant')}`);
    });
    const { id } = await client.videos.create({ model: 'm', prompt: 'A cat' });

    const thumbnail = await client.videos.downloadContent(id, { variant: 'thumbnail' });

    expect(thumbnail.headers.get('content-type')).toBe('image/webp');
    expect(await thumbnail.text()).toBe('the thumbnail');
  });

  it('cause a ConflictError if they are downloaded before completion', async () => {
    const task = { id: 'up_1', object: 'video', status: 'in_progress' };
    const { client, calls } = await setup(json(task));
    const { id } = await client.videos.create({ model: 'm', prompt: 'A cat' });

    const refused = await errorOf(client.videos.downloadContent(id, {}, { maxRetries: 2 }));

    expect(refused).toBeInstanceOf(ConflictError);
    expect(refused).toMatchObject({
      status: 409,
      code: 'video_not_ready',
      requestID: expect.stringMatching(/^req_/),
    });
    // The client does not retry: the video was created, and its status was read once.
    expect(calls).toHaveLength(2);
  });

  it('8.3.5: are refused if the monthly budget of their model is used up', async () => {
    const { client, calls } = await setup(json({ id: 'up_1', object: 'video' }), {
      config: {
        prices: { m: { video_second_cents: 5 } },
        models: [
          {
            id: 'm',
            supported_apis: ['videos'],
            budget_cents_per_month: 0,
            providers: [{ provider: 'scripted' }],
          },
        ],
      },
    });
    const image = await toFile(Buffer.from('image'), 'cat.png', { type: 'image/png' });

    const refused = await errorOf(client.videos.create({ model: 'm', prompt: 'A cat' }));
    const withImage = await errorOf(
      client.videos.create({ input_reference: image, prompt: 'A cat', model: 'm' }),
    );

    for (const reason of [refused, withImage]) {
      expect(reason).toBeInstanceOf(RateLimitError);
      expect(reason).toMatchObject({ type: 'budget_error', code: 'quota_exhausted' });
    }
    expect(calls).toEqual([]);
    expect(await client.videos.create({ model: 'sora-2', prompt: 'A cat' })).toMatchObject({
      object: 'video',
    });
  });
});
