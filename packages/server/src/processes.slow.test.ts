/** Two processes that share PostgreSQL without Redis, so that each has its own bus. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { killDuringRun } from './lib/testing/kill-during-run.ts';
import { type ServerProcess, spawnServer } from './lib/testing/server-process.ts';
import { startPostgres, type TestPostgres } from './lib/testing/services/postgres.ts';
import { isType } from './lib/testing/setup-conversation.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const startTwo = () =>
  Promise.all(
    [1, 2].map(async () => {
      const server = await spawnServer({}, { DATABASE_URL: postgres.url });
      onTestFinished(() => server.kill());
      return server;
    }),
  ) as Promise<[ServerProcess, ServerProcess]>;

describe('two processes', () => {
  it('E02: redeem a code only once, even if both receive it simultaneously', async () => {
    const [first, second] = await startTwo();
    const issued = await Promise.all(
      Array.from({ length: 10 }, (_, n) => first.issue(`user-${n}`, { hosted: true })),
    );
    const codes = issued.map(({ hosted_url }) => hosted_url?.split('#c=')[1] ?? '');

    const races = await Promise.all(
      codes.map((code) =>
        Promise.all(
          [first, second, second, first].map(async (server) => {
            const response = await server.call(null, 'POST', '/embed/exchange', { code });
            return { status: response.status, body: await response.text() };
          }),
        ),
      ),
    );

    for (const race of races) {
      expect(race.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404]);
    }
    const refusals = races.flat().filter(({ status }) => status === 404);
    const withoutPort = refusals.map(({ body }) =>
      body.replace(/localhost:\d+/, '').replace(/"instance":"[\w-]+"/, ''),
    );
    expect(new Set(withoutPort).size).toBe(1);
  });

  it('S08: send the whole agent message to all readers although one of the processes is killed during the run', async () => {
    const { tab, otherReader, resumed, duration } = await killDuringRun(async () => {
      const [first, other] = await startTwo();
      return { first, other, api: other };
    });
    for (const reader of [otherReader, resumed]) await reader.until(isType('session.status_idle'));

    expect(duration).toBeLessThan(15_000);
    const logged = (reader: typeof tab) => reader.seen.filter(({ data }) => 'seq' in data);
    const log = logged(otherReader).map(({ data }) => data);
    expect([...logged(tab), ...logged(resumed)].map(({ data }) => data)).toEqual(log);
    expect(log.filter(({ type }) => type === 'agent.message')).toHaveLength(1);
    expect(log.at(-1)).toMatchObject({ stop_reason: { type: 'end_turn' } });
  });
});
