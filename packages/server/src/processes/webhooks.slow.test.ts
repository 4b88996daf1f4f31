/** Webhooks of three processes with PostgreSQL and Redis, of which one after the other is killed. */
import type { LogEvent } from '@inlay/protocol';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Cluster, startCluster } from '../lib/testing/cluster.ts';
import { message } from '../lib/testing/setup-conversation.ts';
import { startWebhookReceiver } from '../lib/testing/webhook-receiver.ts';

const kills = 100;
const numbers = [0, 1, 2] as const;
vi.setConfig({ testTimeout: 900_000 });

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ webhooks: { allowed_private_hosts: ['127.0.0.1'] } });
});
afterAll(() => cluster.stop());

it('no event is lost or out of order while processes are killed, and repetitions have the same id', async () => {
  const receiver = await startWebhookReceiver();
  /** Called with the next request, which it responds to. */
  let atNextRequest: (respond: () => void) => void = (respond) => respond();
  receiver.respond = (response, attempt) => {
    // One response is lost, so that at least one event is repeated: whether a kill hits the sender of an
    // attempt before it has read the response is left to chance.
    const respond = () => void (attempt === 0 ? response.destroy() : response.writeHead(204).end());
    const handle = atNextRequest;
    atNextRequest = (next) => next();
    handle(respond);
  };
  const answerTypes: Record<string, string> = {
    end_turn: 'answer.completed',
    // An answer during which five processes were killed.
    retries_exhausted: 'answer.failed',
  };
  const events = ['session.created', 'message.created', ...Object.values(answerTypes)];
  const created = await cluster.server(0).backend('POST', '/webhook_endpoints', {
    url: `${receiver.url}/hooks`,
    events,
  });
  receiver.secrets.set('/hooks', ((await created.json()) as { secret: string }).secret);
  // The other processes notice the endpoint.
  for (const number of numbers) {
    await expect
      .poll(async () => {
        const { token } = await cluster.server(number).issue('probe');
        const response = await cluster.server(number).call(token, 'POST', '/sessions', {});
        const { id } = (await response.json()) as { id: string };
        return expect
          .poll(() => receiver.received.some(({ data }) => data.session_id === id), {
            timeout: 1_000,
          })
          .toBe(true)
          .then(
            () => true,
            () => false,
          );
      })
      .toBe(true);
  }
  const { token } = await cluster.server(0).issue('ada');
  const sessions: string[] = [];

  for (let kill = 0; kill < kills; kill += 1) {
    const victim = numbers[kill % 3] ?? 0;
    const others = numbers.filter((number) => number !== victim);
    let replaced: Promise<void> | undefined;
    const reached = new Promise<void>((resolve) => {
      atNextRequest = (respond) => {
        // Before or after the response of an attempt, which the killed process may have made.
        if (kill % 2 === 0) respond();
        replaced = cluster.replace(victim);
        if (kill % 2 === 1) respond();
        resolve();
      };
    });
    await Promise.all(
      others.map(async (number) => {
        const body = { initial_events: [message(`Hello ${kill}`)] };
        const response = await cluster.server(number).call(token, 'POST', '/sessions', body);
        expect(response.status).toBe(200);
        sessions.push(((await response.json()) as { id: string }).id);
      }),
    );
    await reached;
    await replaced;
  }

  const firstAttempts = (id: string) => {
    const ids = new Set<string>();
    return receiver.received.filter((event) => {
      if (event.data.session_id !== id || ids.has(event.id)) return false;
      return ids.add(event.id);
    });
  };
  for (const id of sessions) {
    await expect
      .poll(() => firstAttempts(id).at(-1)?.type, { timeout: 120_000 })
      .toMatch(/^answer/);
    const page = await cluster.api.call(token, 'GET', `/sessions/${id}/events?limit=200`);
    const { data: log } = (await page.json()) as { data: LogEvent[] };
    const expected = log.flatMap((event) => {
      if (event.type === 'user.message') return [`message.created ${event.id}`];
      if (event.type === 'agent.message') return [`message.created ${event.id}`];
      const type = event.type === 'session.status_idle' && answerTypes[event.stop_reason.type];
      return type ? [`${type} ${event.id}`] : [];
    });
    const received = firstAttempts(id).map(({ type, data }) =>
      `${type} ${data.event_id ?? ''}`.trim(),
    );
    expect(received).toEqual(['session.created', ...expected]);
  }
  expect(receiver.refused).toEqual([]);
  const bodies = new Map<string, string>();
  for (const { id, type, timestamp, data } of receiver.received) {
    const body = JSON.stringify({ type, timestamp, data });
    expect(bodies.get(id) ?? body).toBe(body);
    bodies.set(id, body);
  }
  expect(receiver.received.length).toBeGreaterThan(bodies.size);
});
