import Anthropic, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { events, json, type Replay, setupGateway } from '../testing/setup-gateway.ts';
import { testApiKey } from '../testing/setup-server.ts';

/** Sets up a gateway, and the official client with only its base URL changed. */
async function setup(replay?: Replay, options?: Parameters<typeof setupGateway>[1]) {
  const gateway = await setupGateway(replay, options);
  const baseURL = `${gateway.url}/message-model`;
  return { ...gateway, baseURL, client: new Anthropic({ baseURL, apiKey: testApiKey }) };
}

const request = {
  model: 'claude',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Hi' }],
};
const message = (content: object[]) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});
const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const errorOf = (pending: Promise<unknown>) => pending.catch((reason: unknown) => reason);

describe('1.2: the message-model family with the official client', () => {
  it('returns a message, and forwards the version header', async () => {
    const { client, calls } = await setup(json(message([{ type: 'text', text: 'Hello' }])));

    const { data, request_id } = await client.messages.create(request).withResponse();

    expect(data.content).toEqual([{ type: 'text', text: 'Hello' }]);
    expect(request_id).toMatch(/^req_/);
    expect(calls[0]?.url).toBe('/vendor/v1/messages');
    expect(calls[0]?.headers['anthropic-version']).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('streams a message', async () => {
    const delta = (text: string) =>
      event({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      } as never);
    const { client } = await setup(
      events(
        event({ type: 'message_start', message: message([]) } as never),
        event({
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'text', text: '' },
        } as never),
        delta('Hel'),
        delta('lo'),
        event({ type: 'content_block_stop', index: 0 } as never),
        event({ type: 'message_stop' }),
      ),
    );

    expect(await client.messages.stream(request).finalText()).toBe('Hello');
  });

  it('returns tool calls', async () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1 } };
    const { client, calls } = await setup(json(message([call])));
    const tools = [{ name: 'add', input_schema: { type: 'object' as const } }];

    const { content } = await client.messages.create({ ...request, tools });

    expect(content).toEqual([call]);
    expect(JSON.parse(String(await calls[0]?.body))).toMatchObject({ tools });
  });

  it('returns structured output that the client can parse', async () => {
    const { client, calls } = await setup(
      json(message([{ type: 'text', text: '{"city":"Rome"}' }])),
    );
    const format = zodOutputFormat(z.object({ city: z.string() }));

    const { parsed_output: parsed } = await client.messages.parse({
      ...request,
      output_config: { format },
    });

    expect(parsed).toEqual({ city: 'Rome' });
    expect(JSON.parse(String(await calls[0]?.body)).output_config.format).toMatchObject({
      type: 'json_schema',
      schema: { type: 'object', required: ['city'] },
    });
  });

  it('forwards the upload of a file', async () => {
    const { client, calls } = await setup(json({ id: 'file_1', type: 'file' }));

    const file = await client.beta.files.upload({ file: new File(['content'], 'a.txt') });

    expect(file.id).toBe('file_1');
    expect(String(await calls[0]?.body)).toContain('content');
  });

  it('aborts the request to the upstream when the client aborts a stream', async () => {
    const { client, calls } = await setup((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ type: 'ping' }));
      response.write(event({ type: 'message_start', message: message([]) } as never));
    });

    const stream = await client.messages.create({ ...request, stream: true });
    for await (const _ of stream) break;

    await calls[0]?.disconnected;
  });

  it('aborts the request to the upstream when the client aborts its request', async () => {
    const { client, calls } = await setup(() => {});
    const controller = new AbortController();

    const pending = errorOf(client.messages.create(request, { signal: controller.signal }));
    await expect.poll(() => calls.length).toBe(1);
    controller.abort();

    expect(await pending).toBeInstanceOf(APIUserAbortError);
    await calls[0]?.disconnected;
  });

  it.each(['apiKey', 'authToken'])('accepts the key from the client option `%s`', async (name) => {
    const { baseURL } = await setup(json(message([])));
    const client = new Anthropic({ baseURL, apiKey: null, authToken: null, [name]: testApiKey });

    expect(await client.messages.create(request)).toMatchObject({ id: 'msg_1' });
  });

  it('causes an AuthenticationError for a wrong key', async () => {
    const { baseURL } = await setup();
    const client = new Anthropic({ baseURL, apiKey: 'sk-service-wrong' });

    const error = await errorOf(client.messages.create(request));

    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({
      status: 401,
      type: 'authentication_error',
      requestID: expect.stringMatching(/^req_/),
    });
  });

  it('causes a RateLimitError for a request over the rate limit of the platform', async () => {
    const { client } = await setup(json(message([])), {
      config: { limits: { api_key: { requests_per_second: 1, concurrent: 1 } } },
    });

    await client.messages.create(request);
    const error = await errorOf(client.messages.create(request, { maxRetries: 0 }));

    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({
      status: 429,
      type: 'rate_limit_error',
      requestID: expect.stringMatching(/^req_/),
    });
  });

  it('causes a NotFoundError for a path outside the API', async () => {
    const { client, calls } = await setup();

    const error = await errorOf(client.post('/v2/messages', { body: {} }));

    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      status: 404,
      type: 'not_found_error',
      requestID: expect.stringMatching(/^req_/),
    });
    expect(calls).toEqual([]);
  });

  it('causes an InternalServerError with the status 502 if the upstream fails', async () => {
    const { client } = await setup((response) => response.destroy());

    const error = await errorOf(client.messages.create(request, { maxRetries: 0 }));

    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({
      status: 502,
      type: 'api_error',
      requestID: expect.stringMatching(/^req_/),
    });
  });

  it('returns the error body of the upstream with a request id of the platform', async () => {
    const body = { type: 'error', error: { type: 'invalid_request_error', message: 'Too long' } };
    const { client } = await setup(json(body, 400, { 'request-id': 'of-the-upstream' }));

    const error = await errorOf(client.messages.create(request));

    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ error: body, requestID: expect.stringMatching(/^req_/) });
  });

  it('responds with a 501, which the client does not retry, if there is no upstream', async () => {
    const { client, logLines } = await setup(json(), { config: { compatible: {} } });

    const error = await errorOf(client.messages.create(request));

    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({
      status: 501,
      type: 'not_implemented',
      requestID: expect.stringMatching(/^req_/),
    });
    expect(logLines.filter((line) => line.includes('"status":501'))).toHaveLength(1);
  });
});
