import type { ModelApi } from '@inlay/protocol';
import OpenAI, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
  toFile,
} from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ConfigInput } from '../config/config.ts';
import {
  events,
  json,
  type Replay,
  replayUpstream,
  setupGateway,
} from '../testing/setup-gateway.ts';
import { testApiKey } from '../testing/setup-server.ts';

type Options = Parameters<typeof setupGateway>[1];

/** A gateway, and the official client with its address. */
async function setup(replay?: Replay, options?: Options) {
  const gateway = await setupGateway(replay, options);
  const client = new OpenAI({ baseURL: `${gateway.url}/chat-model/v1`, apiKey: testApiKey });
  return { ...gateway, client };
}

const parseBody = async (body: Promise<Buffer> | undefined) => JSON.parse(String(await body));
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const completion = (message: object) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
});
const messages = [{ role: 'user' as const, content: 'Hi' }];
const readForm = async (call: { body: Promise<Buffer>; headers: object } | undefined) =>
  new Response(new Uint8Array((await call?.body) ?? []), {
    headers: call?.headers as Record<string, string>,
  }).formData();

describe('4.13: chat completions with the official client', () => {
  it('are returned', async () => {
    const { client, calls } = await setup(json(completion({ content: 'Hello' })));

    const { data, response, request_id } = await client.chat.completions
      .create({ model: 'gpt', messages, temperature: 0.5 })
      .withResponse();

    expect(data.choices[0]?.message.content).toBe('Hello');
    expect(request_id).toMatch(/^req_/);
    expect(response.headers.get('x-ratelimit-limit-requests')).not.toBeNull();
    expect(calls[0]?.url).toBe('/vendor/v1/chat/completions');
    expect(await parseBody(calls[0]?.body)).toEqual({ model: 'gpt', messages, temperature: 0.5 });
  });

  it('are streamed', async () => {
    const { client } = await setup(
      events(chunk({ content: 'Hel' }), chunk({ content: 'lo' }, 'stop'), 'data: [DONE]\n\n'),
    );

    const stream = await client.chat.completions.create({ model: 'gpt', messages, stream: true });
    let text = '';
    for await (const part of stream) text += part.choices[0]?.delta.content;

    expect(text).toBe('Hello');
  });

  it('call a tool, whose result is sent in the next request', async () => {
    const { client, calls } = await setup((response, call) => {
      const toolCall = {
        id: 'call_1',
        type: 'function',
        function: { name: 'add', arguments: '{"a":1,"b":2}' },
      };
      const message = calls.length > 1 ? { content: '3' } : { tool_calls: [toolCall] };
      return json(completion(message))(response, call);
    });

    const runner = client.chat.completions.runTools({
      model: 'gpt',
      messages,
      tools: [
        {
          type: 'function',
          function: {
            name: 'add',
            description: 'Adds',
            parameters: { type: 'object' },
            parse: JSON.parse,
            function: ({ a, b }: { a: number; b: number }) => String(a + b),
          },
        },
      ],
    });

    expect(await runner.finalContent()).toBe('3');
    expect((await parseBody(calls[1]?.body)).messages.at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 'call_1',
      content: '3',
    });
  });

  it('can have structured output', async () => {
    const { client, calls } = await setup(json(completion({ content: '{"city":"Rome"}' })));

    const { choices } = await client.chat.completions.parse({
      model: 'gpt',
      messages,
      response_format: zodResponseFormat(z.object({ city: z.string() }), 'place'),
    });

    expect(choices[0]?.message.parsed).toEqual({ city: 'Rome' });
    expect((await parseBody(calls[0]?.body)).response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'place', strict: true },
    });
  });

  it('are aborted at the upstream when the client aborts a stream', async () => {
    const { client, calls } = await setup((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ content: 'Hel' }));
    });

    const stream = await client.chat.completions.create({ model: 'gpt', messages, stream: true });
    for await (const _ of stream) break;

    await calls[0]?.disconnected;
  });

  it('are aborted at the upstream when the client aborts a request', async () => {
    const { client, calls } = await setup(() => {});
    const controller = new AbortController();

    const pending = client.chat.completions.create(
      { model: 'gpt', messages },
      { signal: controller.signal },
    );
    await expect.poll(() => calls.length).toBe(1);
    controller.abort();

    await expect(pending).rejects.toBeInstanceOf(APIUserAbortError);
    await calls[0]?.disconnected;
  });

  it('rule 1: are forwarded with the exact text of the body, including unknown members', async () => {
    const { send, calls } = await setup(json(completion({})));
    const body = '{"model":"gpt","messages":[{"role":"user"}],"vendor":{"n":9007199254740993}}';

    await send('/chat-model/v1/chat/completions', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });

    expect(String(await calls[0]?.body)).toBe(body);
  });

  it.each([
    [{ temperature: 3 }, 'temperature'],
    [{ n: 'two' }, 'n'],
    [{ messages: [{}] }, 'messages[0].role'],
  ])('rule 1: are refused with the invalid fields %j', async (fields, param) => {
    const { client, calls } = await setup();

    const error = await client.chat.completions
      .create({ model: 'gpt', messages, ...(fields as object) })
      .catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({
      status: 400,
      code: 'validation_error',
      type: 'invalid_request_error',
      param,
      requestID: expect.stringMatching(/^req_/),
    });
    expect(calls).toEqual([]);
  });

  it('are sent to the provider of a model of the catalogue, not to the upstream', async () => {
    const scripted = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };
    const { client, calls } = await setup(json(), {
      config: { models: [{ id: 'scripted', providers: [scripted] }] },
    });

    const { choices } = await client.chat.completions.create({ model: 'scripted', messages });

    expect(choices[0]?.message.content).toBeTruthy();
    expect(calls).toEqual([]);
  });

  it('report an interrupted stream of a model of the catalogue with an error in the format of the official API', async () => {
    const provider = await replayUpstream(events(chunk({ content: 'Hel' })));
    const { client } = await setup(undefined, {
      config: {
        models: [
          {
            id: 'm',
            providers: [
              {
                provider: 'openai-compatible',
                name: 'a',
                base_url: provider.url,
                model: 'x',
              },
            ],
          },
        ],
      },
    });

    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    const read = async () => {
      for await (const _ of stream);
    };

    await expect(read()).rejects.toMatchObject({
      code: 'upstream_error',
      type: 'server_error',
      message: expect.any(String),
    });
  });
});

