/** Limits and one-time credentials under concurrent requests to three processes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster, tally } from '../lib/testing/cluster.ts';
import { isType, message } from '../lib/testing/setup-conversation.ts';
import { testOrigin } from '../lib/testing/setup-server.ts';

const unlimited = { requests_per_second: 100_000, concurrent: 1000 };
const modelWithResponse = (say: string) => ({
  provider: 'scripted' as const,
  delay_ms: 0,
  first_delay_ms: 0,
  script: [{ say }],
});
const agent = (short_id: string, more: object, limits = unlimited) => ({
  short_id,
  name: 'Test agent',
  model: modelWithResponse('Yes.'),
  embed: { allowed_origins: [testOrigin], limits },
  ...more,
});

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({
    // A call reserves about 500 output tokens, so its expected cost is one cent.
    prices: { scripted: { input_cents_per_million: 0, output_cents_per_million: 2000 } },
    agents: [
      agent('test', { publishable_keys: [{ key: 'pk_sessions', sessions_per_day: 5 }] }),
      agent('spender', {
        model: modelWithResponse('word '.repeat(1000)),
        publishable_keys: [{ key: 'pk_spend', spend_cents_per_day: 4 }],
      }),
      agent('rate', {}, { requests_per_second: 10, concurrent: 1000 }),
      agent('streams', {}, { requests_per_second: 1000, concurrent: 3 }),
    ],
  });
});
afterAll(() => cluster.stop());

async function getToken(key: string): Promise<string> {
  const response = await cluster.api.call(null, 'POST', '/embed_tokens/anonymous', {
    publishable_key: key,
  });
  return ((await response.json()) as { token: string }).token;
}

describe('three processes with simultaneous requests', () => {
  it('E02: return one token for one code', async () => {
    const issued = await cluster.callConcurrently(5, (_, n) =>
      cluster.api.issue(`user-${n}`, { hosted: true }),
    );
    const codes = issued.map(({ hosted_url }) => hosted_url?.split('#c=')[1] ?? '');

    for (const code of codes) {
      const responses = await cluster.callConcurrently(12, (server) =>
        server.call(null, 'POST', '/embed/exchange', { code }),
      );
      expect(tally(responses.map(({ status }) => status))).toEqual({ 200: 1, 404: 11 });
    }
  });

  it('Q01: create as many sessions per day as a publishable key allows', async () => {
    const token = await getToken('pk_sessions');

    const body = { initial_events: [message('Hello')] };
    const responses = await cluster.callConcurrently(24, (server) =>
      server.call(token, 'POST', '/sessions', body),
    );

    expect(tally(responses.map(({ status }) => status))).toEqual({ 200: 5, 429: 19 });
  });

  it('Q01: refuse model calls of a publishable key after its daily spending limit is reached', async () => {
    const tokens = await Promise.all(Array.from({ length: 4 }, () => getToken('pk_spend')));
    const runSession = async (server: ReturnType<Cluster['server']>, number: number) => {
      const token = tokens[number % tokens.length] ?? '';
      const body = { initial_events: [message('Hello')] };
      const created = await server.call(token, 'POST', '/sessions', body);
      if (created.status !== 200) return 'refused';
      const { id } = (await created.json()) as { id: string };
      const stream = await server.follow(token, id);
      const { data } = await stream.until(isType('session.status_idle'));
      return (data.stop_reason as { type: string }).type;
    };

    const stopReasons = tally(await cluster.callConcurrently(18, runSession));

    // A call reserves one cent, but costs 2.5 cents: the limit of four cents admits two successive
    // calls, or up to four concurrent calls.
    expect(stopReasons.end_turn).toBeGreaterThanOrEqual(1);
    expect(stopReasons.end_turn).toBeLessThanOrEqual(4);
    expect((await runSession(cluster.server(0), 0)).replace('budget_reached', 'refused')).toBe(
      'refused',
    );
  });

  it('Q01: enforce the budget of a session, whichever process receives its messages', async () => {
    const { token } = await cluster.api.issue('spender', { agent: 'spender', budget_cents: 3 });
    const created = await cluster.api.call(token, 'POST', '/sessions', {});
    const { id } = (await created.json()) as { id: string };

    await cluster.callConcurrently(9, (server) =>
      server.call(token, 'POST', `/sessions/${id}/events`, { events: [message('More')] }),
    );
    const statusOfNextMessage = async () => {
      const body = { events: [message('And more')] };
      return (await cluster.api.call(token, 'POST', `/sessions/${id}/events`, body)).status;
    };
    await expect.poll(statusOfNextMessage, { interval: 200 }).toBe(402);

    const page = await cluster.api.call(token, 'GET', `/sessions/${id}/events?limit=200`);
    const { data } = (await page.json()) as { data: { type: string }[] };
    // A call costs 2.5 cents: the second call exceeds three cents, and there is no third call.
    expect(data.filter(({ type }) => type === 'agent.message').length).toBeLessThanOrEqual(2);
  });

  it('Q01: admit as many requests of one user per second as the policy allows', async () => {
    const { token } = await cluster.api.issue('rate', { agent: 'rate' });
    const startedAt = performance.now();

    const responses = await cluster.callConcurrently(60, (server) =>
      server.call(token, 'GET', '/embed/config'),
    );

    const seconds = Math.floor((performance.now() - startedAt) / 1000);
    const counts = tally(responses.map(({ status }) => status));
    expect(counts[200]).toBeGreaterThanOrEqual(10);
    expect(counts[200]).toBeLessThanOrEqual(10 * (1 + seconds));
    const refused = await responses.find(({ status }) => status === 429)?.text();
    expect(refused).toContain('"detail":"Requests per second limit');
  });

  it('Q01: admit as many open streams of one user as the policy allows, and further requests after the streams end', async () => {
    const { token } = await cluster.api.issue('streams', { agent: 'streams' });
    const created = await cluster.api.call(token, 'POST', '/sessions', {});
    const { id } = (await created.json()) as { id: string };

    const streams = await cluster.callConcurrently(9, (server) => server.follow(token, id));

    const statuses = tally(streams.map(({ response }) => response.status));
    expect(statuses).toEqual({ 200: 3, 429: 6 });
    for (const stream of streams) stream.cut();
    const again = async () => (await cluster.server(1).call(token, 'GET', '/sessions')).status;
    await expect.poll(again).toBe(200);
  });
});
