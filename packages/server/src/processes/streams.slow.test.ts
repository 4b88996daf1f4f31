/**
 * Sessions on three processes with PostgreSQL, Redis and nginx: events sent to one process and read
 * from another, and failures of a process or of Redis.
 */
import type { LogEvent } from '@inlay/protocol';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Cluster, startCluster } from '../lib/testing/cluster.ts';
import { killDuringRun } from '../lib/testing/kill-during-run.ts';
import type { PlatformApi } from '../lib/testing/platform-api.ts';
import type { ServerProcess } from '../lib/testing/server-process.ts';
import { isType, message } from '../lib/testing/setup-conversation.ts';
import { testOrigin } from '../lib/testing/setup-server.ts';

const unlimited = { requests_per_second: 100_000, concurrent: 1000 };
const agent = (short_id: string, model: object, more = {}) => ({
  short_id,
  name: 'Test agent',
  model: { provider: 'scripted' as const, first_delay_ms: 0, ...model },
  embed: { allowed_origins: [testOrigin], limits: unlimited },
  ...more,
});
const picker = { type: 'custom' as const, name: 'pick', description: '' };
const pick = [{ call: 'pick', input: {} }, { say: 'You picked {result}.' }];

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({
    agents: [
      agent('test', { delay_ms: 10 }),
      agent('slow', { delay_ms: 60 }),
      agent('picker', { delay_ms: 0, script: pick }, { tools: [picker] }),
    ],
  });
});
afterAll(() => cluster.stop());

const tokenError = isType('session.error');
const idle = isType('session.status_idle');
const delta = isType('event_delta');

let userCount = 0;
/** Creates a session of a new user. The session is empty unless `text` is given. */
async function createSession(api: PlatformApi, { agent = 'test', text = '' } = {}) {
  userCount += 1;
  const user = `person-${userCount}`;
  const { token, id: issuanceId } = await api.issue(user, { agent });
  const events = text === '' ? {} : { initial_events: [message(text)] };
  const created = await api.call(token, 'POST', '/sessions', events);
  const { id } = (await created.json()) as { id: string };
  return { user, token, issuanceId, id };
}

async function logOf(api: PlatformApi, token: string, id: string): Promise<LogEvent[]> {
  const response = await api.call(token, 'GET', `/sessions/${id}/events?limit=200`);
  return ((await response.json()) as { data: LogEvent[] }).data;
}

const textOf = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === 'agent.message' ? event.content : []));

/** Measures the duration of `action` in milliseconds. */
async function durationOf(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}

const allProcesses = (): [ServerProcess, ServerProcess, ServerProcess] => [
  cluster.server(0),
  cluster.server(1),
  cluster.server(2),
];
/** Returns how the bus of each process is connected. */
const busStates = () =>
  Promise.all(
    allProcesses().map(async ({ url }) => {
      const health = await fetch(`${url}/meta/v1/health`);
      return ((await health.json()) as { bus: string }).bus;
    }),
  );

