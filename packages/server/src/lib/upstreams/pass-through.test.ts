import { once } from 'node:events';
import { request as openRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { events, json, setupGateway } from '../testing/setup-gateway.ts';
import { setupServer, testApiKey, upstreamKey } from '../testing/setup-server.ts';

/** A path and the key header of each family. */
const families = [
  ['/chat-model/v1/embeddings', 'authorization'],
  ['/message-model/v1/messages', 'x-api-key'],
  ['/generative-model/v1beta/models/m:generateContent', 'x-goog-api-key'],
  ['/sandbox-compat/sandboxes', 'x-api-key'],
  ['/web-search/search', 'authorization'],
] as const;
const forwarding = families.slice(1);
const credential = (header: string, key = testApiKey) =>
  header === 'authorization' ? `Bearer ${key}` : key;

/** The expected error body of each family. */
const errorBodies: Record<string, (status: number) => object> = {
  '/chat-model': () => ({
    error: {
      message: expect.any(String),
      type: expect.any(String),
      param: null,
      code: expect.any(String),
    },
  }),
  '/message-model': () => ({
    type: 'error',
    error: { type: expect.any(String), message: expect.any(String) },
    request_id: expect.stringMatching(/^req_/),
  }),
  '/generative-model': (status) => ({
    error: {
      code: status,
      message: expect.any(String),
      status: expect.stringMatching(/^[A-Z_]+$/),
      details: expect.any(Array),
    },
  }),
  '/sandbox-compat': (status) => ({ code: status, message: expect.any(String) }),
  '/web-search': () => ({ detail: { error: expect.any(String) } }),
};

async function expectRefusal(path: string, response: Response, status: number, code: string) {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  expect(response.headers.get('x-ratelimit-limit-requests')).not.toBeNull();
  expect(response.headers.get('ratelimit-limit')).not.toBeNull();
  expect(response.headers.get('x-service-problem-code')).toBe(code);
  for (const name of ['problem-kind', 'problem-origin', 'problem-retryable', 'recovery-action']) {
    expect(response.headers.get(`x-service-${name}`)).not.toBeNull();
  }
  const prefix = /^\/[^/]+/.exec(path)?.[0] ?? '';
  expect(await response.json()).toEqual(errorBodies[prefix]?.(status));
}

describe.each(families)('7.2: %s', (path, keyHeader) => {
  it('refuses a request without a key in the error format of its family', async () => {
    const { url, calls } = await setupGateway();

    const response = await fetch(url + path, { method: 'POST' });

    await expectRefusal(path, response, 401, 'AUTHENTICATION_ERROR');
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(calls).toEqual([]);
  });

  it('refuses a wrong key in the error format of its family', async () => {
    const { url } = await setupGateway();

    const headers = { [keyHeader]: credential(keyHeader, 'sk-service-wrong') };
    const response = await fetch(url + path, { method: 'POST', headers });

    await expectRefusal(path, response, 401, 'AUTHENTICATION_ERROR');
  });

  it('refuses requests over the rate limit in the error format of its family', async () => {
    const { send } = await setupGateway(json(), {
      config: { limits: { api_key: { requests_per_second: 1, concurrent: 4 } } },
    });

    await send(path, { method: 'POST' });
    const response = await send(path, { method: 'POST' });

    await expectRefusal(path, response, 429, 'RATE_LIMITED');
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('x-service-problem-scope')).toBe('platform');
  });

  it('refuses an embed token, and forwards nothing', async () => {
    const { url, issue, calls } = await setupGateway();
    const { token } = await issue();

    const headers = { [keyHeader]: credential(keyHeader, token) };
    const response = await fetch(url + path, { method: 'POST', headers });

    expect(response.ok).toBe(false);
    expect(calls).toEqual([]);
  });
});

