import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../manual-clock.ts';
import { type ReplayServer, startReplayServer } from '../replay-server.ts';
import { ask, question, readStream } from '../testing/ask.ts';

let server: ReplayServer;
let clock: ManualClock;

beforeEach(async () => {
  clock = new ManualClock();
  server = await startReplayServer({ clock });
});
afterEach(() => server.close());

async function refusal(pending: Promise<Response>): Promise<Record<string, unknown>> {
  const response = await pending;
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  return { status: response.status, ...error };
}

describe('an invalid request', () => {
  it('gets a 401 in the format of OpenAI without a key', async () => {
    expect(await refusal(ask(server, {}, { headers: {} }))).toEqual({
      status: 401,
      message: expect.stringContaining('Authorization: Bearer'),
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    });
  });

  it('gets a 401 for a wrong key', async () => {
    const strict = await startReplayServer({ apiKey: 'sk-right' });
    const wrong = await ask(strict);
    const right = await ask(strict, {}, { headers: { authorization: 'Bearer sk-right' } });
    await right.text();
    await strict.close();

    expect(wrong.status).toBe(401);
    expect(right.status).toBe(200);
  });

  it.each(['gpt-5', 'replay/novel', 'replay/'])('gets a 404 for the model %s', async (model) => {
    expect(await refusal(ask(server, { model }))).toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
    });
  });

  it.each([
    ['replay/short,chunks=syllable', /chunks .*"syllable"; use one of token, burst, whole/],
    ['replay/short,speed=3', /unknown option "speed".*tps/],
    ['replay/short,tps=fast', /tps .*"fast"; use a number/],
    ['replay/short,quirks=comments+tea', /quirks .*"tea"/],
    ['replay/short,at=1.5', /use a number from 0 to 1/],
  ])('gets a 400 that lists the valid values for the option in %s', async (model, message) => {
    const error = await refusal(ask(server, { model }));

    expect(error).toMatchObject({ status: 400, param: 'model' });
    expect(error.message).toMatch(message);
  });

  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
  const calling = { role: 'assistant', content: null, tool_calls: [call] };
  it.each([
    ['model', { model: undefined }],
    ['messages', { messages: [] }],
    ['messages[0].role', { messages: [{ role: 'robot', content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: null }] }],
    ['messages[0].content[0]', { messages: [{ role: 'user', content: ['x'] }] }],
    ['messages[1].tool_calls', { messages: [...question, { ...calling, tool_calls: [] }] }],
    ['messages[1].tool_calls[0]', { messages: [...question, { ...calling, tool_calls: [{}] }] }],
    ['messages', { messages: [...question, calling] }],
    ['messages[2]', { messages: [...question, calling, ...question] }],
    [
      'messages[1].tool_call_id',
      { messages: [...question, { role: 'tool', tool_call_id: 'a', content: 'x' }] },
    ],
    ['tools', { tools: [] }],
    ['tools[0]', { tools: [{ type: 'function' }] }],
    ['tools[0].function.name', { tools: [{ type: 'function', function: { name: 'a b' } }] }],
    ['stream', { stream: 'yes' }],
    ['stream_options', { stream: false }],
    ['max_tokens', { max_tokens: 0 }],
  ])('gets a 400 that names the parameter %s', async (param, body) => {
    expect(await refusal(ask(server, body))).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      param,
    });
  });

  it('gets a 400 for a body that is not a JSON object', async () => {
    expect(await refusal(ask(server, {}, { body: '{"model":' }))).toMatchObject({ status: 400 });
    expect(await refusal(ask(server, {}, { body: '[]' }))).toMatchObject({ status: 400 });
  });

  it('gets a 404 for another path', async () => {
    const headers = { authorization: 'Bearer x' };

    expect((await fetch(`${server.url}/embeddings`, { headers })).status).toBe(404);
  });
});

describe('GET /v1/models', () => {
  it('lists every answer as a model', async () => {
    const headers = { authorization: 'Bearer x' };
    const list = await (await fetch(`${server.url}/models`, { headers })).json();

    expect(list).toMatchObject({ object: 'list' });
    expect((list as { data: unknown[] }).data).toHaveLength(10);
    expect((list as { data: unknown[] }).data[0]).toMatchObject({
      id: 'replay/report',
      object: 'model',
    });
  });
});

describe('server.requests', () => {
  it('records requests and their outcome', async () => {
    const tools = [{ type: 'function', function: { name: 'get_order' } }];
    const response = await ask(server, { tools });
    await readStream(response);
    const [request] = server.requests;
    await request?.closed;

    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      model: 'replay/short',
      messages: question,
      tools,
      stream: true,
      status: 200,
      tokensSent: 42,
      aborted: false,
      abortedAt: null,
      receivedAt: clock.now(),
      closedAt: clock.now(),
    });
  });

  it('does not record the API key', async () => {
    await readStream(await ask(server));
    const [request] = server.requests;

    expect(request?.headers).toHaveProperty('content-type');
    expect(JSON.stringify([request, request?.headers, request?.body])).not.toContain('sk-replay');
  });

  it('records refused requests, and is emptied by forget()', async () => {
    await ask(server, { model: 'gpt-5' });
    expect(server.requests[0]).toMatchObject({ model: 'gpt-5', status: 404 });

    server.forget();
    expect(server.requests).toHaveLength(0);
  });

  it('records when the client disconnected during the answer', async () => {
    server.use({ tps: 10 });
    const leaving = new AbortController();
    const coming = server.nextRequest();
    const response = await ask(server, {}, { signal: leaving.signal });
    const request = await coming;
    const reader = response.body?.getReader();
    await reader?.read();
    await clock.next();
    clock.advance(400);
    leaving.abort();
    await request.closed;

    expect(request.aborted).toBe(true);
    expect(request.abortedAt).toBe(clock.now());
    expect(request.tokensSent).toBeGreaterThan(0);
    expect(request.tokensSent).toBeLessThan(42);
    expect(clock.pending).toBe(0);
  });
});
