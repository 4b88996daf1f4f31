import { describe, expect, it } from 'vitest';
import { sendIncomplete } from '../testing/incomplete-request.ts';
import { listen } from '../testing/listen.ts';
import { setupServer, testApiKey } from '../testing/setup-server.ts';

const apiKeyLimits = { requests_per_second: 5, concurrent: 4 };

/** Sets up a backend whose API key has reached its limits of rate and of concurrent requests. */
async function setup(limits: object = {}) {
  const server = await setupServer({
    config: {
      limits: { api_key: apiKeyLimits, api_key_stops: undefined, ...limits },
    },
  });
  const http = await listen(server.app);
  const { id } = await server.issue('ada');
  const body = JSON.stringify({ agent: 'test', external_user_id: 'ada' });
  for (let n = 0; n < apiKeyLimits.concurrent; n += 1) {
    await sendIncomplete(http.url, {
      method: 'POST',
      path: '/agent/v1/embed_tokens',
      headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
      body,
    });
  }
  const statusOf = async (method: string, path: string) =>
    (await server.backend(method, `/agent/v1${path}`)).status;
  const listStatus = () => statusOf('GET', '/embed_tokens');
  await expect.poll(listStatus).toBe(429);
  return { ...server, id, listStatus, statusOf };
}

describe('an API key whose limits are used up', () => {
  it('can still block twelve users simultaneously', async () => {
    const { listStatus, statusOf } = await setup();

    const statuses = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        statusOf('POST', `/agents/test/end_users/user-${n}/block`),
      ),
    );

    expect(statuses).toEqual(Array<number>(12).fill(200));
    expect(await listStatus()).toBe(429);
  });

  it('can still revoke tokens, unblock users, disable and delete keys, and terminate sessions', async () => {
    const { id, statusOf } = await setup();

    // A 404 or 409 is the response of the route; the rate limit would return 429.
    const calls: [string, string, number][] = [
      ['POST', `/embed_tokens/${id}/revoke`, 200],
      ['POST', '/agents/test/end_users/ada/revoke_tokens', 200],
      ['POST', '/agents/test/end_users/ada/unblock', 200],
      ['POST', '/agents/test/publishable_keys/pk_test/disable', 200],
      ['DELETE', '/agents/test/publishable_keys/pk_test', 409],
      ['POST', '/sessions/ses_unknown/terminate', 404],
    ];

    for (const [method, path, status] of calls) {
      expect([path, await statusOf(method, path)]).toEqual([path, status]);
    }
  });

  it('can still block users as often as `api_key_stops` allows', async () => {
    const { backend, statusOf } = await setup({
      api_key_stops: { requests_per_second: 2, concurrent: 2 },
    });
    const path = '/agents/test/end_users/ada/block';

    expect([await statusOf('POST', path), await statusOf('POST', path)]).toEqual([200, 200]);
    const refused = await backend('POST', `/agent/v1${path}`);

    expect(refused.status).toBe(429);
    expect(refused.headers.get('x-ratelimit-limit-requests')).toBe('2');
  });
});
