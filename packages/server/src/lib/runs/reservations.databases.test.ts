import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lockSession } from '../events/lock-session.ts';
import { changeSession } from '../events/update-session-row.ts';
import { createLogger } from '../log/logger.ts';
import { systemRandom } from '../random.ts';
import type { Store } from '../store/store.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { openTestStore } from '../testing/test-store.ts';
import { Reservations } from './reservations.ts';

const cent = 1_000_000;
const today = '2026-01-15';

/** Creates sessions with runs in one store, and the `Reservations` of two processes. */
async function setup({ sessions = 1, budgetCents = null as number | null } = {}) {
  const clock = createFakeClock();
  const store = await openTestStore(createLogger(clock.now, () => {}));
  const ids = Array.from({ length: sessions }, (_, n) => `ses_${n}`);
  for (const id of ids) await insertSession(store, id, budgetCents);
  const setWorker = (sessionId: string, worker: string | null, leaseId = `run_${sessionId}`) =>
    store.db
      .insertInto('runs')
      .values({
        session_id: sessionId,
        id: leaseId,
        user_scope: '',
        worker,
        started_at: 0,
        attempt: 1,
      })
      .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ id: leaseId, worker }))
      .execute();
  for (const id of ids) await setWorker(id, 'proc_a');
  const processes = [1, 2].map(() => new Reservations({ store, clock, random: systemRandom }));
  /** The reservations of a process, by its index modulo the number of processes. */
  const processAt = (index: number) => processes[index % processes.length] as Reservations;
  return {
    clock,
    store,
    processAt,
    setWorker,
    /** Reserves in one process, by default for the session with the same index. */
    reserve: (
      processIndex: number,
      microcents: number,
      dailyBudgetCents: number | null = null,
      sessionIndex = processIndex,
    ) =>
      processAt(processIndex).reserve({
        leaseId: `run_ses_${sessionIndex}`,
        sessionId: `ses_${sessionIndex}`,
        microcents,
        day:
          dailyBudgetCents === null
            ? null
            : {
                publishableKey: 'pk_a',
                day: today,
                budgetMicrocents: dailyBudgetCents * cent,
                quotas: [],
              },
      }),
    settle: (processIndex: number, id: string, microcents: number, sessionIndex = processIndex) =>
      store.transaction(async (transaction) => {
        const sessionId = `ses_${sessionIndex}`;
        await lockSession(transaction, sessionId);
        const changes = await processAt(processIndex).settle(transaction, id, microcents);
        await changeSession(transaction, sessionId, changes);
      }),
    /** Records a call of the key on the previous day that cost almost nothing. */
    async addPastCall() {
      await store.db
        .insertInto('publishable_key_days')
        .values({
          publishable_key: 'pk_a',
          day: '2026-01-14',
          sessions: 0,
          spent_microcents: 1,
          dearest_microcents: 1,
        })
        .execute();
    },
    async day() {
      const row = await store.db
        .selectFrom('publishable_key_days')
        .selectAll()
        .where('day', '=', today)
        .executeTakeFirst();
      return { spent: Number(row?.spent_microcents), reserved: Number(row?.reserved_microcents) };
    },
    async session(index = 0) {
      const row = await store.db
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', `ses_${index}`)
        .executeTakeFirstOrThrow();
      return { spent: Number(row.spent_microcents), reserved: Number(row.reserved_microcents) };
    },
  };
}

function insertSession(store: Store, id: string, budgetCents: number | null) {
  return store.db
    .insertInto('sessions')
    .values({
      id,
      agent_id: 'agt_1',
      agent_version: '1',
      external_user_id: 'ada',
      issuance_id: 'emb_1',
      publishable_key: 'pk_a',
      system_message: null,
      override_system: null,
      budget_cents: budgetCents,
      token_metadata: '{}',
      status: 'running',
      title: null,
      metadata: '{}',
      input_tokens: 0,
      output_tokens: 0,
      spent_microcents: 0,
      created_at: 0,
      updated_at: 0,
      active_at: 0,
      archived_at: null,
      preview: null,
      last_message: null,
      requires_action: 0,
      terminated_reason: null,
      source: null,
      begun_at: null,
      log_bytes: 0,
    })
    .execute();
}

