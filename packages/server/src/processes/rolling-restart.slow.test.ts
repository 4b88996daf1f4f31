/** Replaces the processes one at a time while users send messages through nginx. */
import type { LogEvent } from '@inlay/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../lib/testing/cluster.ts';
import { message } from '../lib/testing/setup-conversation.ts';
import { testOrigin } from '../lib/testing/setup-server.ts';
import { User } from '../lib/testing/user.ts';

const unlimited = { requests_per_second: 100_000, concurrent: 1000 };

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({
    streams: { drain_seconds: 20 },
    agents: [
      {
        short_id: 'test',
        name: 'Test agent',
        model: {
          provider: 'scripted',
          delay_ms: 15,
          first_delay_ms: 0,
          script: [{ say: `You said {text}. ${'And so on. '.repeat(10)}` }],
        },
        embed: { allowed_origins: [testOrigin], limits: unlimited },
      },
      {
        short_id: 'slow',
        name: 'Slow agent',
        // An answer of about three seconds.
        model: {
          provider: 'scripted',
          delay_ms: 60,
          first_delay_ms: 0,
          script: [{ say: 'And so on. '.repeat(16) }],
        },
        embed: { allowed_origins: [testOrigin], limits: unlimited },
      },
    ],
  });
});
afterAll(() => cluster.stop());

describe('a rolling restart', () => {
  it('S07: delivers each event exactly once under load, and a response to the last message of each user', async () => {
    const users = await Promise.all(
      Array.from({ length: 12 }, (_, n) => User.create(cluster.api, `person-${n}`)),
    );
    let isRestartDone = false;
    const activities = users.flatMap((user) => [
      user.follow(),
      user.sendMessages(() => isRestartDone),
    ]);

    for (const number of [0, 1, 2] as const) {
      const stopping = cluster.server(number);
      stopping.child.kill('SIGTERM');
      expect(await stopping.exited).toBe(0);
      await cluster.replace(number);
    }
    isRestartDone = true;
    await Promise.all(activities);

    expect(Math.max(...users.map(({ disconnections }) => disconnections))).toBeGreaterThan(0);
    for (const user of users) {
      const log = await user.expectCompleteLog();
      expect(log.filter(({ type }) => type === 'session.error')).toEqual([]);
      const agentMessages = JSON.stringify(log.filter(({ type }) => type === 'agent.message'));
      expect(agentMessages).toContain(`You said number ${user.sent}.`);
    }
  }, 240_000);

  it('S07: finishes the answers in progress: each model call is made once, and no reader loses an event', async () => {
    const answers = 200;
    const sessions = await Promise.all(
      Array.from({ length: answers }, async (_, n) => {
        const { token } = await cluster.api.issue(`reader-${n}`, { agent: 'slow' });
        const body = { initial_events: [message('Tell me')] };
        const created = await cluster.api.call(token, 'POST', '/sessions', body);
        return { token, id: ((await created.json()) as { id: string }).id };
      }),
    );

    for (const number of [0, 1, 2] as const) {
      const stopping = cluster.server(number);
      stopping.child.kill('SIGTERM');
      expect(await stopping.exited).toBe(0);
      await cluster.replace(number);
    }

    for (const { token, id } of sessions) {
      const types = async () => {
        const page = await cluster.api.call(token, 'GET', `/sessions/${id}/events?limit=200`);
        return ((await page.json()) as { data: LogEvent[] }).data.map(({ type }) => type);
      };
      await expect
        .poll(types)
        .toEqual([
          'user.message',
          'session.status_running',
          'span.model_request_start',
          'agent.message',
          'span.model_request_end',
          'session.status_idle',
        ]);
    }
  }, 240_000);
});