describe.each(forwarding)('1.2: %s', (path, keyHeader) => {
  const post = { method: 'POST', body: '{}' };

  it('is forwarded with the upstream’s key instead of the caller’s', async () => {
    const { url, calls } = await setupGateway(json({ ok: true }));

    const headers = { [keyHeader]: credential(keyHeader) };
    const response = await fetch(url + path, { ...post, headers });

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true });
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(response.headers.get('x-ratelimit-limit-requests')).not.toBeNull();
    const [call] = calls;
    expect(call?.url).toBe(path.replace(/^\/[^/]+/, '/vendor'));
    expect(call?.headers[keyHeader]).toBe(credential(keyHeader, upstreamKey));
    expect(JSON.stringify(call?.headers)).not.toContain(testApiKey);
  });

  it('5.2: also accepts the key in the Authorization header', async () => {
    const { send, calls } = await setupGateway();

    expect((await send(path, post)).status).toBe(200);
    expect(JSON.stringify(calls[0]?.headers)).not.toContain(testApiKey);
  });

  it('7.1: responds with 501 in the error format of its family if it has no upstream', async () => {
    const { send } = await setupGateway(json(), { config: { compatible: {} } });

    const response = await send(path, post);

    await expectRefusal(path, response, 501, 'not_implemented');
    expect(response.headers.get('x-should-retry')).toBe('false');
  });

  it('8: refuses a body over the limit in the error format of its family', async () => {
    const { send, calls } = await setupGateway(json(), {
      config: { limits: { request: { forwarded_bytes: 1024 } } },
    });

    const response = await send(path, { method: 'POST', body: 'x'.repeat(1025) });

    await expectRefusal(path, response, 413, 'PAYLOAD_TOO_LARGE');
    for (const { body } of calls) await expect(body).rejects.toThrow();
  });

  it('7.1: responds with 502 in the error format of its family if the upstream disconnects', async () => {
    const { send, logLines } = await setupGateway((response) => response.destroy());

    const response = await send(path, post);

    await expectRefusal(path, response, 502, 'provider_unavailable');
    expect(logLines.some((line) => line.includes('upstream failed'))).toBe(true);
  });

  it('7.1: responds with 504 in the error format of its family if the upstream does not respond in time', async () => {
    const { send, calls, clock } = await setupGateway(() => {}, {
      upstream: { first_byte_timeout_ms: 5000 },
    });

    const pending = send(path, post);
    await expect.poll(() => calls.length).toBe(1);
    clock.advance(5000);

    await expectRefusal(path, await pending, 504, 'UPSTREAM_TIMEOUT');
    await calls[0]?.disconnected;
  });

  it('forwards a JSON error of the upstream without the upstream’s key, and adds the headers of a problem', async () => {
    const error = { error: { message: `Invalid value for key ${upstreamKey}` } };
    const { send } = await setupGateway(json(error, 400));

    const response = await send(path, post);

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: { message: 'Invalid value for key …' } });
    expect(response.headers.get('x-service-problem-origin')).toBe('upstream_provider');
    expect(response.headers.get('x-service-problem-code')).toBe('VALIDATION_ERROR');
  });

  it('replaces a non-JSON error of the upstream with an error in the format of its family', async () => {
    const { send } = await setupGateway((response) => {
      response.writeHead(503, { 'content-type': 'text/html', 'retry-after': '7' });
      response.end('<h1>Unavailable</h1>');
    });

    const response = await send(path, post);

    expect(response.headers.get('retry-after')).toBe('7');
    await expectRefusal(path, response, 503, 'SERVICE_UNAVAILABLE');
  });

  it('responds with 502 if the upstream rejects the key of the platform', async () => {
    const { send } = await setupGateway(json({ error: 'bad key' }, 401));

    const response = await send(path, post);

    await expectRefusal(path, response, 502, 'provider_unavailable');
  });
});

it.each([
  ['/message-model/v1/messages', 'x-goog-api-key'],
  ['/web-search/search', 'x-api-key'],
  ['/model/v1/chat/completions', 'x-api-key'],
])('5.3: %s does not accept a key in %s', async (path, header) => {
  const { url } = await setupGateway();

  const response = await fetch(url + path, { method: 'POST', headers: { [header]: testApiKey } });

  expect(response.status).toBe(401);
});

