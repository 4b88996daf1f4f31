import { expect, it } from 'vitest';
import { sendIncomplete } from '../testing/incomplete-request.ts';
import { listen } from '../testing/listen.ts';
import { setupServer, testApiKey, testOrigin } from '../testing/setup-server.ts';

async function setup(limits: object) {
  const server = await setupServer({ config: { limits, trusted_proxies: 1 } });
  const http = await listen(server.app);
  /** Sends a request without the last byte of its body. */
  const startRequest = (token: string, bytes: number, address = '203.0.113.1') => {
    const body = JSON.stringify({ title: 'x' }).padEnd(bytes);
    return sendIncomplete(http.url, {
      method: 'POST',
      path: '/agent/v1/sessions',
      headers: {
        authorization: `Bearer ${token}`,
        origin: testOrigin,
        'content-type': 'application/json',
        'x-forwarded-for': address,
      },
      body,
    });
  };
  return { ...server, url: http.url, startRequest };
}

it('simultaneous JSON bodies from one address are limited to a quarter of `process.body_bytes`', async () => {
  const { backend, requestAsUser, startRequest, issue } = await setup({
    process: { body_bytes: 1_048_576 },
  });
  const [ada, eve] = [await issue('ada'), await issue('eve')];
  const first = await startRequest(ada.token, 150_000);
  const refused = await startRequest(eve.token, 150_000).then((request) => request.readResponse());

  const block = await backend('POST', '/agent/v1/agents/test/end_users/eve/block', {});
  const completed = await first.finish();
  const next = await startRequest(ada.token, 150_000).then((request) => request.finish());

  expect(refused).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  expect(block.status).toBe(200);
  expect([completed.status, next.status]).toEqual([200, 200]);
  expect((await requestAsUser(ada.token, 'POST', '/agent/v1/sessions', {})).status).toBe(200);
});

it('a request that blocks a user is accepted even if `process.body_bytes` is used up', async () => {
  const { startRequest, issue, url } = await setup({ process: { body_bytes: 1_048_576 } });
  const { token } = await issue('ada');
  await startRequest(token, 1_000_000);
  const block = await sendIncomplete(url, {
    method: 'POST',
    path: '/agent/v1/agents/test/end_users/eve/block',
    headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ padding: 'y'.repeat(500_000) }),
  });

  expect((await block.finish()).status).toBe(200);
});

it('simultaneous JSON bodies from one IPv6 /56 share this quarter', async () => {
  const { startRequest, issue } = await setup({ process: { body_bytes: 1_048_576 } });
  const [ada, eve, bob] = [await issue('ada'), await issue('eve'), await issue('bob')];
  const first = await startRequest(ada.token, 150_000, '2001:db8:0:1::1');

  const neighbour = await startRequest(eve.token, 150_000, '2001:db8:0:2::1');
  const refused = await neighbour.readResponse();
  const other = await startRequest(bob.token, 150_000, '2001:db8:1:1::1');

  expect(refused.status).toBe(503);
  expect((await other.finish()).status).toBe(200);
  expect((await first.finish()).status).toBe(200);
});
