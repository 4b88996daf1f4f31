/**
 * Revoked credentials, quotas and run limits on three processes with PostgreSQL and Redis; and a
 * process that is suspended for longer than its leases last.
 */
import { AnonymousTokenResponse, type LogEvent } from '@inlay/protocol';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../lib/log/logger.ts';
import { createPostgresStore } from '../lib/store/postgres-store.ts';
import { type Cluster, startCluster, tally } from '../lib/testing/cluster.ts';
import { sendIncomplete } from '../lib/testing/incomplete-request.ts';
import type { ServerProcess } from '../lib/testing/server-process.ts';
import { isType, message } from '../lib/testing/setup-conversation.ts';
import { testOrigin } from '../lib/testing/setup-server.ts';

const unlimited = { requests_per_second: 100_000, concurrent: 1000 };
const agent = (short_id: string, model: object, more: object = {}) => ({
  short_id,
  name: 'Test agent',
  model: { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0, ...model },
  embed: { allowed_origins: [testOrigin], limits: unlimited },
  ...more,
});

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({
    limits: {
      api_key: unlimited,
      api_key_stops: unlimited,
      source: unlimited,
      user: { runs: 2, empty_sessions_per_day: 4 },
    },
    agents: [
      agent(
        'test',
        { script: [{ say: 'Yes.' }] },
        {
          publishable_keys: [
            { key: 'pk_visitor', sessions_per_visitor_per_day: 3 },
            { key: 'pk_source', sessions_per_source_per_day: 3 },
            { key: 'pk_disabled' },
          ],
        },
      ),
      agent('slow', { delay_ms: 60 }),
      agent('waits', { first_delay_ms: 60_000 }),
    ],
  });
});
afterAll(() => cluster.stop());

/** Makes concurrent calls, distributed over the processes, and counts their statuses. */
const statusesOf = async (count: number, call: (server: ServerProcess) => Promise<Response>) =>
  tally((await cluster.callConcurrently(count, call)).map(({ status }) => status));
const sessionWithMessage = { initial_events: [message('table')] };

async function getToken(publishable_key: string): Promise<string> {
  const path = '/embed_tokens/anonymous';
  const response = await cluster.server(0).call(null, 'POST', path, { publishable_key });
  return AnonymousTokenResponse.parse(await response.json()).token;
}

async function logOf(server: 0 | 1 | 2, token: string, id: string): Promise<LogEvent[]> {
  const path = `/sessions/${id}/events?limit=200`;
  const response = await cluster.server(server).call(token, 'GET', path);
  return ((await response.json()) as { data: LogEvent[] }).data;
}

describe('a request whose last byte is delayed at one process', () => {
  it.each<[string, string, (ids: { issuance: string }) => string]>([
    [
      'revokes its token',
      'EMBED_TOKEN_REVOKED',
      ({ issuance }) => `/embed_tokens/${issuance}/revoke`,
    ],
    [
      'ends the lifetime of its token',
      'EMBED_TOKEN_EXPIRED',
      ({ issuance }) => `/embed_tokens/${issuance}/expire`,
    ],
    ['blocks its user', 'EMBED_TOKEN_REVOKED', () => '/agents/test/end_users/late/block'],
  ])('is refused when another process %s', async (_, code, pathOf) => {
    await cluster.server(2).backend('POST', '/agents/test/end_users/late/unblock');
    const { token, id: issuance } = await cluster.server(2).issue('late');
    const send = (path: string, type: string, body: string) =>
      sendIncomplete(cluster.server(0).url, {
        method: 'POST',
        path: `/agent/v1${path}`,
        headers: { authorization: `Bearer ${token}`, origin: testOrigin, 'content-type': type },
        body,
      });
    const part = 'content-disposition: form-data; name="file"; filename="a.txt"';
    const delayed = [
      await send('/sessions', 'application/json', JSON.stringify(sessionWithMessage)),
      await send(
        '/files',
        'multipart/form-data; boundary=part',
        `--part\r\n${part}\r\n\r\nLate\r\n--part--\r\n`,
      ),
    ];

    const ended = await cluster.server(1).backend('POST', pathOf({ issuance }));

    expect(ended.status).toBe(200);
    for (const request of delayed) expect((await request.finish()).code).toBe(code);
  });

  it('is refused when another process disables its publishable key', async () => {
    const token = await getToken('pk_disabled');
    const delayed = await sendIncomplete(cluster.server(0).url, {
      method: 'POST',
      path: '/agent/v1/sessions',
      headers: {
        authorization: `Bearer ${token}`,
        origin: testOrigin,
        'content-type': 'application/json',
      },
      body: JSON.stringify(sessionWithMessage),
    });

    await cluster.server(1).backend('POST', '/agents/test/publishable_keys/pk_disabled/disable');

    expect((await delayed.finish()).code).toBe('EMBED_TOKEN_REVOKED');
  });
});

