import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../clock.ts';
import type { ConfigInput } from '../config/config.ts';
import { parseConfig } from '../config/parse-config.ts';
import { createLogger } from '../log/logger.ts';
import { systemRandom } from '../random.ts';
import { startServer } from '../start-server.ts';
import { follow } from '../testing/follow.ts';
import { isType, message } from '../testing/setup-conversation.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';
import { createMetrics } from './metrics.ts';

const apiKey = 'sk-service-of-the-test-of-the-metrics';
const scrapeToken = 'the token of Prometheus';

/** Starts a server with an agent that is not free, and performs a conversation that a revocation ends. */
async function setup(metrics: ConfigInput['metrics']) {
  const logLines: string[] = [];
  const config = {
    agents: [
      {
        short_id: 'desk',
        name: 'Desk',
        model: { provider: 'scripted', first_delay_ms: 0, delay_ms: 0 },
        embed: { allowed_origins: [testOrigin] },
      },
    ],
    ...(metrics && { metrics }),
  } satisfies ConfigInput;
  const server = await startServer({
    settings: {
      port: 0,
      host: '127.0.0.1',
      baseUrl: null,
      data: 'memory',
      databaseUrl: null,
      redisUrl: null,
      apiKey,
    },
    config: parseConfig(config, 'test'),
    clock: systemClock,
    random: systemRandom,
    log: createLogger(systemClock.now, (line) => logLines.push(line)),
    secret: (name) => (name === 'METRICS_TOKEN' ? scrapeToken : undefined),
    webDirectory: '/nonexistent',
    version: '0.0.0-test',
  });
  onTestFinished(() => server.stop('immediate'));
  const url = `${server.baseUrl}/agent/v1`;
  const post = async (path: string, token: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
    return (await fetch(url + path, { ...init, body: JSON.stringify(body) })).json();
  };
  const user = { agent: 'desk', external_user_id: 'ada@example.com' };
  const issued = await post('/embed_tokens', apiKey, user);
  const session = await post('/sessions', issued.token, { initial_events: [message('hello')] });
  const stream = await follow(`${url}/sessions/${session.id}/events/stream`, issued.token, {
    headers: { 'last-event-id': '0' },
  });
  await stream.until(isType('session.status_idle'));
  await fetch(`${url}/sessions/${session.id}`);
  const scrape = async (base: string, token?: string) =>
    fetch(`${base}/metrics`, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  const portLine = logLines.find((line) => line.includes('metrics are served')) ?? '{"port":0}';
  return {
    baseUrl: server.baseUrl,
    metricsUrl: `http://127.0.0.1:${JSON.parse(portLine).port}`,
    scrape,
    ids: [user.external_user_id, issued.id, issued.token, session.id],
    async revoke() {
      await post(`/embed_tokens/${issued.id}/revoke`, apiKey, {});
      await stream.toEnd();
    },
  };
}

/** The samples of an OpenMetrics text, by name and labels. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, name = '', value] = /^(\S+?(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
      return [name, Number(value)];
    }),
  );
}

describe('GET /metrics', () => {
  it('counts requests, runs, tokens, model calls and revocations, without ids', async () => {
    const { metricsUrl, scrape, revoke, ids } = await setup({ port: 0 });
    const before = samplesOf(await (await scrape(metricsUrl)).text());
    await revoke();

    const response = await scrape(metricsUrl);
    const text = await response.text();
    const samples = samplesOf(text);

    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(before.get('inlay_streams_open')).toBe(1);
    const labels = 'service="agent",route="/agent/v1/sessions/:id",method="GET",status="401"';
    const model =
      'gen_ai_operation_name="chat",gen_ai_provider_name="scripted",gen_ai_request_model="scripted"';
    expect(Object.fromEntries(samples)).toMatchObject({
      [`inlay_http_requests_total{${labels}}`]: 1,
      'inlay_problems_total{code="AUTHENTICATION_ERROR"}': 1,
      inlay_streams_open: 0,
      inlay_revocation_seconds_count: 1,
      'inlay_runs_total{outcome="end_turn"}': 1,
      inlay_runs_waiting: 0,
      'inlay_tokens_issued_total{source="backend"}': 1,
      'inlay_spend_cents_total{agent="desk"}': 0,
      [`gen_ai_client_operation_duration_seconds_count{${model},error_type=""}`]: 1,
      [`gen_ai_client_operation_time_to_first_chunk_seconds_count{${model}}`]: 1,
      [`gen_ai_client_token_usage_count{${model},gen_ai_token_type="output"}`]: 1,
    });
    expect([...samples.keys()].some((name) => name.startsWith('nodejs_eventloop_lag'))).toBe(true);
    for (const id of ids) expect(text).not.toContain(id);
  });

  it('is served as OpenMetrics to clients that accept it', async () => {
    const { metricsUrl } = await setup({ port: 0 });
    const headers = { accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5' };
    const response = await fetch(`${metricsUrl}/metrics`, { headers });
    const text = await response.text();

    expect(response.headers.get('content-type')).toContain('application/openmetrics-text');
    expect(text).toContain('\n# TYPE inlay_runs counter\n');
    expect(text.endsWith('# EOF\n')).toBe(true);
  });

  it('counts the values of a label beyond 200 as `other`', async () => {
    const metrics = createMetrics();
    for (let agent = 0; agent < 203; agent += 1) metrics.countSpending(`agent-${agent}`, 2);

    const samples = samplesOf((await metrics.read()).text);

    expect(samples.get('inlay_spend_cents_total{agent="agent-199"}')).toBe(2);
    expect(samples.get('inlay_spend_cents_total{agent="other"}')).toBe(6);
    expect(samples.has('inlay_spend_cents_total{agent="agent-200"}')).toBe(false);
  });

  it('requires the token on the port of the platform, and is served alone on its own port', async () => {
    const { baseUrl, metricsUrl, scrape } = await setup({ port: 0, token_env: 'METRICS_TOKEN' });

    expect((await scrape(baseUrl)).status).toBe(401);
    expect((await scrape(baseUrl, apiKey)).status).toBe(401);
    expect((await scrape(baseUrl, scrapeToken)).status).toBe(200);
    expect((await scrape(metricsUrl)).status).toBe(200);
    expect((await fetch(`${metricsUrl}/agent/v1/sessions`)).status).toBe(404);
  });

  it.each([[undefined], [{ port: 0 }]])(
    'is not served on the port of the platform with %j',
    async (metrics) => {
      const { baseUrl, scrape } = await setup(metrics);

      expect((await scrape(baseUrl, apiKey)).status).toBe(404);
    },
  );

  it.each(['alerts.yml', 'grafana.json'])('has every metric that %s names', async (file) => {
    const { metricsUrl, scrape } = await setup({ port: 0 });
    const text = await (await scrape(metricsUrl)).text();
    const families = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);

    const source = new URL(`../../../../../deploy/monitoring/${file}`, import.meta.url);
    const names = readFileSync(source, 'utf8').match(/\b(inlay|gen_ai_client|nodejs)_[a-z0-9_]+/g);

    expect(names?.length).toBeGreaterThan(9);
    const isKnown = (name: string) =>
      families.includes(name) || families.includes(name.replace(/_(total|bucket|count|sum)$/, ''));
    expect(names?.filter((name) => !isKnown(name))).toEqual([]);
  });

  it('counts the rows that a sweep deletes, however many a step takes', async () => {
    const metrics = createMetrics();
    const server = await setupServer({ metrics, config: { retention: { sessions_days: 1 } } });
    const { token } = await server.issue();
    for (let count = 0; count < 25; count += 1) {
      await server.requestAsUser(token, 'POST', '/agent/v1/sessions', {});
    }
    server.clock.advance(2 * 86_400_000);

    const sessionRows = async () =>
      samplesOf((await metrics.read()).text).get('inlay_sweep_rows_total{kind="sessions"}');
    await expect
      .poll(() => {
        server.clock.advance(3_600_000);
        return server.store.db.selectFrom('sessions').select('id').execute();
      })
      .toEqual([]);

    await expect.poll(sessionRows).toBe(25);
  });

  it('is served while the store does not respond', async () => {
    const metrics = createMetrics();
    metrics.addReaders({
      openStreams: () => 2,
      waitingRuns: () => Promise.reject(new Error('no connection')),
      waitingWebhooks: () => Promise.reject(new Error('no connection')),
    });

    const samples = samplesOf((await metrics.read()).text);

    expect(samples.get('inlay_streams_open')).toBe(2);
    expect(samples.get('inlay_runs_waiting')).toBeNaN();
    expect(samples.get('inlay_webhook_queue')).toBeNaN();
  });
});
