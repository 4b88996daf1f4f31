import { ApiError, GoogleGenAI, Type } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { events, json, type Replay, setupGateway } from '../testing/setup-gateway.ts';
import { testApiKey, upstreamKey } from '../testing/setup-server.ts';

type GatewayOptions = NonNullable<Parameters<typeof setupGateway>[1]>;

/** Sets up a gateway, and the official client with only its base URL changed. */
async function setup(
  replay?: Replay,
  {
    apiKey = testApiKey,
    config,
    ...options
  }: { apiKey?: string; apiVersion?: string; config?: GatewayOptions['config'] } = {},
) {
  const gateway = await setupGateway(replay, { ...(config && { config }) });
  const httpOptions = { baseUrl: `${gateway.url}/generative-model` };
  // The last version of the client for Node 20 has the default v1beta, later ones v1.
  const client = new GoogleGenAI({ apiKey, httpOptions, apiVersion: 'v1', ...options });
  return { ...gateway, client };
}

const answer = (...parts: object[]) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
});
const request = { model: 'gemini', contents: 'Hi' };
const errorOf = (pending: Promise<unknown>) => pending.catch((reason: unknown) => reason);
/** Expects an `ApiError` of the client, with the error body of the family and a request id. */
function expectApiError(error: unknown, status: number, name: string): void {
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status });
  const { error: body } = JSON.parse((error as ApiError).message);
  expect(body).toMatchObject({ code: status, status: name });
  expect(body.details).toContainEqual({
    '@type': 'type.googleapis.com/google.rpc.RequestInfo',
    requestId: expect.stringMatching(/^req_/),
  });
}
const parse = async (body: Promise<Buffer> | undefined) => JSON.parse(String(await body));

