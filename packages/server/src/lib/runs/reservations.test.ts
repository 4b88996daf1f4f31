import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { systemRandom } from '../random.ts';
import type { Store } from '../store/store.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { openTestStore } from '../testing/test-store.ts';
import { Reservations } from './reservations.ts';

const cent = 1_000_000;
const today = '2026-01-15';

/** Several sessions with runs, and two processes with reservations in one store. */
async function setup({ sessions = 1, budgetCents = null as number | null } = {}) {
  const clock = createFakeClock();
  const store = await openTestStore(createLogger(clock.now, () => {}));
  onTestFinished(() => store.close());
  const ids = Array.from({ length: sessions }, (_, n) => `ses_${n}`);
  for (const id of ids) await insertSession(store, id, budgetCents);
  const leaseUntil = (id: string, until: number, lease = `run_${id}`) =>
    store.db
      .insertInto('runs')
      .values({
        session_id: id,
        id: lease,
        owner: '',
        lease_until: until,
        started_at: 0,
        attempt: 1,
      })
      .onConflict((conflict) =>
        conflict.column('session_id').doUpdateSet({ id: lease, lease_until: until }),
      )
      .execute();
  for (const id of ids) await leaseUntil(id, clock.now() + 6000);
  const desks = [1, 2].map(() => new Reservations({ store, clock, random: systemRandom }));
  const desk = (n: number) => desks[n % desks.length] as Reservations;
  return {
    clock,
    store,
    desk,
    leaseUntil,
    take: (n: number, microcents: number, capCents: number | null = null, session = n) =>
      desk(n).take({
        leaseId: `run_ses_${session}`,
        sessionId: `ses_${session}`,
        microcents,
        day:
          capCents === null
            ? null
            : { publishableKey: 'pk_a', day: today, capMicrocents: capCents * cent, shares: [] },
      }),
    settle: (n: number, id: string, microcents: number, session = n) =>
      store.transaction((tx) => desk(n).settle(tx, id, `ses_${session}`, microcents)),
    /** Records a call of the key that cost almost nothing, on the day before. */
    async learn() {
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
    async session(n = 0) {
      const row = await store.db
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', `ses_${n}`)
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
      terminated_reason: null,
      source: null,
      begun_at: null,
      log_bytes: 0,
    })
    .execute();
}

describe('Reservations', () => {
  it('Q01: lets as many calls in at once as fit the day, on two processes', async () => {
    const { take, day, learn } = await setup({ sessions: 10 });
    await learn();

    const taken = await Promise.all(Array.from({ length: 10 }, (_, n) => take(n, 0.4 * cent, 2)));

    expect(taken.filter((id) => id !== null)).toHaveLength(5);
    expect(await day()).toEqual({ spent: 0, reserved: 2 * cent });
  });

  it('lets the calls of a key run one at a time until one of them has told what it costs', async () => {
    const { take, settle, day } = await setup({ sessions: 8 });

    const first = await Promise.all(Array.from({ length: 8 }, (_, n) => take(n, 0.1 * cent, 50)));
    const admitted = first.findIndex((id) => id !== null);
    await settle(admitted, first[admitted] ?? '', 10 * cent);
    const second = await Promise.all(Array.from({ length: 8 }, (_, n) => take(n, 0.1 * cent, 50)));

    expect(first.filter((id) => id !== null)).toHaveLength(1);
    expect(second.filter((id) => id !== null)).toHaveLength(4);
    expect(await day()).toEqual({ spent: 10 * cent, reserved: 40 * cent });
  });

  it('Q01: holds a session’s budget, too, where two processes believe that it is theirs', async () => {
    const { take, session } = await setup({ budgetCents: 1 });

    const taken = await Promise.all(
      Array.from({ length: 6 }, (_, n) => take(n, 0.3 * cent, null, 0)),
    );

    expect(taken.filter((id) => id !== null)).toHaveLength(3);
    expect(await session()).toEqual({ spent: 0, reserved: 0.9 * cent });
  });

  it('lets a call that may cost more than what is left in when it is alone, and then no other', async () => {
    const { take, settle, session } = await setup({ budgetCents: 1 });

    const large = await take(0, 5 * cent);
    expect(await take(1, 1, null, 0)).toBeNull();
    await settle(0, large ?? '', 2 * cent);

    expect(await session()).toEqual({ spent: 2 * cent, reserved: 0 });
    expect(await take(0, 1)).toBeNull();
  });

  it('counts a call once, however often it is settled, in its session and its day', async () => {
    const { take, settle, session, day } = await setup();
    const id = (await take(0, 900, 1)) ?? '';

    await settle(0, id, 300);
    await settle(1, id, 300, 0);

    expect([await session(), await day()]).toEqual([
      { spent: 300, reserved: 0 },
      { spent: 300, reserved: 0 },
    ]);
  });

  it('counts a call for the day on which it was let in, although it ends after midnight', async () => {
    const { take, settle, clock, day, store } = await setup();
    const id = (await take(0, 900, 1)) ?? '';
    clock.advance(13 * 3_600_000);

    await settle(0, id, 300);

    expect(await day()).toEqual({ spent: 300, reserved: 0 });
    expect(await store.db.selectFrom('publishable_key_days').select('day').execute()).toEqual([
      { day: today },
    ]);
  });

  it('Q02: gives back what a dead process held once its lease is over, and not before', async () => {
    const { take, clock, day, session } = await setup({ sessions: 2 });
    await take(0, 0.9 * cent, 1);
    clock.advance(5999);
    expect(await take(1, 0.9 * cent, 1)).toBeNull();

    clock.advance(1);

    expect(await take(1, 0.9 * cent, 1)).not.toBeNull();
    expect(await day()).toEqual({ spent: 0, reserved: 0.9 * cent });
    expect(await session()).toEqual({ spent: 0, reserved: 0 });
  });

  it('Q02: gives it back at once where another process has taken the run over', async () => {
    const { take, desk, leaseUntil, clock, session } = await setup({ budgetCents: 1 });
    await take(0, 0.9 * cent);
    await leaseUntil('ses_0', clock.now() + 6000, 'run_of_another');

    expect(await desk(1).giveBackStale()).toBe(1);
    expect(await session()).toEqual({ spent: 0, reserved: 0 });
  });

  it('Q02: counts the call of a process that was only slow, after it was given back', async () => {
    const { take, settle, desk, clock, session, store } = await setup({ budgetCents: 1 });
    const id = (await take(0, 0.9 * cent)) ?? '';
    clock.advance(6000);
    await Promise.all([desk(0).giveBackStale(), desk(1).giveBackStale()]);

    await settle(0, id, 0.2 * cent);

    expect(await session()).toEqual({ spent: 0.2 * cent, reserved: 0 });
    expect(await store.db.selectFrom('spend_reservations').selectAll().execute()).toEqual([]);
  });

  it('forgets a call that nobody settles, a day later', async () => {
    const { take, desk, clock, store } = await setup();
    await take(0, 900, 1);
    clock.advance(86_400_001);

    await desk(0).tidy();

    expect(await store.db.selectFrom('spend_reservations').selectAll().execute()).toEqual([]);
  });

  it('Q01: never overspends by more than one call, whatever runs, ends and dies in whatever order', async () => {
    const call = fc.record({
      session: fc.nat({ max: 7 }),
      most: fc.integer({ min: 10, max: 60 }),
      share: fc.integer({ min: 50, max: 100 }),
      dies: fc.constantFrom(false, false, true),
      rounds: fc.nat({ max: 2 }),
    });
    const round = fc.record({
      calls: fc.uniqueArray(call, {
        minLength: 3,
        maxLength: 8,
        selector: ({ session }) => session,
      }),
      wait: fc.constantFrom(0, 0, 3000, 6000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 3, maxLength: 8 }), async (rounds) => {
        const world = await setup({ sessions: 8, budgetCents: 1 });
        const [budget, cap] = [cent, 2 * cent];
        let largest = 0;
        const living = new Map<number, { id: string; cost: number; rounds: number }>();
        const deadUntil = new Map<number, number>();
        for (const { calls, wait } of rounds) {
          // A session has one run at a time; the run of a dead process lasts until its lease
          // expires.
          const free = calls.filter(
            ({ session }) =>
              !living.has(session) && (deadUntil.get(session) ?? 0) <= world.clock.now(),
          );
          for (const { session } of free) {
            await world.leaseUntil(`ses_${session}`, world.clock.now() + 6000);
            deadUntil.delete(session);
          }
          await Promise.all(
            free.map(async ({ session, most, share, dies, rounds: left }, n) => {
              const id = await world.take(n, most * 20_000, 2, session);
              const cost = Math.floor((most * 20_000 * share) / 100);
              if (id === null) return;
              if (dies) deadUntil.set(session, world.clock.now() + 6000);
              else living.set(session, { id, cost, rounds: left });
            }),
          );
          const over = [...living].filter(([, { rounds: left }]) => left === 0);
          for (const [session, { cost }] of over) {
            living.delete(session);
            largest = Math.max(largest, cost);
          }
          await Promise.all(over.map(([n, { id, cost }]) => world.settle(n, id, cost)));
          world.clock.advance(wait);
          for (const [session, still] of living) {
            still.rounds -= 1;
            await world.leaseUntil(`ses_${session}`, world.clock.now() + 6000);
          }
        }

        const spent = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => world.session(n)));
        for (const session of spent) expect(session.spent).toBeLessThanOrEqual(budget + largest);
        const day = await world.day();
        expect(day.spent || 0).toBeLessThanOrEqual(cap + largest);
        expect(spent.reduce((sum, session) => sum + session.spent, 0)).toBe(day.spent || 0);
        expect(spent.reduce((sum, session) => sum + session.reserved, 0)).toBe(day.reserved || 0);
      }),
      { numRuns: 12 },
    );
  }, 30_000);
});