it.each(['/message-model/v2/messages', '/message-model/messages', '/generative-model/v2/models'])(
  '9.1: %s gets a 404 in the error format of its family',
  async (path) => {
    const { send, calls } = await setupGateway();

    await expectRefusal(path, await send(path), 404, 'NOT_FOUND');
    expect(calls).toEqual([]);
  },
);

it.each([
  '/message-model/../0123456789abc/v1/messages',
  '/message-model/v1/%2e%2e/v2/messages',
  '/message-model/v1/../../agent/v1/agents',
])('a path with `..` segments is not forwarded: %s', async (path) => {
  const { url, calls } = await setupGateway();
  const { port } = new URL(url);

  // `fetch` would resolve the path.
  const headers = { 'x-api-key': testApiKey };
  const request = openRequest({ host: '127.0.0.1', port, path, headers }).end();
  const [response] = await once(request, 'response');

  expect(response.statusCode).toBeGreaterThanOrEqual(400);
  expect(calls).toEqual([]);
});

describe('a forwarded request', () => {
  it('9.2: has the method, path, query, body and version headers of the caller', async () => {
    const { send, calls } = await setupGateway();
    const body = '{"n": 9007199254740993,  "unknown": [1]}';

    await send('/message-model/v1/a%2Fb/c?beta=true&x=%20y&x=2', {
      method: 'PATCH',
      body,
      headers: {
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'a,b',
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'official-client/1',
      },
    });

    const [call] = calls;
    expect(call).toMatchObject({
      method: 'PATCH',
      url: '/vendor/v1/a%2Fb/c?beta=true&x=%20y&x=2',
      headers: {
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'a,b',
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(body.length),
        'user-agent': 'official-client/1',
      },
    });
    expect((await call?.body)?.toString()).toBe(body);
  });

  it('5.5: has no credential of the caller in its query, and no cookie', async () => {
    const { send, calls } = await setupGateway();

    await send(`/generative-model/v1beta/models?key=${testApiKey}&pageSize=5&%6bey=x`, {
      headers: { cookie: 'session=1', 'x-upstream-api-key': 'sk-other' },
    });

    expect(calls[0]?.url).toBe('/vendor/v1beta/models?pageSize=5');
    expect(calls[0]?.headers).not.toHaveProperty('cookie');
    expect(calls[0]?.headers).not.toHaveProperty('x-upstream-api-key');
  });

  it('has no hop-by-hop headers, and neither has its response', async () => {
    const { url, calls } = await setupGateway(
      json({}, 200, {
        connection: 'x-hop',
        'x-hop': '1',
        'set-cookie': 'a=1',
        'access-control-allow-origin': '*',
        'request-id': 'of-the-upstream',
        'x-kept': 'yes',
      }),
    );

    const request = openRequest(`${url}/message-model/v1/models`, {
      headers: {
        'x-api-key': testApiKey,
        connection: 'close, x-private',
        'x-private': '1',
        te: 'trailers',
      },
    }).end();
    const [response] = await once(request, 'response');
    response.resume();

    expect(calls[0]?.headers).not.toHaveProperty('x-private');
    expect(calls[0]?.headers).not.toHaveProperty('te');
    expect(response.headers).toMatchObject({ 'x-kept': 'yes' });
    for (const name of ['x-hop', 'set-cookie', 'access-control-allow-origin']) {
      expect(response.headers).not.toHaveProperty(name);
    }
    expect(response.headers['request-id']).toBe(response.headers['x-request-id']);
  });

  it('reuses the connection of the previous request, even if its response was a stream', async () => {
    const { send, calls } = await setupGateway(events('data: 1\n\n'));

    for (let count = 0; count < 3; count += 1) await (await send('/web-search/search')).text();

    expect(new Set(calls.map(({ port }) => port)).size).toBe(1);
  });

  it('is sent to the upstream while its body is still arriving', async () => {
    const { url, calls } = await setupGateway(async (response, _call, request) => {
      const [piece] = await once(request, 'data');
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(`first: ${piece}`);
    });

    const request = openRequest(`${url}/sandbox-compat/files`, {
      method: 'POST',
      headers: { 'x-api-key': testApiKey },
    });
    request.write('part');
    const [response] = await once(request, 'response');
    const [text] = await once(response, 'data');

    expect(String(text)).toBe('first: part');
    expect(calls[0]?.headers['transfer-encoding']).toBe('chunked');
    request.end();
  });

  it('is sent as a single request even if it is a DELETE with a chunked body', async () => {
    const { url, calls } = await setupGateway();
    const body = 'GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n';

    const request = openRequest(`${url}/sandbox-compat/files`, {
      method: 'DELETE',
      headers: { 'x-api-key': testApiKey, 'transfer-encoding': 'chunked' },
    });
    request.end(body);
    const [response] = await once(request, 'response');

    expect(response.statusCode).toBe(200);
    expect(calls.map(({ url: path }) => path)).toEqual(['/vendor/files']);
    expect(String(await calls[0]?.body)).toBe(body);
  });

  it('has no body if it is a GET', async () => {
    const { url, calls } = await setupGateway();

    const request = openRequest(`${url}/sandbox-compat/files`, {
      headers: { 'x-api-key': testApiKey, 'content-length': '2' },
    });
    request.end('{}');
    const [response] = await once(request, 'response');

    expect(response.statusCode).toBe(200);
    expect(calls[0]?.headers).not.toHaveProperty('content-length');
  });

  it('7.1: is aborted with 408 if its body stops arriving', async () => {
    const { url, clock, calls } = await setupGateway();
    const request = openRequest(`${url}/sandbox-compat/files`, {
      method: 'POST',
      headers: { 'x-api-key': testApiKey },
    });
    request.on('error', () => {});
    request.write('part');
    await expect.poll(() => calls.length).toBe(1);

    clock.advance(15_000);
    const [response] = await once(request, 'response');

    expect(response.statusCode).toBe(408);
    await expect(calls[0]?.body).rejects.toThrow();
  });

  it('is aborted when the caller disconnects before the response', async () => {
    const { send, calls } = await setupGateway(() => {});
    const controller = new AbortController();

    const pending = send('/message-model/v1/messages', {
      method: 'POST',
      body: '{}',
      signal: controller.signal,
    });
    await expect.poll(() => calls.length).toBe(1);
    controller.abort();

    await expect(pending).rejects.toThrow();
    await calls[0]?.disconnected;
  });
});