describe('1.2: the generative-model family with the official client', () => {
  it('generates content', async () => {
    const { client, calls } = await setup(json(answer({ text: 'Hello' })));

    const response = await client.models.generateContent(request);

    expect(response.text).toBe('Hello');
    expect(calls[0]?.url).toBe('/vendor/v1/models/gemini:generateContent');
  });

  it('9.1: generates content with the version v1beta', async () => {
    const { client, calls } = await setup(json(answer({ text: 'Hello' })), {
      apiVersion: 'v1beta',
    });

    await client.models.generateContent(request);

    expect(calls[0]?.url).toBe('/vendor/v1beta/models/gemini:generateContent');
  });

  it('streams content', async () => {
    const event = (text: string) => `data: ${JSON.stringify(answer({ text }))}\r\n\r\n`;
    const { client, calls } = await setup(events(event('Hel'), event('lo')));

    let text = '';
    for await (const part of await client.models.generateContentStream(request)) text += part.text;

    expect(text).toBe('Hello');
    expect(calls[0]?.url).toBe('/vendor/v1/models/gemini:streamGenerateContent?alt=sse');
  });

  it('returns function calls', async () => {
    const functionCall = { name: 'add', args: { a: 1 } };
    const { client, calls } = await setup(json(answer({ functionCall })));
    const tools = [{ functionDeclarations: [{ name: 'add' }] }];

    const response = await client.models.generateContent({ ...request, config: { tools } });

    expect(response.functionCalls).toEqual([functionCall]);
    expect(await parse(calls[0]?.body)).toMatchObject({ tools });
  });

  it('returns structured output', async () => {
    const { client, calls } = await setup(json(answer({ text: '{"city":"Rome"}' })));

    const response = await client.models.generateContent({
      ...request,
      config: {
        responseMimeType: 'application/json',
        responseSchema: { type: Type.OBJECT, properties: { city: { type: Type.STRING } } },
      },
    });

    expect(JSON.parse(response.text ?? '')).toEqual({ city: 'Rome' });
    expect(await parse(calls[0]?.body)).toMatchObject({
      generationConfig: { responseMimeType: 'application/json' },
    });
  });

  it('uploads a file to the address that the upstream returned', async () => {
    const { client, calls } = await setup(async (response, call) => {
      await call.body;
      const isStart = !call.url.includes('upload_id');
      response.writeHead(200, {
        'content-type': 'application/json',
        ...(isStart
          ? {
              'x-goog-upload-url': `http://${call.headers.host}${call.url}?upload_id=7`,
            }
          : { 'x-goog-upload-status': 'final' }),
      });
      response.end(JSON.stringify(isStart ? {} : { file: { name: 'files/1' } }));
    });

    const file = await client.files.upload({
      file: new Blob(['content'], { type: 'text/plain' }),
    });

    expect(file.name).toBe('files/1');
    // This version uploads to v1beta, whatever its `apiVersion`.
    // The client requests the path of the returned URL from its base URL, the gateway. The gateway would
    // respond with a 404 to a path of the upstream, so it must have replaced the path.
    expect(calls.map(({ url }) => url)).toEqual([
      '/vendor/upload/v1beta/files',
      '/vendor/upload/v1beta/files?upload_id=7',
    ]);
    expect(String(await calls[1]?.body)).toBe('content');
    expect(calls[1]?.headers).toMatchObject({
      'x-goog-api-key': upstreamKey,
      'x-goog-upload-command': 'upload, finalize',
      'x-goog-upload-offset': '0',
    });
  });

  it('aborts the request to the upstream when the client aborts its request', async () => {
    const { client, calls } = await setup(() => {});
    const controller = new AbortController();

    const pending = errorOf(
      client.models.generateContent({ ...request, config: { abortSignal: controller.signal } }),
    );
    await expect.poll(() => calls.length).toBe(1);
    controller.abort();

    expect(await pending).toMatchObject({ message: expect.stringContaining('abort') });
    await calls[0]?.disconnected;
  });

  it('aborts the request to the upstream when the client aborts a stream', async () => {
    const { client, calls } = await setup((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(answer({ text: 'Hel' }))}\r\n\r\n`);
    });
    const controller = new AbortController();

    const stream = await client.models.generateContentStream({
      ...request,
      config: { abortSignal: controller.signal },
    });
    await stream.next();
    controller.abort();

    await expect(stream.next()).rejects.toThrow();
    await calls[0]?.disconnected;
  });

  it('causes an ApiError with a request id for a wrong key', async () => {
    const { client } = await setup(json(), { apiKey: 'sk-service-wrong' });

    expectApiError(await errorOf(client.models.generateContent(request)), 401, 'UNAUTHENTICATED');
  });

  it('causes an ApiError with a request id for a request over the rate limit of the platform', async () => {
    const { client } = await setup(json(answer({ text: 'Hello' })), {
      config: { limits: { api_key: { requests_per_second: 1, concurrent: 1 } } },
    });

    await client.models.generateContent(request);
    const error = await errorOf(client.models.generateContent(request));

    expectApiError(error, 429, 'RESOURCE_EXHAUSTED');
  });

  it('causes an ApiError with a request id if there is no upstream', async () => {
    const { client } = await setup(json(), { config: { compatible: {} } });

    const error = await errorOf(client.models.generateContent(request));

    expectApiError(error, 501, 'UNIMPLEMENTED');
  });

  it('causes an ApiError with a request id for a path outside the API', async () => {
    const { client, calls } = await setup(json(), { apiVersion: 'v9' });

    const error = await errorOf(client.models.generateContent(request));

    expectApiError(error, 404, 'NOT_FOUND');
    expect(calls).toEqual([]);
  });

  it('returns the error body of the upstream unchanged', async () => {
    const body = { error: { code: 400, message: 'Too long', status: 'INVALID_ARGUMENT' } };
    const { client } = await setup(json(body, 400));

    const error = await errorOf(client.models.generateContent(request));

    expect(error).toBeInstanceOf(ApiError);
    expect(JSON.parse((error as ApiError).message)).toEqual(body);
  });
});
