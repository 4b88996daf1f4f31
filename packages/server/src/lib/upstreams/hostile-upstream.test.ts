import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { json, type Replay, setupGateway } from '../testing/setup-gateway.ts';

const path = '/sandbox-compat/sandboxes';

/** Sends these bytes in place of an HTTP response. */
const raw =
  (text: string): Replay =>
  async (response, call) => {
    await call.body;
    response.socket?.end(text);
  };

it.each(['101 Switching Protocols', '042 Low', '600 High', '999 Higher'])(
  'a response with the status %s is a failure of the upstream, and frees the slot of the API key',
  async (status) => {
    const { send } = await setupGateway(
      raw(
        `HTTP/1.1 ${status}\r\nupgrade: x\r\nconnection: upgrade\r\ncontent-length: 2\r\nx-leak: 1\r\n\r\n{}`,
      ),
      { config: { limits: { api_key: { requests_per_second: 100, concurrent: 1 } } } },
    );

    for (let count = 0; count < 3; count += 1) {
      const response = await send(path, { method: 'POST', body: '{}' });
      expect(response.status).toBe(502);
      expect(response.headers.get('x-leak')).toBeNull();
      expect(response.headers.get('x-service-problem-code')).toBe('provider_unavailable');
      expect(await response.json()).toMatchObject({ message: expect.any(String) });
    }
  },
);

it('headers that choose an account or name the page of the caller are not forwarded', async () => {
  const { send, calls } = await setupGateway();
  const names = [
    'openai-organization',
    'openai-project',
    'x-goog-user-project',
    'api-key',
    'x-auth-token',
    'referer',
  ];

  await send(path, {
    method: 'POST',
    headers: Object.fromEntries(names.map((name) => [name, 'http://host.example/'])),
  });

  expect(Object.keys(calls[0]?.headers ?? {})).not.toEqual(
    expect.arrayContaining([expect.stringMatching(new RegExp(`^(${names.join('|')}|origin)$`))]),
  );
});

it('a compressed response is decoded', async () => {
  const { send } = await setupGateway(async (response, call) => {
    await call.body;
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync('{"ok":true}'));
  });

  const response = await send(path, { method: 'POST', body: '{}' });

  expect(response.headers.get('content-encoding')).toBeNull();
  expect(await response.json()).toEqual({ ok: true });
});

it('a response with an unknown encoding is a failure of the upstream', async () => {
  const { send } = await setupGateway(json({}, 200, { 'content-encoding': 'zstd' }));

  expect((await send(path, { method: 'POST', body: '{}' })).status).toBe(502);
});

it('a Location of another host is not passed on', async () => {
  const { send } = await setupGateway(json({}, 302, { location: 'https://other.example/key' }));

  const response = await send(path, { method: 'POST', body: '{}', redirect: 'manual' });

  expect(response.headers.get('location')).toBeNull();
});

it('the key of the platform is redacted in a response that quotes it', async () => {
  const { send } = await setupGateway((response, call) => {
    const key = String(call.headers['x-api-key']);
    response.writeHead(200, { 'content-type': 'text/plain', 'x-echo': `key ${key}` });
    response.write(`start ${key.slice(0, 5)}`);
    response.end(`${key.slice(5)} end`);
  });

  const response = await send(path, { method: 'POST', body: '{}' });

  expect(response.headers.get('x-echo')).toBe('key ***');
  expect(await response.text()).toMatch(/^start \*+ end$/);
});
