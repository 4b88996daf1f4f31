/** Processes with one PostgreSQL database, each with its own connections and a fake clock of the database. */
import { type SqlBool, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { systemRandom } from '../random.ts';
import { RunQueue } from '../runs/run-queue.ts';
import { createPostgresStore } from '../store/postgres-store.ts';
import type { Store } from '../store/store.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { startPostgres, type TestPostgres } from '../testing/services/postgres.ts';
import { Worker } from './worker.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const limits = { perUser: 1, perKey: 1 };
const session = {
  id: 'ses_a',
  agent_id: 'agt',
  external_user_id: 'ada',
  publishable_key: null,
  source: null,
};

/** Two processes, of which the first has a run. */
async function setup() {
  const url = await postgres.createDatabase();
  const databaseClock = createFakeClock();
  const log = createLogger(databaseClock.now, () => {});
  const start = async () => {
    const clock = createFakeClock();
    const opened = await createPostgresStore({ url, poolSize: 2, log });
    const store: Store = { ...opened, now: () => sql.val(databaseClock.now()) };
    const worker = await Worker.start({ store, clock, log, random: systemRandom });
    onTestFinished(async () => {
      await worker.close();
      await store.close();
    });
    return { store, clock, worker, queue: new RunQueue({ store, clock, worker: worker.id }) };
  };
  const [first, second] = [await start(), await start()];
  await first.store.transaction((tx) => first.queue.add(tx, session));
  await first.queue.take('run_a', limits);
  return {
    first,
    second,
    /** Advances the clocks of the database and of processes, in steps of half a second. */
    async advance(seconds: number, ...processes: (typeof first)[]) {
      for (let step = 0; step < seconds * 2; step += 1) {
        for (const clock of [databaseClock, ...processes.map((each) => each.clock)]) {
          clock.advance(500);
        }
        // Waits for the heartbeats that are due.
        for (const { worker } of processes) {
          await expect
            .poll(() => heartbeatOf(worker))
            .toBeGreaterThanOrEqual(databaseClock.now() - 5000);
        }
      }
    },
  };

  async function heartbeatOf({ id }: Worker) {
    const query = second.store.db.selectFrom('workers').select('heartbeat_at').where('id', '=', id);
    return Number((await query.executeTakeFirst())?.heartbeat_at);
  }
}

describe('a process', () => {
  it('keeps its runs while all of its connections for queries are in use', async () => {
    const { first, second, advance } = await setup();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const busy = [1, 2].map(() => first.store.transaction(() => released));

    await advance(20, first, second);

    expect(await second.queue.take('run_b', limits)).toBeNull();
    release();
    await Promise.all(busy);
    await first.store.transaction((tx) =>
      first.queue.assertHeld(tx, { sessionId: 'ses_a', id: 'run_a', attempt: 1 }),
    );
  });

  it('is the first of all until it stops, and then another one is', async () => {
    const { first, second } = await setup();
    const processes = [first.worker, second.worker];
    const firsts = async () => {
      const answers = await Promise.all(processes.map((worker) => worker.isFirst()));
      return processes.filter((_, index) => answers[index]);
    };

    const [elected] = await firsts();
    await elected?.close();

    expect(await firsts()).toEqual(processes.filter((worker) => worker !== elected));
  });

  it('loses its runs 6 seconds after its last heartbeat, learns of it, and can then take runs again', async () => {
    const { first, second, advance } = await setup();
    let isAbandoned = false;
    first.worker.add({
      isQueued: () => sql<SqlBool>`1 = 0`,
      wake() {},
      check() {},
      abandon() {
        isAbandoned = true;
      },
    });

    // The first process stands still.
    await advance(5, second);
    expect(await second.queue.take('run_b', limits)).toBeNull();
    await advance(4, second);
    await expect.poll(() => second.queue.take('run_b', limits)).toMatchObject({ attempt: 2 });

    first.clock.advance(2000);
    await expect.poll(() => isAbandoned).toBe(true);
    await advance(1, first, second);
    await second.queue.requeue({ sessionId: 'ses_a', id: 'run_b', attempt: 2 }, true);
    expect(await first.queue.take('run_c', limits)).toMatchObject({ attempt: 3 });
  });
});