describe('three processes', () => {
  it('R01, R04: end only the stream of a token that another process revokes', async () => {
    const [first, second, third] = allProcesses();
    const { user, token, issuanceId, id } = await createSession(first);
    const other = await third.issue(user);
    const stream = await second.follow(token, id);
    const otherStream = await second.follow(other.token, id);

    const duration = await durationOf(async () => {
      await first.backend('POST', `/embed_tokens/${issuanceId}/revoke`);
      const end = await stream.until(tokenError);
      expect(end.data).toMatchObject({ error: { code: 'EMBED_TOKEN_REVOKED' } });
      await stream.toEnd();
    });

    expect(duration).toBeLessThan(3000);
    for (const { call } of allProcesses()) {
      expect((await call(token, 'GET', `/sessions/${id}`)).status).toBe(401);
    }
    await first.call(other.token, 'POST', `/sessions/${id}/events`, { events: [message('hi')] });
    await otherStream.until(idle);
  });

  it('stream an agent message to readers on other processes, including a reader that joins in the middle', async () => {
    const runner = cluster.server(0);
    const { token, id } = await createSession(runner, { agent: 'slow' });
    const before = await cluster.server(1).follow(token, id);
    await runner.call(token, 'POST', `/sessions/${id}/events`, { events: [message('table')] });
    await before.until(delta);
    await before.until(delta);
    const later = await cluster.server(2).follow(token, id);
    await later.until(delta);
    for (const reader of [before, later]) await reader.until(idle);

    const log = await logOf(cluster.api, token, id);
    for (const reader of [before, later]) {
      const logged = reader.seen.map(({ data }) => data).filter((data) => 'seq' in data);
      expect(logged).toEqual(log);
      // The fragments add up to the whole text.
      const fragments = reader.seen.flatMap(({ data }) =>
        data.type === 'event_delta'
          ? [(data.delta as { content: { text: string } }).content.text]
          : [],
      );
      expect([{ type: 'text', text: fragments.join('') }]).toEqual(textOf(log));
    }
  });

  it('interrupt a run, whichever process receives the interrupt', async () => {
    const { token, id } = await createSession(cluster.server(0), { agent: 'slow' });
    // Opened before the message is sent: on a busy machine, the answer could end before it is open.
    const stream = await cluster.server(1).follow(token, id);
    const path = `/sessions/${id}/events`;
    await cluster.server(0).call(token, 'POST', path, { events: [message('table')] });
    await stream.until(delta);

    const interrupt = { events: [{ type: 'user.interrupt' }] };
    const duration = await durationOf(async () => {
      await cluster.server(2).call(token, 'POST', `/sessions/${id}/events`, interrupt);
      await stream.until(idle);
    });

    expect(duration).toBeLessThan(6000);
    const [content] = textOf(await logOf(cluster.api, token, id));
    expect(JSON.stringify(content ?? '')).not.toContain('the columns are aligned');
  });

  it('continue a run with a result of the host page, whichever process receives it', async () => {
    const { token, id } = await createSession(cluster.server(0), { agent: 'picker', text: 'go' });
    const stream = await cluster.server(1).follow(token, id);
    const { data } = await stream.until(isType('agent.custom_tool_use'));
    const { data: idleEvent } = await stream.until(idle);
    const waiting = cluster
      .server(1)
      .call(token, 'GET', `/sessions/${id}/events?after_seq=${idleEvent.seq}&wait=20`);

    const result = {
      type: 'user.custom_tool_result',
      custom_tool_use_id: data.id,
      content: [{ type: 'text', text: 'blue' }],
    };
    const sent = await cluster
      .server(2)
      .call(token, 'POST', `/sessions/${id}/events`, { events: [result] });

    expect(sent.status).toBe(200);
    await stream.until(idle);
    const { data: polledEvents } = (await (await waiting).json()) as { data: LogEvent[] };
    expect(polledEvents[0]?.type).toBe('user.custom_tool_result');
    const log = await logOf(cluster.api, token, id);
    expect(textOf(log)).toEqual([{ type: 'text', text: 'You picked blue.' }]);
  });

  it('S08: complete the agent message of a process that was killed', async () => {
    const controlSession = await createSession(cluster.server(2), { text: 'table' });
    const control = await cluster.server(2).follow(controlSession.token, controlSession.id);
    await control.until(idle);
    onTestFinished(() => cluster.replace(0), 90_000);
    const { token, id, tab, otherReader, resumed, duration } = await killDuringRun(async () => {
      if (cluster.server(0).child.killed) await cluster.replace(0);
      return { first: cluster.server(0), other: cluster.server(1), api: cluster.api };
    }, 'slow');
    for (const reader of [otherReader, resumed]) await reader.until(idle);

    // The lease lasts six seconds, and processes look for expired leases every two seconds.
    expect(duration).toBeLessThan(15_000);
    const log = await logOf(cluster.api, token, id);
    expect(textOf(log)).toEqual(
      textOf(await logOf(cluster.api, controlSession.token, controlSession.id)),
    );
    expect(log.at(-1)).toMatchObject({ stop_reason: { type: 'end_turn' } });
    const logged = (reader: typeof tab) =>
      reader.seen.map(({ data }) => data).filter((data) => 'seq' in data);
    expect(logged(otherReader)).toEqual(log);
    expect([...logged(tab), ...logged(resumed)]).toEqual(log);
  });

  it('R02: deliver revocations within 3 s, and events and interrupts within 6 s, without Redis', async () => {
    const [first, second, third] = allProcesses();
    const { user, token, id } = await createSession(first);
    const streams = await Promise.all(
      Array.from({ length: 30 }, (_, n) => (allProcesses()[n % 3] ?? first).follow(token, id)),
    );
    const activeSession = await createSession(second, { agent: 'slow' });
    const reader = await third.follow(activeSession.token, activeSession.id);

    await cluster.redis.down();
    await expect.poll(busStates).toEqual(['redis_down', 'redis_down', 'redis_down']);
    const revoke = durationOf(async () => {
      await first.backend('POST', `/agents/test/end_users/${user}/revoke_tokens`);
      await Promise.all(streams.map((stream) => stream.until(tokenError)));
    });
    const path = `/sessions/${activeSession.id}/events`;
    const eventDelay = await durationOf(async () => {
      await second.call(activeSession.token, 'POST', path, { events: [message('table')] });
      await reader.until(isType('session.status_running'));
    });
    const interrupt = await durationOf(async () => {
      await first.call(activeSession.token, 'POST', path, { events: [{ type: 'user.interrupt' }] });
      const lastEventType = async () =>
        (await logOf(first, activeSession.token, activeSession.id)).at(-1)?.type;
      await expect.poll(lastEventType).toBe('session.status_idle');
    });

    expect(await revoke).toBeLessThan(3000);
    expect(eventDelay).toBeLessThan(6000);
    expect(interrupt).toBeLessThan(6000);
    const health = await fetch(`${cluster.api.url}/meta/v1/health`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ status: 'degraded', store: 'ok' });
  });

  it('deliver revocations through Redis again when it is reachable', async () => {
    await cluster.redis.up();
    await expect.poll(busStates).toEqual(['redis', 'redis', 'redis']);

    const { token, issuanceId, id } = await createSession(cluster.server(0));
    const stream = await cluster.server(1).follow(token, id);
    const duration = await durationOf(async () => {
      await cluster.server(2).backend('POST', `/embed_tokens/${issuanceId}/revoke`);
      await stream.until(tokenError);
    });

    expect(duration).toBeLessThan(3000);
    const health = await fetch(`${cluster.api.url}/meta/v1/health`);
    expect(await health.json()).toMatchObject({ status: 'ok' });
  });
});
