/**
 * Users send messages while processes are killed, restarted and suspended at random, and PostgreSQL and
 * Redis fail. Each message is answered, no event is lost or stored twice, and nothing remains reserved.
 */
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../../scripts/free-port.mjs';
import { sleep, systemClock } from '../lib/clock.ts';
import { createLogger } from '../lib/log/logger.ts';
import { createPostgresStore } from '../lib/store/postgres-store.ts';
import { createSqliteStore } from '../lib/store/sqlite-store.ts';
import type { Store } from '../lib/store/store.ts';
import { startCluster } from '../lib/testing/cluster.ts';
import { createPlatformApi, type PlatformApi } from '../lib/testing/platform-api.ts';
import { spawnServer } from '../lib/testing/server-process.ts';
import { testOrigin } from '../lib/testing/setup-server.ts';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';
import { User } from '../lib/testing/user.ts';

const unlimited = { requests_per_second: 100_000, concurrent: 1000 };
const config = {
  streams: { drain_seconds: 10 },
  limits: { api_key: unlimited, api_key_stops: unlimited, source: unlimited, public: unlimited },
  agents: [
    {
      short_id: 'test',
      name: 'Test agent',
      model: {
        provider: 'scripted' as const,
        delay_ms: 20,
        first_delay_ms: 0,
        script: [{ say: `You said {text}. ${'And so on. '.repeat(10)}` }],
      },
      embed: { allowed_origins: [testOrigin], limits: unlimited },
    },
  ],
};

/** A platform in its own processes, and what can happen to it. */
interface Platform {
  readonly api: PlatformApi;
  /** Each fault resolves when the platform works again. */
  readonly faults: Readonly<Record<string, () => Promise<void>>>;
  /** Opens the database of the platform. */
  openStore(): Promise<Store>;
}

const ignore = () => {};

/** Starts a process again, as a service manager does: until its database is reachable. */
async function untilStarted(start: () => Promise<unknown>): Promise<void> {
  while (
    !(await start().then(
      () => true,
      () => false,
    ))
  )
    await sleep(systemClock, 200);
}

async function startOnPostgres(): Promise<Platform> {
  const cluster = await startCluster(config);
  onTestFinished(() => cluster.stop());
  const { postgres, redis } = cluster;
  const ofProcess = (number: 0 | 1 | 2) => ({
    [`kill process ${number}`]: () => untilStarted(() => cluster.replace(number)),
    [`restart process ${number}`]: async () => {
      cluster.server(number).child.kill('SIGTERM');
      await cluster.server(number).exited;
      await untilStarted(() => cluster.replace(number));
    },
    [`suspend process ${number}`]: async () => {
      const { child } = cluster.server(number);
      child.kill('SIGSTOP');
      // Long enough that the other processes take its runs.
      await sleep(systemClock, 8_000);
      child.kill('SIGCONT');
    },
  });
  return {
    api: cluster.api,
    faults: {
      ...ofProcess(0),
      ...ofProcess(1),
      ...ofProcess(2),
      'restart PostgreSQL': async () => {
        await postgres.down();
        await sleep(systemClock, 1_000);
        await postgres.up();
      },
      'slow PostgreSQL': async () => {
        const client = new pg.Client({ connectionString: postgres.url });
        client.on('error', ignore);
        // Another fault may restart PostgreSQL in the meantime.
        await client
          .connect()
          .then(() =>
            client.query('begin; lock table sessions, workers; select pg_sleep(4); commit'),
          )
          .catch(ignore);
        await client.end().catch(ignore);
      },
      'flush Redis': async () => {
        await redis.down();
        await redis.up();
      },
      'Redis is unreachable': async () => {
        await redis.down();
        await sleep(systemClock, 5_000);
        await redis.up();
      },
      'Redis does not respond': async () => {
        redis.pause();
        await sleep(systemClock, 5_000);
        redis.resume();
      },
    },
    openStore: () =>
      createPostgresStore({ url: postgres.url, poolSize: 1, log: createLogger(Date.now, ignore) }),
  };
}

async function startOnSqlite(): Promise<Platform> {
  const data = temporaryFolder();
  const port = await freePort();
  const start = () => spawnServer(config, { INLAY_DATA: data, PORT: String(port) });
  let server = await start();
  onTestFinished(() => server.kill());
  const end = async (signal: NodeJS.Signals) => {
    server.child.kill(signal);
    await server.exited;
    server = await start();
  };
  return {
    api: createPlatformApi(server.url),
    faults: { kill: () => end('SIGKILL'), restart: () => end('SIGTERM') },
    openStore: async () => {
      await server.kill();
      return createSqliteStore({ data });
    },
  };
}

/** Faults that happen to one thing cannot happen to it at the same time. */
const subjectOf = (fault: string) => /process \d|PostgreSQL|Redis/.exec(fault)?.[0] ?? 'process';

describe.each([
  { name: 'three processes with PostgreSQL and Redis', start: startOnPostgres, steps: 12 },
  { name: 'one process with SQLite', start: startOnSqlite, steps: 6 },
])('$name', ({ start, steps }) => {
  it('answer each message once, whatever fails', async () => {
    const { api, faults, openStore } = await start();
    const step = fc.uniqueArray(fc.constantFrom(...Object.keys(faults)), {
      minLength: 1,
      maxLength: 2,
      selector: subjectOf,
    });
    const users = await Promise.all(
      Array.from({ length: 12 }, (_, number) => User.create(api, `person-${number}`)),
    );
    let isDone = false;
    const activities = users.flatMap((user) => [user.follow(), user.sendMessages(() => isDone)]);

    for (const names of fc.sample(step, {
      numRuns: steps,
      seed: Number(process.env.INLAY_SEED ?? 1),
    })) {
      await Promise.all(names.map((name) => faults[name]?.()));
      await sleep(systemClock, 500);
    }
    isDone = true;
    await Promise.all(activities);

    for (const user of users) {
      const log = await user.expectCompleteLog();
      const answers = JSON.stringify(log.filter(({ type }) => type === 'agent.message'));
      const answered = [...answers.matchAll(/You said number (\d+)\./g)].map(
        ([, number]) => number,
      );
      expect(answered).toEqual([...new Set(answered)]);
      expect(answered.at(-1)).toBe(String(user.sent));
    }
    const store = await openStore();
    onTestFinished(() => store.close());
    for (const table of ['runs', 'run_counts'] as const) {
      expect(await store.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
    const sessions = store.db.selectFrom('sessions').select(['status', 'reserved_microcents']);
    for (const { status, reserved_microcents } of await sessions.execute()) {
      expect([status, Number(reserved_microcents)]).toEqual(['idle', 0]);
    }
  }, 300_000);
});
