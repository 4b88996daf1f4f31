import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { systemRandom } from '../random.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { openTestStore } from '../testing/test-store.ts';
import { Worker } from '../workers/worker.ts';
import { deleteRuns, type Lease, queueRunsOf, RunQueue } from './run-queue.ts';

const limits = { perUser: 2, perKey: 3 };

/** The queues of three processes with one store. */
async function setup() {
  const clock = createFakeClock();
  const log = createLogger(clock.now, () => {});
  const store = await openTestStore(log);
  const queues = await Promise.all(
    [0, 1, 2].map(async () => {
      const worker = await Worker.start({ store, clock, log, random: systemRandom });
      onTestFinished(() => worker.close());
      return { worker: worker.id, queue: new RunQueue({ store, clock, worker: worker.id }) };
    }),
  );
  const queueAt = (index: number) => queues[index] as (typeof queues)[number];
  /** Active runs by user and key, counted from the runs themselves. */
  const counted = async () => {
    const counts: Record<string, number> = {};
    const rows = await store.db.selectFrom('runs').selectAll().execute();
    for (const { worker, user_scope, key_scope, network_scope } of rows) {
      if (worker === null) continue;
      for (const scope of [user_scope, key_scope, network_scope]) {
        if (scope !== null) counts[scope] = (counts[scope] ?? 0) + 1;
      }
    }
    return counts;
  };
  const stored = async () => {
    const rows = await store.db.selectFrom('run_counts').selectAll().execute();
    return Object.fromEntries(rows.map(({ scope, active }) => [scope, Number(active)]));
  };
  return { clock, store, queueAt, counted, stored };
}

describe('the queue of runs', () => {
  it('counts the active runs of each user and key, and exceeds no limit, in any order of starts, ends, deletions and crashes', async () => {
    interface Operation {
      type: string;
      process: number;
      user: number;
      session: number;
    }
    const operation: fc.Arbitrary<Operation> = fc.record({
      type: fc.constantFrom('add', 'add', 'take', 'take', 'end', 'requeue', 'delete', 'die'),
      process: fc.nat(2),
      user: fc.nat(2),
      session: fc.nat(7),
    });
    const { clock, store, queueAt, counted, stored } = await setup();
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 10, maxLength: 60 }),
        async (operations) => {
          for (const table of ['runs', 'run_counts'] as const) {
            await store.db.deleteFrom(table).execute();
          }
          const leases = new Map<string, { lease: Lease; process: number }>();
          let count = 0;
          // Four operations at a time run concurrently.
          while (operations.length > 0) {
            await Promise.all(operations.splice(0, 4).map(perform));
            const active = await counted();
            expect(await stored()).toEqual(active);
            for (const [scope, number] of Object.entries(active)) {
              expect(number).toBeLessThanOrEqual(scope.startsWith('key:') ? 3 : 2);
            }
          }

          async function perform({ type, process, user, session }: Operation) {
            const { queue, worker } = queueAt(process);
            const sessionId = `ses_${user}_${session}`;
            const held = [...leases.values()].find((each) => each.process === process);
            if (type === 'add') {
              const row = { id: sessionId, agent_id: 'agt', external_user_id: `user-${user}` };
              const key = user === 2 ? null : 'pk_a';
              await store.transaction((tx) =>
                queue.add(tx, { ...row, publishable_key: key, source: null }),
              );
            } else if (type === 'take') {
              count += 1;
              const lease = await queue.take(`run_${count}`, limits);
              if (lease) leases.set(lease.id, { lease, process });
            } else if (type === 'delete') {
              await store.transaction((tx) => deleteRuns(tx, [sessionId]));
            } else if (type === 'die') {
              await store.transaction(async (tx) => {
                await tx.deleteFrom('workers').where('id', '=', worker).execute();
                await queueRunsOf(tx, worker);
              });
              await store.db
                .insertInto('workers')
                .values({ id: worker, heartbeat_at: clock.now() })
                .onConflict((conflict) => conflict.doNothing())
                .execute();
            } else if (held) {
              leases.delete(held.lease.id);
              if (type === 'requeue') return queue.requeue(held.lease, true);
              // The lease was lost if the session was deleted or the process died.
              await queue.remove(held.lease).catch(() => {});
            }
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('starts the run of the user with the fewest active runs first, then the oldest', async () => {
    const { clock, store, queueAt } = await setup();
    const { queue } = queueAt(0);
    for (const [user, session] of ['a0', 'a1', 'b0', 'a2', 'c0'].map((id) => [id[0], id])) {
      const row = { id: `${session}`, agent_id: 'agt', external_user_id: `${user}` };
      await store.transaction((tx) =>
        queue.add(tx, { ...row, publishable_key: null, source: null }),
      );
      clock.advance(1);
    }

    const taken: (string | undefined)[] = [];
    for (let n = 0; n < 5; n += 1) taken.push((await queue.take(`run_${n}`, limits))?.sessionId);

    expect(taken).toEqual(['a0', 'b0', 'c0', 'a1', undefined]);
  });

  it('starts a run beyond the limits if there are none', async () => {
    const { store, queueAt, stored } = await setup();
    const { queue } = queueAt(0);
    for (const id of ['ses_a', 'ses_b', 'ses_c']) {
      const row = {
        id,
        agent_id: 'agt',
        external_user_id: 'ada',
        publishable_key: null,
        source: null,
      };
      await store.transaction((tx) => queue.add(tx, row));
    }
    await queue.take('run_a', limits);
    await queue.take('run_b', limits);

    expect(await queue.take('run_c', limits, 'ses_c')).toBeNull();
    expect(await queue.take('run_d', null, 'ses_c')).toMatchObject({ sessionId: 'ses_c' });
    expect(await stored()).toEqual({ 'user:agt:ada': 3 });
  });

  it('gives runs to no process that counts as dead', async () => {
    const { store, queueAt } = await setup();
    const { queue, worker } = queueAt(0);
    const row = {
      id: 'ses_a',
      agent_id: 'agt',
      external_user_id: 'ada',
      publishable_key: null,
      source: null,
    };
    await store.transaction((tx) => queue.add(tx, row));
    await store.db.deleteFrom('workers').where('id', '=', worker).execute();

    expect(await queue.take('run_a', limits)).toBeNull();
    expect(await queueAt(1).queue.take('run_b', limits)).toMatchObject({ sessionId: 'ses_a' });
  });

  it('queues a run again that the process does not know', async () => {
    const { store, queueAt } = await setup();
    const { queue } = queueAt(0);
    const row = {
      id: 'ses_a',
      agent_id: 'agt',
      external_user_id: 'ada',
      publishable_key: null,
      source: null,
    };
    await store.transaction((tx) => queue.add(tx, row));
    await queue.take('run_a', limits);

    await queue.requeueUnknown((id) => id === 'run_a');
    expect(await queue.take('run_b', limits)).toBeNull();
    await queue.requeueUnknown(() => false);

    expect(await queue.take('run_b', limits)).toMatchObject({ sessionId: 'ses_a', attempt: 2 });
  });
});
