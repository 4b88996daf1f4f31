import { ApiError, GoogleGenAI, Type } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { events, json, type Replay, setupGateway } from '../testing/setup-gateway.ts';
import { testApiKey } from '../testing/setup-server.ts';

/** The official client, of which only the address was changed. */
async function setup(
  replay?: Replay,
  { apiKey = testApiKey, ...options }: { apiKey?: string; apiVersion?: string } = {},
) {
  const gateway = await setupGateway(replay);
  const httpOptions = { baseUrl: `${gateway.url}/generative-model` };
  return { ...gateway, client: new GoogleGenAI({ apiKey, httpOptions, ...options }) };
}

const answer = (...parts: object[]) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
});
const request = { model: 'gemini', contents: 'Hi' };
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

  it('aborts the upstream when a stream is aborted', async () => {
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

  it('a wrong key is an ApiError with the request id in its message', async () => {
    const { client } = await setup(json(), { apiKey: 'sk-service-wrong' });

    const error = await client.models.generateContent(request).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 401 });
    const { error: body } = JSON.parse((error as ApiError).message);
    expect(body).toMatchObject({ code: 401, status: 'UNAUTHENTICATED' });
    expect(body.details).toContainEqual({
      '@type': 'type.googleapis.com/google.rpc.RequestInfo',
      requestId: expect.stringMatching(/^req_/),
    });
  });

  it('an error of the upstream keeps its body', async () => {
    const body = { error: { code: 400, message: 'Too long', status: 'INVALID_ARGUMENT' } };
    const { client } = await setup(json(body, 400));

    const error = await client.models.generateContent(request).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(ApiError);
    expect(JSON.parse((error as ApiError).message)).toEqual(body);
  });
});