describe('a forwarded stream', () => {
  it('is sent chunk by chunk, and counts as a concurrent request until its last chunk is sent', async () => {
    let finish = () => {};
    const { send, calls } = await setupGateway(
      (response, call) => {
        if (calls.length > 1) return json()(response, call);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('event: a\ndata: 1\n\n');
        finish = () => response.end('event: b\ndata: 2\n\n');
      },
      { config: { limits: { api_key: { requests_per_second: 100, concurrent: 1 } } } },
    );
    const path = '/message-model/v1/messages';

    const stream = await send(path, { method: 'POST', body: '{}' });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader?.read()).toEqual({ done: false, value: 'event: a\ndata: 1\n\n' });
    await expectRefusal(path, await send(path), 429, 'RATE_LIMITED');
    finish();

    expect(await reader?.read()).toEqual({ done: false, value: 'event: b\ndata: 2\n\n' });
    expect(await reader?.read()).toEqual({ done: true, value: undefined });
    await expect.poll(async () => (await send(path)).status).toBe(200);
  });

  it('is aborted at the upstream when the caller disconnects', async () => {
    const { send, calls } = await setupGateway((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });

    const response = await send('/message-model/v1/messages', { method: 'POST', body: '{}' });
    await response.body?.cancel();

    await calls[0]?.disconnected;
  });

  it('is cut off and logged if the upstream disconnects', async () => {
    const { send, logLines } = await setupGateway((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n', () => response.destroy());
    });

    const response = await send('/message-model/v1/messages', { method: 'POST', body: '{}' });

    await expect(response.text()).rejects.toThrow();
    expect(logLines.some((line) => line.includes('response broke off'))).toBe(true);
  });

  it('is logged with the status of the upstream', async () => {
    const { send, logLines } = await setupGateway((response) => {
      response.writeHead(206, { 'content-type': 'text/event-stream' });
      response.end('data: 1\n\n');
    });

    const response = await send('/message-model/v1/messages', { method: 'POST', body: '{}' });

    expect(response.status).toBe(206);
    expect(logLines.some((line) => line.includes('"status":206'))).toBe(true);
  });

  it('has its response head sent before its first chunk arrives', async () => {
    let finish = () => {};
    const { send } = await setupGateway((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      finish = () => response.end('data: 1\n\n');
    });

    const response = await send('/message-model/v1/messages', { method: 'POST', body: '{}' });
    finish();

    expect(await response.text()).toBe('data: 1\n\n');
  });

  it('is read from the upstream no faster than the caller reads it', async () => {
    const piece = Buffer.alloc(65_536, 'x');
    let written = 0;
    const { url } = await setupGateway((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const write = () => {
        while (written < 2000) {
          written += 1;
          if (!response.write(piece)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    const request = openRequest(`${url}/message-model/v1/messages`, {
      headers: { 'x-api-key': testApiKey },
    }).end();
    const [response] = await once(request, 'response');

    // The stream has 125 MiB, which is more than the buffers of two connections can contain.
    let before = -1;
    await expect
      .poll(() => {
        const isStalled = written === before;
        before = written;
        return isStalled;
      })
      .toBe(true);
    expect(written).toBeLessThan(2000);

    let size = 0;
    for await (const chunk of response) size += chunk.length;
    expect(size).toBe(2000 * piece.length);
  });

  it('has the same bytes as the stream of the upstream', async () => {
    const pieces = [': comment\r\n\r\n', 'event: message_start\ndata: {"a":1}\n\n', 'data: é\n\n'];
    const { send } = await setupGateway(events(...pieces));

    const response = await send('/message-model/v1/messages', { method: 'POST', body: '{}' });

    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(await response.text()).toBe(pieces.join(''));
  });
});

describe('an upload address of the upstream', () => {
  it.each(['v1', 'v1beta'])(
    '5.5: is replaced by an address of this server, which forwards the upload (%s)',
    async (version) => {
      const path = `/upload/${version}/files`;
      const { send, calls } = await setupGateway(async (response, call) => {
        await call.body;
        const start = call.url.includes('upload_id')
          ? {}
          : {
              'x-goog-upload-url': `http://${call.headers.host}/vendor${path}?upload_id=7`,
            };
        response.writeHead(200, { 'content-type': 'application/json', ...start });
        response.end('{}');
      });

      const started = await send(`/generative-model${path}`, { method: 'POST' });
      const address = new URL(started.headers.get('x-goog-upload-url') ?? '');
      await send(address.pathname + address.search, { method: 'POST', body: 'content' });

      expect(address.href).toBe(`https://chat.example.test/generative-model${path}?upload_id=7`);
      expect(calls.map(({ url }) => url)).toEqual([`/vendor${path}`, `/vendor${path}?upload_id=7`]);
    },
  );
});

describe('the configuration', () => {
  it('1.2: can move a family to another prefix', async () => {
    const { send, calls } = await setupGateway(json(), {
      config: { compatible: { message_model: { prefix: '/llm' } } },
    });

    await expectRefusal('/message-model', await send('/llm/v1/messages'), 501, 'not_implemented');
    expect((await send('/message-model/v1/messages')).status).toBe(404);
    expect(calls).toEqual([]);
  });

  it.each([
    ['/agent', 'is a path of the platform itself'],
    ['/search', 'is a path of the platform itself'],
    ['/console', 'is a path of the platform itself'],
    ['/chat-model', 'is already the prefix of `chat_model`'],
    ['/two/segments', 'must be a slash and one segment'],
  ])('is rejected with the prefix %s', async (prefix, message) => {
    const config = { compatible: { message_model: { prefix } } };

    await expect(setupServer({ config })).rejects.toThrow(
      `compatible.message_model.prefix ${message}`,
    );
  });
});
