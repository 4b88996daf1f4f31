import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createExpressTokenEndpoint } from './express-token-endpoint.ts';
import { createPlatformClient } from './platform-client.ts';

/** A request to which middleware has added the session. */
type WithSession = IncomingMessage & { session: { user?: string } };

async function setup() {
  const users: unknown[] = [];
  const endpoint = createExpressTokenEndpoint({
    platform: createPlatformClient({
      baseUrl: 'https://chat.example',
      apiKey: 'sk-service-test',
      fetch: async (_url, init) => {
        users.push(JSON.parse(String(init?.body)).external_user_id);
        return Response.json({ id: 'emb_1', token: 'et_1', expires_at: '2026-01-01T00:00:00Z' });
      },
    }),
    agent: 'demo',
    allowedOrigins: ['https://www.shop.example'],
    identify: ({ session: { user } }: WithSession) => (user ? { external_user_id: user } : null),
  });
  const listener: RequestListener = async (request, response) => {
    // Middleware: reads the body, and finds the session.
    for await (const _ of request);
    const [, user] = /^session=(\w+)$/.exec(request.headers.cookie ?? '') ?? [];
    await endpoint(Object.assign(request, { session: user ? { user } : {} }), response);
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = (headers: Record<string, string>, method = 'POST') =>
    fetch(url, { method, headers, ...(method === 'POST' && { body: '{}' }) });
  return { ask, url, users };
}

it('`identify` gets the request of Node with the session that middleware added', async () => {
  const { ask, url, users } = await setup();

  const response = await ask({ cookie: 'session=ada', origin: url });

  expect(await response.json()).toEqual({ token: 'et_1', expires_at: '2026-01-01T00:00:00Z' });
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(users).toEqual(['ada']);
});

it('responds to other requests like `createTokenEndpoint`', async () => {
  const { ask, url, users } = await setup();
  const origin = 'https://www.shop.example';

  expect((await ask({ origin: url })).status).toBe(401);
  expect((await ask({ cookie: 'session=ada', origin: 'https://evil.example' })).status).toBe(403);
  expect((await ask({}, 'GET')).status).toBe(405);
  expect((await ask({}, 'PUT')).status).toBe(405);
  expect(users).toEqual([]);
  const allowed = await ask({ cookie: 'session=ada', origin });
  expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
});