const vectorsResponse = { data: [{ index: 0, object: 'embedding', embedding: [1] }] };
const embeddingsModel = { supported_apis: ['embeddings' as const] };
const vectorRequest = { model: 'acme/model', input: 'text', encoding_format: 'float' } as const;

/** Serves a model of the catalogue with one provider for each replay. */
async function setupProviders(
  fields: Partial<NonNullable<ConfigInput['models']>[number]>,
  ...replays: Replay[]
) {
  const providers = await Promise.all(replays.map(replayUpstream));
  const server = await setup(undefined, {
    config: {
      prices: { 'acme/model': { input_cents_per_million: 100, output_cents_per_million: 100 } },
      models: [
        {
          id: 'acme/model',
          providers: providers.map(({ url }, index) => ({
            provider: 'openai-compatible',
            name: `provider-${index}`,
            base_url: url,
            model: `model-of-${index}`,
          })),
          ...fields,
        },
      ],
    },
  });
  return { ...server, providers };
}

describe('4.13: other endpoints with the official client', () => {
  it('embeddings: returns vectors, and forwards unknown members', async () => {
    const { client, calls } = await setup(
      json({ object: 'list', data: [{ index: 0, object: 'embedding', embedding: [0.5, 1] }] }),
    );
    const extra = { truncate: 'END' };

    const { data } = await client.embeddings.create({
      model: 'e',
      input: 'text',
      encoding_format: 'float',
      ...extra,
    });

    expect(data[0]?.embedding).toEqual([0.5, 1]);
    expect(await parseBody(calls[0]?.body)).toMatchObject(extra);
  });

  it('embeddings: uses the providers of a model of the catalogue, with failover and a rate limit', async () => {
    const busy = json({ error: { message: 'busy' } }, 503);
    const { client, calls, providers } = await setupProviders(
      { ...embeddingsModel, requests_per_minute: 1 },
      busy,
      json(vectorsResponse),
    );

    const { data } = await client.embeddings.create(vectorRequest);

    expect(data[0]?.embedding).toEqual([1]);
    const [call] = providers[1]?.calls ?? [];
    expect(call?.url).toBe('/embeddings');
    expect(await parseBody(call?.body)).toEqual({ ...vectorRequest, model: 'model-of-1' });
    expect(calls).toEqual([]);
    await expect(client.embeddings.create(vectorRequest, { maxRetries: 0 })).rejects.toMatchObject({
      status: 429,
      type: 'rate_limit_error',
    });
  });

  const respondWithHtml =
    (status: number): Replay =>
    (response) => {
      response.writeHead(status, { 'content-type': 'text/html' });
      response.end('<p>No</p>');
    };

  it.each<[string, Replay]>([
    ['307', (response) => response.writeHead(307, { location: '/other' }).end()],
    ['402', json({ error: { message: 'no money' } }, 402)],
    ['403', json({ error: { message: 'no' } }, 403)],
    ['404', json({ error: { message: 'no such model' } }, 404)],
    ['408', json({ error: { message: 'slow' } }, 408)],
    ['404 and HTML', respondWithHtml(404)],
    ['408 and HTML', respondWithHtml(408)],
  ])(
    '8.3.4: embeddings: tries the next provider if a provider responds with %s',
    async (_, replay) => {
      const { client, providers } = await setupProviders(
        embeddingsModel,
        replay,
        json(vectorsResponse),
      );

      const { data } = await client.embeddings.create(vectorRequest);

      expect(data[0]?.embedding).toEqual([1]);
      expect(providers.map(({ calls }) => calls.length)).toEqual([1, 1]);
    },
  );

  it.each<[string, number, Replay]>([
    ['400', 400, json({ error: { message: 'bad' } }, 400)],
    ['413', 413, json({ error: { message: 'bad' } }, 413)],
    ['422', 422, json({ error: { message: 'bad' } }, 422)],
    ['400 and HTML', 400, respondWithHtml(400)],
  ])(
    '7.1: embeddings: does not try the next provider if a provider rejects the request with %s',
    async (_, status, replay) => {
      const { client, providers } = await setupProviders(
        embeddingsModel,
        replay,
        json(vectorsResponse),
      );

      const call = client.embeddings.create(vectorRequest);

      await expect(call).rejects.toMatchObject({ status });
      expect(providers.map(({ calls }) => calls.length)).toEqual([1, 0]);
    },
  );

  it.each<[string, Replay, string]>([
    ['with 402', json({ error: { message: 'no money' } }, 402), 'provider_unavailable'],
    ['with 403', json({ error: { message: 'no access' } }, 403), 'provider_unavailable'],
    ['with 404', json({ error: { message: 'none' } }, 404), 'provider_unavailable'],
    ['without quota', json({ error: { code: 'insufficient_quota' } }, 429), 'provider_unavailable'],
    [
      'with 200 and incomplete JSON',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"object": "list", "data": [');
      },
      'UPSTREAM_ERROR',
    ],
  ])('7.4: embeddings: get a 502 if all providers respond %s', async (_, replay, code) => {
    const { client } = await setupProviders(embeddingsModel, replay, replay);

    const call = client.embeddings.create(vectorRequest, { maxRetries: 0 });

    await expect(call).rejects.toMatchObject({ status: 502, code: code.toLowerCase() });
  });

  it('get the body that was checked: with all digits of large integers, and without repeated members', async () => {
    const { send, calls } = await setup(json({ choices: [] }));
    const post = (body: string) =>
      send('/chat-model/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });

    await post(
      '{"model":"a","messages":[{"role":"user","content":"Hi","id":9007199254740993}],"model":"gpt"}',
    );

    expect(String(await calls[0]?.body)).toBe(
      '{"model":"gpt","messages":[{"role":"user","content":"Hi","id":9007199254740993}]}',
    );
  });

  it('get a body with a byte order mark without the mark', async () => {
    const { send, calls } = await setup(json({ choices: [] }));

    const body = '{"model":"gpt","messages":[{"role":"user","content":"Hi"}]}';
    const { status } = await send('/chat-model/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `\uFEFF${body}`,
    });

    expect([status, String(await calls[0]?.body)]).toEqual([200, body]);
  });

  it('embeddings: accept 100 lists of 200 tokens, and chats 1,500 messages', async () => {
    const { client } = await setup(json({ ...vectorsResponse, choices: [] }));
    const input = Array.from({ length: 100 }, () => Array.from({ length: 200 }, (_, n) => n));
    const messages = Array.from({ length: 1_500 }, () => ({
      role: 'user' as const,
      content: 'Hi',
    }));

    await client.embeddings.create({ ...vectorRequest, input, encoding_format: 'float' });
    await client.chat.completions.create({ model: 'gpt', messages });
  });

  it.each<[string, Replay, number]>([
    ['a provider responds', json(vectorsResponse), 1],
    ['the provider rejects the request', json({ error: { message: 'bad' } }, 400), 0],
    ['all providers fail', json({ error: { message: 'busy' } }, 503), 0],
  ])(
    '8.3.5: embeddings: counts the cost only of a successful request: %s',
    async (_, replay, count) => {
      const { client, store } = await setupProviders(embeddingsModel, replay);

      await client.embeddings.create(vectorRequest, { maxRetries: 0 }).catch(() => {});

      const costs = () => store.db.selectFrom('model_months').selectAll().execute();
      expect(await costs()).toHaveLength(count);
    },
  );

  it('embeddings: refuses a model of the catalogue that does not offer embeddings', async () => {
    const { client } = await setup(undefined, { config: { models: catalogue } });

    await expect(
      client.embeddings.create({ model: 'acme/large-2', input: 'x' }),
    ).rejects.toMatchObject({ status: 404, code: 'model_protocol_not_offered', param: 'model' });
  });

  it.each([
    [{ dimensions: 0 }, 'dimensions'],
    [{ input: [] }, 'input'],
    [{ encoding_format: 'hex' }, 'encoding_format'],
  ])('embeddings: refuses the invalid fields %j', async (fields, param) => {
    const { client } = await setup();

    await expect(
      client.embeddings.create({ model: 'e', input: 'x', ...(fields as object) }),
    ).rejects.toMatchObject({ status: 400, code: 'validation_error', param });
  });

  it('images: generates an image, and refuses an invalid field', async () => {
    const { client, calls } = await setup(json({ created: 1, data: [{ b64_json: 'AA==' }] }));

    const { data } = await client.images.generate({ model: 'i', prompt: 'a cat' });

    expect(data?.[0]?.b64_json).toBe('AA==');
    expect(calls[0]?.url).toBe('/vendor/v1/images/generations');
    await expect(client.images.generate({ prompt: 'x', n: 11 })).rejects.toMatchObject({
      status: 400,
      param: 'n',
    });
  });

  it('images: streams a generated image', async () => {
    const partial = { type: 'image_generation.partial_image', b64_json: 'AA==' };
    const { client } = await setup(
      events(`event: ${partial.type}\ndata: ${JSON.stringify(partial)}\n\n`),
    );

    const stream = await client.images.generate({ model: 'i', prompt: 'a cat', stream: true });
    const received = [];
    for await (const event of stream) received.push(event);

    expect(received).toEqual([partial]);
  });

  it('images: edits an uploaded image', async () => {
    const { client, calls } = await setup(json({ created: 1, data: [{ b64_json: 'AA==' }] }));

    await client.images.edit({
      model: 'i',
      prompt: 'a hat',
      image: await toFile(Buffer.from('png'), 'cat.png', { type: 'image/png' }),
    });

    const sent = await readForm(calls[0]);
    expect(sent.get('prompt')).toBe('a hat');
    expect(await (sent.get('image') as File).text()).toBe('png');
  });

  it('audio: returns speech with exactly the bytes of the upstream, and refuses an invalid field', async () => {
    const { client } = await setup((response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.end(Buffer.from([0xff, 0x00, 0xfe]));
    });

    const response = await client.audio.speech.create({ model: 't', voice: 'v', input: 'Hi' });

    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0xff, 0x00, 0xfe]);
    await expect(
      client.audio.speech.create({ model: 't', voice: 'v', input: 'Hi', speed: 5 }),
    ).rejects.toMatchObject({ status: 400, param: 'speed' });
  });

  it('audio: transcribes an uploaded file', async () => {
    const { client, calls } = await setup(json({ text: 'Hello' }));
    const content = Buffer.alloc(300_000, 'a');

    // Parameters that are newer than the types of the installed client.
    const newer = { keywords: ['Inlay', 'token'], languages: ['de', 'en'] };

    const { text } = await client.audio.transcriptions.create({
      model: 'w',
      file: await toFile(content, 'a.mp3'),
      timestamp_granularities: ['word'],
      temperature: 0.2,
      ...newer,
    });

    expect(text).toBe('Hello');
    const form = await readForm(calls[0]);
    expect((form.get('file') as File).size).toBe(content.length);
    expect(form.getAll('keywords[]')).toEqual(newer.keywords);
    expect(form.getAll('languages[]')).toEqual(newer.languages);
  });

  it('8.3.5: images, audio: refuses uploads for a model whose monthly budget is used up', async () => {
    const { client, calls } = await setup(json({ text: 'Hello' }), {
      config: {
        prices: { m: {} },
        models: [{ id: 'm', budget_cents_per_month: 0, providers: [{ provider: 'scripted' }] }],
      },
    });
    const image = await toFile(Buffer.from('png'), 'cat.png', { type: 'image/png' });
    const file = await toFile(Buffer.from('a'), 'a.mp3');

    const edit = client.images.edit({ image, prompt: 'a hat', model: 'm' }, { maxRetries: 0 });
    const transcription = client.audio.transcriptions.create(
      { file, model: 'm' },
      { maxRetries: 0 },
    );

    for (const call of [edit, transcription]) {
      await expect(call).rejects.toMatchObject({ status: 429, type: 'budget_error' });
    }
    expect(calls).toEqual([]);
  });

  describe.each([
    {
      name: 'images: edits',
      api: 'image_edits' as const,
      path: '/images/edits',
      // The form contains the file before the model.
      send: async ({ images }: OpenAI, model: string) =>
        images.edit({
          image: await toFile(Buffer.from('png'), 'ü "x".png'),
          prompt: 'a hat',
          model,
        }),
      field: 'image',
      filename: 'ü "x".png',
    },
    {
      name: 'audio: transcriptions',
      api: 'transcriptions' as const,
      path: '/audio/transcriptions',
      send: async ({ audio }: OpenAI, model: string) =>
        audio.transcriptions.create({ model, file: await toFile(Buffer.from('png'), 'a.mp3') }),
      field: 'file',
      filename: 'a.mp3',
    },
  ])('$name', ({ api, path, send, field, filename }) => {
    const busy = json({ error: { message: 'busy' } }, 503);

    it('8.3.4: use the providers of a model of the catalogue, with failover', async () => {
      const { client, calls, providers } = await setupProviders(
        { supported_apis: [api] },
        busy,
        json({ text: 'Hello', data: [] }),
      );

      await send(client, 'acme/model');

      for (const [index, provider] of providers.entries()) {
        const [call] = provider.calls;
        expect(call?.url).toBe(path);
        const sent = await readForm(call);
        expect(sent.getAll('model')).toEqual([`model-of-${index}`]);
        const file = sent.get(field) as File;
        expect([file.name, await file.text()]).toEqual([filename, 'png']);
      }
      expect(calls).toEqual([]);
    });

    it('8.3.2: count against the limits of a model of the catalogue', async () => {
      const limited = { supported_apis: [api], requests_per_minute: 1 };
      const { client, providers } = await setupProviders(limited, json({ text: '', data: [] }));
      await send(client, 'acme/model');

      const again = send(client.withOptions({ maxRetries: 0 }), 'acme/model');

      await expect(again).rejects.toMatchObject({
        status: 429,
        type: 'rate_limit_error',
      });

      expect(providers[0]?.calls).toHaveLength(1);
    });

    it('are refused for a model of the catalogue that does not offer the endpoint', async () => {
      const { client, calls, providers } = await setupProviders({}, json());

      await expect(send(client, 'acme/model')).rejects.toMatchObject({
        status: 404,
        code: 'model_protocol_not_offered',
        param: 'model',
      });

      expect([calls, providers[0]?.calls]).toEqual([[], []]);
    });

    it('are refused with two models', async () => {
      const { calls, send: request } = await setup();
      const body = new FormData();
      body.append('model', 'a');
      body.append('model', 'b');

      const response = await request(`/chat-model/v1${path}`, { method: 'POST', body });

      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { param: 'model' } });
      expect(calls).toEqual([]);
    });

    it('are refused if the form cannot be read', async () => {
      const { providers, send: request } = await setupProviders({ supported_apis: [api] }, json());
      const part = '--edge\r\ncontent-disposition: form-data; name="model"\r\n\r\nacme/model';

      const response = await request(`/chat-model/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=edge' },
        body: `${part}\r\n--edge`,
      });

      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: 'validation_error' } });
      expect(providers[0]?.calls).toEqual([]);
    });

    it('are refused as JSON', async () => {
      const { calls, client } = await setup();

      const call = client.post(path, { body: { model: 'm' } });

      await expect(call).rejects.toMatchObject({ status: 415, code: 'unsupported_media_type' });
      expect(calls).toEqual([]);
    });
  });

  it('audio: streams a transcription', async () => {
    const delta = { type: 'transcript.text.delta', delta: 'Hel' };
    const { client } = await setup(events(`data: ${JSON.stringify(delta)}\n\n`));

    const stream = await client.audio.transcriptions.create({
      model: 'w',
      file: await toFile(Buffer.from('a'), 'a.mp3'),
      stream: true,
    });
    const received = [];
    for await (const event of stream) received.push(event);

    expect(received).toEqual([delta]);
  });

  it.each([
    [{ speaker_count: 2 }, 'input_not_representable', 'speaker_count'],
    [{ temperature: 2 }, 'validation_error', 'temperature'],
    [{ response_format: 'xml' }, 'validation_error', 'response_format'],
  ])('rule 9: audio: refuses a transcription with %j', async (fields, code, param) => {
    const { client } = await setup(json({ text: '' }));

    const error = await client.audio.transcriptions
      .create({ model: 'w', file: await toFile(Buffer.from('a'), 'a.mp3'), ...(fields as object) })
      .catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, code, param });
  });

  it('rule 7: models: lists the models of the catalogue and of the upstream', async () => {
    const { client } = await setup(
      json({ object: 'list', data: [{ id: 'gpt', object: 'model', created: 5, owned_by: 'v' }] }),
      { config: { models: catalogue } },
    );

    const { data } = await client.models.list();

    expect(data.map(({ id }) => id)).toEqual(['acme/large-2', 'gpt']);
  });

  it('rule 7: models: responds with 502 if the list of the upstream is not JSON', async () => {
    const { send } = await setup((response) => response.end('<html>'));

    const response = await send('/chat-model/v1/models');

    expect(response.status).toBe(502);
    expect(response.headers.get('x-service-problem-code')).toBe('UPSTREAM_ERROR');
  });

  it('rule 7: models: relays an error of the upstream', async () => {
    const { send } = await setup(json({ error: { message: 'No such organization' } }, 403));

    const response = await send('/chat-model/v1/models');

    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ error: { message: 'No such organization' } });
  });

  it('rule 7: models: retrieves a model whose id contains a publisher', async () => {
    const { client, send, calls } = await setup(json(), { config: { models: catalogue } });

    const model = await client.models.retrieve('acme/large-2');
    const withSlash = await send('/chat-model/v1/models/acme/large-2');

    expect(model).toMatchObject({ id: 'acme/large-2', object: 'model', owned_by: 'acme' });
    expect(await withSlash.json()).toMatchObject({ id: 'acme/large-2' });
    expect(calls).toEqual([]);
  });

  it('rule 7: models: hides models that do not declare the protocol', async () => {
    const { client } = await setup(json(), { config: { models: catalogue, compatible: {} } });

    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['acme/large-2']);
    for (const id of ['acme/messages-only', 'unknown']) {
      const error = await client.models.retrieve(id).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error).toMatchObject({ status: 404, code: 'model_not_found' });
    }
  });
});

describe('4.13: an unknown model, without an upstream of the family', () => {
  const file = () => toFile(Buffer.from('a'), 'a.mp3');
  const calls = {
    chat_completions: ({ chat }: OpenAI) => chat.completions.create({ model: 'unknown', messages }),
    responses: ({ responses }: OpenAI) => responses.create({ model: 'unknown', input: 'Hi' }),
    embeddings: ({ embeddings }: OpenAI) => embeddings.create({ model: 'unknown', input: 'Hi' }),
    image_generations: ({ images }: OpenAI) => images.generate({ model: 'unknown', prompt: 'Hi' }),
    image_edits: async ({ images }: OpenAI) =>
      images.edit({ model: 'unknown', prompt: 'Hi', image: await file() }),
    speech: ({ audio }: OpenAI) =>
      audio.speech.create({ model: 'unknown', input: 'Hi', voice: 'alloy' }),
    transcriptions: async ({ audio }: OpenAI) =>
      audio.transcriptions.create({ model: 'unknown', file: await file() }),
  };

  it.each(Object.entries(calls))(
    '7.4: %s: causes a NotFoundError, if the catalogue has a model for it',
    async (api, call) => {
      const providers = [{ provider: 'scripted' as const }];
      const { client } = await setup(json(), {
        config: {
          compatible: {},
          models: [{ id: 'known', providers, supported_apis: [api as ModelApi] }],
        },
      });

      const error = await call(client).catch((reason: unknown) => reason);

      expect(error).toBeInstanceOf(NotFoundError);
      expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
    },
  );
});

const catalogue = [
  { id: 'acme/large-2', providers: [{ provider: 'scripted' as const }] },
  {
    id: 'acme/messages-only',
    providers: [{ provider: 'scripted' as const }],
    supported_apis: ['messages' as const],
  },
];

describe('4.13: endpoints that are not supported', () => {
  it.each(['/responses/compact', '/responses/input_tokens'])(
    'rule 5: POST %s gets a 501, which the client does not retry',
    async (path) => {
      const { client, logLines, calls } = await setup();

      const error = await client.post(path, { body: {} }).catch((reason: unknown) => reason);

      expect(error).toBeInstanceOf(InternalServerError);
      expect(error).toMatchObject({
        status: 501,
        code: 'not_implemented',
        message: expect.stringContaining('The platform has not implemented'),
        headers: expect.any(Headers),
        requestID: expect.stringMatching(/^req_/),
      });
      expect((error as InternalServerError).headers?.get('x-should-retry')).toBe('false');
      expect(logLines.filter((line) => line.includes('"status":501'))).toHaveLength(1);
      expect(calls).toEqual([]);
    },
  );

  it('rule 8: remixing a video gets a 400', async () => {
    const { client } = await setup();

    const error = await client.videos
      .remix('video_1', { prompt: 'x' })
      .catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      message: expect.stringContaining('Remix is not supported'),
    });
    expect((error as BadRequestError).headers?.get('x-should-retry')).toBe('false');
  });

  it.each([
    '/moderations',
    '/batches',
    '/fine_tuning/jobs',
    '/assistants',
    '/completions',
    '/audio/translations',
    '/uploads',
    '/images/variations',
  ])('POST %s gets a 404', async (path) => {
    const { client, calls } = await setup();

    const error = await client.post(path, { body: {} }).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      status: 404,
      code: 'not_found',
      type: 'invalid_request_error',
      requestID: expect.stringMatching(/^req_/),
    });
    expect(calls).toEqual([]);
  });
});

describe('7.2: errors with the official client', () => {
  const ask = (client: OpenAI, options = {}) =>
    client.chat.completions
      .create({ model: 'gpt', messages }, options)
      .catch((reason: unknown) => reason);

  it('a wrong key causes an AuthenticationError', async () => {
    const { url } = await setup();
    const client = new OpenAI({ baseURL: `${url}/chat-model/v1`, apiKey: 'sk-service-wrong' });

    const error = await ask(client);

    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      requestID: expect.stringMatching(/^req_/),
    });
  });

  it('a request over the rate limit of the platform causes a RateLimitError', async () => {
    const { client } = await setup(json(completion({})), {
      config: { limits: { api_key: { requests_per_second: 1, concurrent: 1 } } },
    });

    await ask(client);
    const error = await ask(client, { maxRetries: 0 });

    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      type: 'rate_limit_error',
      requestID: expect.stringMatching(/^req_/),
    });
  });

  it('a failed upstream causes an InternalServerError with the status 502', async () => {
    const { client } = await setup((response) => response.destroy());

    const error = await ask(client, { maxRetries: 0 });

    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({
      status: 502,
      code: 'provider_unavailable',
      type: 'server_error',
      requestID: expect.stringMatching(/^req_/),
    });
  });

  it('an upstream that does not respond in time causes an InternalServerError with the status 504', async () => {
    const { client, calls, clock } = await setup(() => {}, {
      upstream: { first_byte_timeout_ms: 5000 },
    });

    const pending = ask(client, { maxRetries: 0 });
    await expect.poll(() => calls.length).toBe(1);
    clock.advance(5000);
    const error = await pending;

    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({
      status: 504,
      code: 'upstream_timeout',
      type: 'server_error',
      requestID: expect.stringMatching(/^req_/),
    });
  });

  it('an error of the upstream keeps its code, and has a request id of the platform', async () => {
    const { client } = await setup(
      json({ error: { message: 'Too long', type: 't', param: 'messages', code: 'long' } }, 400, {
        'x-request-id': 'of-the-upstream',
      }),
    );

    const error = await ask(client);

    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({
      code: 'long',
      param: 'messages',
      requestID: expect.stringMatching(/^req_/),
    });
  });

  it('a request to a failed upstream is retried by the client', async () => {
    const { client, calls } = await setup((response, call) =>
      calls.length === 1 ? response.destroy() : json(completion({ content: 'ok' }))(response, call),
    );

    const { choices } = (await ask(client)) as OpenAI.ChatCompletion;

    expect(choices[0]?.message.content).toBe('ok');
    expect(calls).toHaveLength(2);
  });

  it('an interrupted stream causes an error', async () => {
    const { client } = await setup((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ content: 'Hel' }), () => response.destroy());
    });

    const stream = await client.chat.completions.create({ model: 'gpt', messages, stream: true });
    const read = async () => {
      for await (const _ of stream);
    };

    await expect(read()).rejects.toThrow();
  });
});
