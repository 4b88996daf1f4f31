/** The monthly budget of a model under concurrent requests of two processes with one store. */
import { expect, it } from 'vitest';
import type { Handler } from '../testing/chat-endpoint.ts';
import { completion, messages, setupModelService } from '../testing/setup-model-service.ts';
import { testApiKey } from '../testing/setup-server.ts';

/** Costs 100 cents, the whole budget. */
const usage = {
  prompt_tokens: 0,
  input_tokens: 0,
  completion_tokens: 50_000,
  output_tokens: 50_000,
};
const budget = { budget_cents_per_month: 100 };
const apis = { supported_apis: ['chat_completions' as const, 'responses' as const] };

/** Two servers with one store and one provider, which responds when `respond` is called. */
async function setupServers() {
  let respond = () => {};
  const mayRespond = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const provider: Handler = async (response) => {
    await mayRespond;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...completion, object: 'response', output: [], usage }));
  };
  const options = { providers: { a: [provider] }, model: { ...budget, ...apis } };
  const first = await setupModelService(options);
  const second = await setupModelService({ ...options, sharedStore: first.store, seed: 'two' });
  const servers = [first, second];
  return {
    servers,
    respond,
    /** Number of requests that the provider received. */
    count: () => servers.reduce((sum, { requestsOf }) => sum + requestsOf('a').length, 0),
    /** Spent cents of this month. */
    async spent() {
      const months = await first.store.db.selectFrom('model_months').selectAll().execute();
      return months.map(({ spent_microcents: spent }) => Number(spent) / 1_000_000);
    },
    post: (index: number, path: string, body: object) =>
      fetch(`${servers[index % 2]?.url}/chat-model/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', ...body }),
      }),
  };
}

it.each([
  ['/responses', { input: 'Hi' }],
  ['/chat/completions', { messages }],
])('8.3.5: at most one of 20 concurrent requests to %s exceeds the budget', async (path, body) => {
  const { count, post, respond, spent } = await setupServers();
  const refusals: Response[] = [];

  const requests = Array.from({ length: 20 }, async (_, index) => {
    const response = await post(index, path, body);
    if (!response.ok) refusals.push(response);
  });
  await expect.poll(() => refusals.length + count()).toBe(20);
  respond();
  await Promise.all(requests);

  expect(await spent()).toEqual([100]);
  expect(refusals).toHaveLength(19);
  for (const refusal of refusals) {
    expect(refusal.status).toBe(429);
    expect(refusal.headers.get('x-service-problem-code')).toBe('RATE_LIMITED');
    expect(refusal.headers.get('x-service-problem-scope')).toBe('model');
    expect(refusal.headers.get('retry-after')).toBe('5');
  }
  const exhausted = await post(0, path, body);
  expect(exhausted.headers.get('x-service-problem-code')).toBe('QUOTA_EXHAUSTED');
});

it('8.3.5: background responses wait for room in the budget, and fail when it is used up', async () => {
  const { count, post, respond, servers, spent } = await setupServers();
  const created = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const response = await post(index, '/responses', { input: 'Hi', background: true });
      return (await response.json()) as { id: string };
    }),
  );
  const results = async () => {
    for (const { clock } of servers) clock.advance(1000);
    const paths = created.map(({ id }) => `/chat-model/v1/responses/${id}`);
    const responses = await Promise.all(paths.map((path) => servers[0]?.backend('GET', path)));
    return Promise.all(responses.map((response) => response?.json() as Promise<Result>));
  };
  interface Result {
    status: string;
    error: { code: string; message: string } | null;
  }
  const statuses = async () => new Set((await results()).map(({ status }) => status));

  await expect.poll(count).toBeGreaterThan(0);
  // More often than failed attempts are repeated.
  for (let step = 0; step < 60; step += 1) {
    expect([...(await statuses())].every((status) => status !== 'failed')).toBe(true);
  }
  await expect
    .poll(async () => (await results()).filter(({ status }) => status === 'queued').length)
    .toBe(19);
  respond();
  await expect.poll(statuses).toEqual(new Set(['completed', 'failed']));

  expect(await spent()).toEqual([100]);
  const failed = (await results()).filter(({ status }) => status === 'failed');
  expect(failed).toHaveLength(19);
  expect(new Set(failed.map(({ error }) => error?.code))).toEqual(new Set(['rate_limit_exceeded']));
});
