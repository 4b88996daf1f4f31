/** The usage report after processes were killed in the middle of conversations. */
import type { LogEvent, UsageReport } from '@inlay/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../lib/testing/cluster.ts';
import { testOrigin } from '../lib/testing/setup-server.ts';
import { User } from '../lib/testing/user.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({
    agents: [
      {
        short_id: 'test',
        name: 'Test agent',
        model: {
          provider: 'scripted',
          delay_ms: 10,
          first_delay_ms: 0,
          script: [{ say: 'You said {text}. And so on.' }],
        },
        embed: {
          allowed_origins: [testOrigin],
          limits: { requests_per_second: 100_000, concurrent: 1000 },
        },
      },
    ],
  });
});
afterAll(() => cluster.stop());

it('equals the sums of the logs after kills of all processes', async () => {
  const users = await Promise.all(
    Array.from({ length: 8 }, (_, n) => User.create(cluster.api, `person-${n}`)),
  );
  let isDone = false;
  const activities = users.flatMap((user) => [user.follow(), user.sendMessages(() => isDone)]);
  for (const number of [0, 1, 2, 0, 1, 2] as const) await cluster.replace(number);
  isDone = true;
  await Promise.all(activities);

  const logs = await Promise.all(users.map((user) => user.log()));
  const events: LogEvent[] = logs.flat();
  const ends = events.filter((event) => event.type === 'span.model_request_end');
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const response = await cluster.api.backend('GET', '/usage?group_by=agent');
  const { data } = (await response.json()) as UsageReport;
  expect(data).toEqual([
    expect.objectContaining({
      sessions: users.length,
      end_users: users.length,
      user_messages: sum(users.map(({ sent }) => sent)),
      answers: events.filter(({ type }) => type === 'session.status_idle').length,
      answers_failed: 0,
      input_tokens: sum(ends.map((end) => end.model_usage.input_tokens)),
      output_tokens: sum(ends.map((end) => end.model_usage.output_tokens)),
    }),
  ]);
}, 240_000);
