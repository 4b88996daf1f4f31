/** Two processes that share PostgreSQL without Redis, so that each has its own bus. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ServerProcess, spawnServer } from './lib/testing/server-process.ts';
import { startPostgres, type TestPostgres } from './lib/testing/services/postgres.ts';
import { isType, message } from './lib/testing/setup-conversation.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres.stop(), 60_000);

const startTwo = () =>
  Promise.all(
    [1, 2].map(async () => {
      const server = await spawnServer({}, { DATABASE_URL: postgres.url });
      onTestFinished(() => server.kill());
      return server;
    }),
  ) as Promise<[ServerProcess, ServerProcess]>;

/**
 * Kills a process in the middle of an answer, so that another process takes the run over. Either of the
 * two processes may have started the run, so both are started again until the killed one had.
 */
async function killMidAnswer() {
  for (;;) {
    const [killedServer, other] = await startTwo();
    const { token } = await killedServer.issue('ada');
    const created = await killedServer.call(token, 'POST', '/sessions', {
      initial_events: [message('table')],
    });
    const { id } = (await created.json()) as { id: string };
    const tab = await killedServer.follow(token, id);
    const otherReader = await other.follow(token, id);
    await tab.until(isType('event_delta'));

    killedServer.child.kill('SIGKILL');
    const killedAt = performance.now();
    await expect(tab.toEnd()).rejects.toThrow();
    const cutAt = tab.seen.findLast((event) => event.id !== undefined)?.id;
    const resumed = await other.follow(token, id, cutAt);
    const next = await otherReader.until(
      isType('session.status_rescheduled', 'session.status_idle'),
    );
    const duration = performance.now() - killedAt;
    if (next.data.type === 'session.status_rescheduled') {
      return { tab, otherReader, resumed, duration };
    }
  }
}

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
    const withoutPort = refusals.map(({ body }) => body.replace(/localhost:\d+/, ''));
    expect(new Set(withoutPort).size).toBe(1);
  }, 60_000);

  it('S08: send the whole answer to all readers even if one process is killed during the answer', async () => {
    const { tab, otherReader, resumed, duration } = await killMidAnswer();
    for (const reader of [otherReader, resumed]) await reader.until(isType('session.status_idle'));

    expect(duration).toBeLessThan(15_000);
    const durable = (reader: typeof tab) => reader.seen.filter(({ data }) => 'seq' in data);
    const log = durable(otherReader).map(({ data }) => data);
    expect([...durable(tab), ...durable(resumed)].map(({ data }) => data)).toEqual(log);
    expect(log.filter(({ type }) => type === 'agent.message')).toHaveLength(1);
    expect(log.at(-1)).toMatchObject({ stop_reason: { type: 'end_turn' } });
  }, 60_000);
});