describe('Reservations', () => {
  it('Q01: admit as many simultaneous calls of two processes as fit into the daily budget', async () => {
    const { reserve, day, addPastCall } = await setup({ sessions: 10 });
    await addPastCall();

    const reservations = await Promise.all(
      Array.from({ length: 10 }, (_, n) => reserve(n, 0.4 * cent, 2)),
    );

    expect(reservations.filter((id) => id !== null)).toHaveLength(5);
    expect(await day()).toEqual({ spent: 0, reserved: 2 * cent });
  });

  it('admit the calls of a key one at a time until the cost of one is known', async () => {
    const { reserve, settle, day } = await setup({ sessions: 8 });

    const first = await Promise.all(
      Array.from({ length: 8 }, (_, n) => reserve(n, 0.1 * cent, 50)),
    );
    const admittedIndex = first.findIndex((id) => id !== null);
    await settle(admittedIndex, first[admittedIndex] ?? '', 10 * cent);
    const second = await Promise.all(
      Array.from({ length: 8 }, (_, n) => reserve(n, 0.1 * cent, 50)),
    );

    expect(first.filter((id) => id !== null)).toHaveLength(1);
    expect(second.filter((id) => id !== null)).toHaveLength(4);
    expect(await day()).toEqual({ spent: 10 * cent, reserved: 40 * cent });
  });

  it('Q01: enforce the budget of a session even if two processes run the session', async () => {
    const { reserve, session } = await setup({ budgetCents: 1 });

    const reservations = await Promise.all(
      Array.from({ length: 6 }, (_, n) => reserve(n, 0.3 * cent, null, 0)),
    );

    expect(reservations.filter((id) => id !== null)).toHaveLength(3);
    expect(await session()).toEqual({ spent: 0, reserved: 0.9 * cent });
  });

  it('admit a call that may exceed the budget only while no other call is in progress', async () => {
    const { reserve, settle, session } = await setup({ budgetCents: 1 });

    const large = await reserve(0, 5 * cent);
    expect(await reserve(1, 1, null, 0)).toBeNull();
    await settle(0, large ?? '', 2 * cent);

    expect(await session()).toEqual({ spent: 2 * cent, reserved: 0 });
    expect(await reserve(0, 1)).toBeNull();
  });

  it('count the cost of a call once for its session and day, even if the call is settled twice', async () => {
    const { reserve, settle, session, day } = await setup();
    const id = (await reserve(0, 900, 1)) ?? '';

    await settle(0, id, 300);
    await settle(1, id, 300, 0);

    expect([await session(), await day()]).toEqual([
      { spent: 300, reserved: 0 },
      { spent: 300, reserved: 0 },
    ]);
  });

  it('count the cost of a call for the day on which the call started, even if it ends after midnight', async () => {
    const { reserve, settle, clock, day, store } = await setup();
    const id = (await reserve(0, 900, 1)) ?? '';
    clock.advance(13 * 3_600_000);

    await settle(0, id, 300);

    expect(await day()).toEqual({ spent: 300, reserved: 0 });
    expect(await store.db.selectFrom('publishable_key_days').select('day').execute()).toEqual([
      { day: today },
    ]);
  });

  it('Q02: are released when the run of a dead process is queued again, not before', async () => {
    const { reserve, setWorker, day, session } = await setup({ sessions: 2 });
    await reserve(0, 0.9 * cent, 1);
    expect(await reserve(1, 0.9 * cent, 1)).toBeNull();

    await setWorker('ses_0', null);

    expect(await reserve(1, 0.9 * cent, 1)).not.toBeNull();
    expect(await day()).toEqual({ spent: 0, reserved: 0.9 * cent });
    expect(await session()).toEqual({ spent: 0, reserved: 0 });
  });

  it('Q02: are released immediately when another process takes over the run', async () => {
    const { reserve, processAt, setWorker, session } = await setup({ budgetCents: 1 });
    await reserve(0, 0.9 * cent);
    await setWorker('ses_0', 'proc_b', 'run_of_another');

    expect(await processAt(1).releaseStale()).toBe(1);
    expect(await session()).toEqual({ spent: 0, reserved: 0 });
  });

  it('Q02: count the cost of a call that ends after its reservation was released', async () => {
    const { reserve, settle, processAt, setWorker, session, store } = await setup({
      budgetCents: 1,
    });
    const id = (await reserve(0, 0.9 * cent)) ?? '';
    await setWorker('ses_0', null);
    await Promise.all([processAt(0).releaseStale(), processAt(1).releaseStale()]);

    await settle(0, id, 0.2 * cent);

    expect(await session()).toEqual({ spent: 0.2 * cent, reserved: 0 });
    expect(await store.db.selectFrom('spend_reservations').selectAll().execute()).toEqual([]);
  });

  it('are deleted after a day if their call is never settled', async () => {
    const { reserve, processAt, setWorker, clock, store } = await setup();
    await reserve(0, 900, 1);
    await setWorker('ses_0', null);
    clock.advance(86_400_001);

    await processAt(0).cleanUp();

    expect(await store.db.selectFrom('spend_reservations').selectAll().execute()).toEqual([]);
  });

  it('Q01: let the spending exceed a budget by at most one call, in any order of calls, ends and crashes', async () => {
    const call = fc.record({
      sessionIndex: fc.nat({ max: 7 }),
      /** From 0.2 to 1.2 cents. */
      reserved: fc.integer({ min: 10, max: 60 }).map((fiftieths) => (fiftieths * cent) / 50),
      percentSpent: fc.integer({ min: 50, max: 100 }),
      processDies: fc.constantFrom(false, false, true),
      /** Number of rounds after which the call ends. */
      rounds: fc.nat({ max: 2 }),
    });
    const round = fc.record({
      calls: fc.uniqueArray(call, {
        minLength: 3,
        maxLength: 8,
        selector: ({ sessionIndex }) => sessionIndex,
      }),
      /** Milliseconds until the next round. */
      pause: fc.constantFrom(0, 0, 3000, 6000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 3, maxLength: 8 }), async (rounds) => {
        const server = await setup({ sessions: 8, budgetCents: 1 });
        const [budget, dailyBudget] = [cent, 2 * cent];
        let maximumCost = 0;
        const activeCalls = new Map<number, { id: string; cost: number; rounds: number }>();
        /** When the run of a dead process is queued again, by session. */
        const deadRuns = new Map<number, number>();
        for (const { calls, pause } of rounds) {
          // A session has one run at a time. The run of a dead process blocks the session until it is
          // queued again.
          const admissible = calls.filter(
            ({ sessionIndex }) => !activeCalls.has(sessionIndex) && !deadRuns.has(sessionIndex),
          );
          for (const { sessionIndex } of admissible) {
            await server.setWorker(`ses_${sessionIndex}`, 'proc_a');
          }
          await Promise.all(
            admissible.map(async (call, processIndex) => {
              const { sessionIndex, reserved } = call;
              const id = await server.reserve(processIndex, reserved, 2, sessionIndex);
              if (id === null) return;
              const cost = Math.floor((reserved * call.percentSpent) / 100);
              if (call.processDies) deadRuns.set(sessionIndex, server.clock.now() + 6000);
              else activeCalls.set(sessionIndex, { id, cost, rounds: call.rounds });
            }),
          );
          const finished = [...activeCalls].filter(([, call]) => call.rounds === 0);
          for (const [sessionIndex, { cost }] of finished) {
            activeCalls.delete(sessionIndex);
            maximumCost = Math.max(maximumCost, cost);
          }
          await Promise.all(
            finished.map(([sessionIndex, { id, cost }]) => server.settle(sessionIndex, id, cost)),
          );
          server.clock.advance(pause);
          for (const call of activeCalls.values()) call.rounds -= 1;
          for (const [sessionIndex, until] of deadRuns) {
            if (until > server.clock.now()) continue;
            deadRuns.delete(sessionIndex);
            await server.setWorker(`ses_${sessionIndex}`, null);
          }
        }

        const sessions = await Promise.all(
          [0, 1, 2, 3, 4, 5, 6, 7].map((index) => server.session(index)),
        );
        for (const { spent } of sessions) expect(spent).toBeLessThanOrEqual(budget + maximumCost);
        const day = await server.day();
        expect(day.spent || 0).toBeLessThanOrEqual(dailyBudget + maximumCost);
        expect(sessions.reduce((sum, { spent }) => sum + spent, 0)).toBe(day.spent || 0);
        expect(sessions.reduce((sum, { reserved }) => sum + reserved, 0)).toBe(day.reserved || 0);
      }),
      { numRuns: 12 },
    );
  });
});