describe('three processes with simultaneous requests', () => {
  it.each(['pk_visitor', 'pk_source'])(
    'create as many sessions as the quotas of the key %s allow',
    async (key) => {
      const token = await getToken(key);

      const statuses = await statusesOf(18, (server) =>
        server.call(token, 'POST', '/sessions', sessionWithMessage),
      );

      expect(statuses).toEqual({ 200: 3, 429: 15 });
    },
  );

  it('create as many empty sessions as `empty_sessions_per_day` allows', async () => {
    const { token } = await cluster.server(0).issue('empty');

    const statuses = await statusesOf(18, (server) => server.call(token, 'POST', '/sessions', {}));

    expect(statuses).toEqual({ 200: 4, 429: 14 });
  });

  it('execute as many concurrent runs of one user as `user.runs` allows, and end all of them after a block', async () => {
    const log = createLogger(Date.now, () => {});
    const store = await createPostgresStore({ url: cluster.postgres.url, poolSize: 1, log });
    onTestFinished(() => store.close());
    const { token } = await cluster.server(0).issue('busy', { agent: 'waits' });
    const runs = () =>
      store.db
        .selectFrom('runs')
        .innerJoin('sessions', 'sessions.id', 'runs.session_id')
        .select('runs.worker')
        .where('sessions.external_user_id', '=', 'busy')
        .execute();
    const owned = async () => (await runs()).filter(({ worker }) => worker !== null).length;

    const statuses = await statusesOf(18, (server) =>
      server.call(token, 'POST', '/sessions', sessionWithMessage),
    );

    expect(statuses).toEqual({ 200: 18 });
    await expect.poll(owned).toBe(2);
    expect(await runs()).toHaveLength(18);
    // Each process looks for work every two seconds: none of them must have started another run.
    await cluster.server(1).backend('POST', '/agents/waits/end_users/busy/block');
    await expect.poll(runs).toEqual([]);
  });
});

describe('a process that is suspended for longer than its leases last', () => {
  /**
   * Suspends a process during a run, and waits until another process takes over the run. Repeats
   * this until the suspended process is the one that executes the run, because any process may
   * execute the run of a new session.
   */
  async function suspendDuringRun(user: string) {
    const { token } = await cluster.server(1).issue(user, { agent: 'slow' });
    const { child } = cluster.server(0);
    onTestFinished(() => void child.kill('SIGCONT'));
    for (;;) {
      const created = await cluster.server(0).call(token, 'POST', '/sessions', sessionWithMessage);
      const { id } = (await created.json()) as { id: string };
      const reader = await cluster.server(1).follow(token, id);
      const first = await reader.until(isType('event_delta'));
      child.kill('SIGSTOP');
      const takeover = await reader.until(
        ({ data }) =>
          data.type === 'session.status_rescheduled' || data.type === 'session.status_idle',
      );
      const resume = () => child.kill('SIGCONT');
      if (takeover.data.type === 'session.status_rescheduled') {
        return { token, id, reader, takeover, staleId: first.data.event_id, resume };
      }
      resume();
    }
  }

  /** Checks a log in which two processes responded to one message, one after the other. */
  function expectOneAgentMessage(log: readonly LogEvent[], staleId: unknown) {
    const agentMessages = log.filter(({ type }) => type === 'agent.message');
    expect(agentMessages).toHaveLength(1);
    expect(agentMessages[0]?.id).not.toBe(staleId);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    expect(log.filter(({ type }) => type === 'session.status_idle')).toHaveLength(1);
    expect(log.at(-1)).toMatchObject({ stop_reason: { type: 'end_turn' } });
  }

  it('writes nothing to the log if it resumes while another process responds', async () => {
    const { token, id, reader, takeover, staleId, resume } = await suspendDuringRun('woken-early');

    resume();

    await reader.until(isType('session.status_idle'));
    const log = await logOf(0, token, id);
    expectOneAgentMessage(log, staleId);
    expect(await logOf(2, token, id)).toEqual(log);
    // No part of the abandoned response is shown next to the new one.
    const after = reader.seen.slice(reader.seen.indexOf(takeover));
    expect(after.filter(({ data }) => data.event_id === staleId)).toEqual([]);
  });

  it('writes nothing to the log, but handles new messages, if it resumes after another process has responded', async () => {
    const { token, id, reader, staleId, resume } = await suspendDuringRun('woken-late');
    await reader.until(isType('session.status_idle'));
    const before = await logOf(2, token, id);
    expectOneAgentMessage(before, staleId);

    resume();

    // When the resumed process has responded to another user's message, its overdue timers have
    // fired.
    const { token: other } = await cluster.server(0).issue('afterwards');
    const created = await cluster.server(0).call(other, 'POST', '/sessions', sessionWithMessage);
    const { id: next } = (await created.json()) as { id: string };
    const stream = await cluster.server(0).follow(other, next);
    await stream.until(isType('session.status_idle'));
    expect(await logOf(0, token, id)).toEqual(before);
  });
});
