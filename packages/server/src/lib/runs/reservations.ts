import { type Kysely, sql, type Transaction } from 'kysely';
import type { Share } from '../limits/daily-allowance.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { newId } from '../ports/random.ts';
import type { Schema, SpendReservationsTable } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** Milliseconds after which a call that was given back is not waited for any more. */
const forgetAfter = 86_400_000;

/** What a call wants set aside, and what bounds it. */
export interface Claim {
  leaseId: string;
  sessionId: string;
  microcents: number;
  /** What visitors of the key may spend in this UTC day; null where no day bounds the call. */
  day: {
    publishableKey: string;
    day: string;
    capMicrocents: number;
    /** The parts of it that this visitor, and visitors from the same source address, may spend. */
    shares: readonly Share[];
  } | null;
}

/** There is no room now. Thrown, so that what was done before it is undone. */
class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
}

/**
 * Room that is set aside for model calls, in a session's budget and in the day of a publishable
 * key, so that calls at the same time, on however many processes, cannot overspend together. A call
 * is let in when it fits, or when it is alone: so what is left can be used up, and what is spent
 * goes over a limit by one call at most.
 *
 * Providers may use more than the request allows. So a call of a publishable key sets aside at least
 * what the dearest call of that key's latest day has cost, and before any call has told a cost, the
 * calls of the key run one at a time.
 *
 * What a process held that died is given back as soon as its run's lease is over, which takes some
 * seconds: by the next call that finds no room, or by the hourly tidying.
 *
 * Every change goes through the rows in the store's order: session, reservation, day.
 */
export class Reservations {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(ports: { store: Store; clock: Clock; random: Random }) {
    this.#store = ports.store;
    this.#clock = ports.clock;
    this.#random = ports.random;
  }

  /** The id of what was set aside; null while there is no room for it. */
  async take(claim: Claim): Promise<string | null> {
    const id = await this.#try(claim);
    if (id !== null || (await this.giveBackStale()) === 0) return id;
    return this.#try(claim);
  }

  /** Puts what a call really cost in the place of what was set aside for it. Twice is fine. */
  async settle(
    transaction: Transaction<Schema>,
    id: string,
    sessionId: string,
    microcents: number,
  ): Promise<void> {
    await lockSession(transaction, sessionId);
    const row = await transaction
      .deleteFrom('spend_reservations')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (row) await move(transaction, row, microcents);
  }

  /** Gives back what runs held that are over without having settled. Returns how many there were. */
  async giveBackStale(): Promise<number> {
    const now = this.#clock.now();
    const stale = await this.#store.db
      .selectFrom('spend_reservations')
      .select(['id', 'session_id'])
      .where('microcents', '>', 0)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('runs')
              .select('runs.id')
              .whereRef('runs.session_id', '=', 'spend_reservations.session_id')
              .whereRef('runs.id', '=', 'spend_reservations.lease_id')
              .where('runs.lease_until', '>', now),
          ),
        ),
      )
      .execute();
    for (const { id, session_id } of stale) {
      await this.#store.transaction((tx) => giveBack(tx, id, session_id));
    }
    return stale.length;
  }

  /** Removes what is left of calls whose process never came back. */
  async tidy(): Promise<void> {
    await this.giveBackStale();
    await this.#store.db
      .deleteFrom('spend_reservations')
      .where('microcents', '=', 0)
      .where('created_at', '<', this.#clock.now() - forgetAfter)
      .execute();
  }

  async #try(claim: Claim): Promise<string | null> {
    const { leaseId, sessionId, day } = claim;
    const id = newId(this.#random, 'rsv_');
    try {
      await this.#store.transaction(async (transaction) => {
        const dearest = day && (await dearestCall(transaction, day.publishableKey));
        const microcents = Math.max(claim.microcents, dearest ?? 0);
        await reserveInSession(transaction, sessionId, microcents);
        await transaction
          .insertInto('spend_reservations')
          .values({
            id,
            lease_id: leaseId,
            session_id: sessionId,
            publishable_key: day?.publishableKey ?? null,
            visitor: subjectOf(day, 'visitor'),
            source: subjectOf(day, 'source'),
            day: day?.day ?? '',
            microcents,
            created_at: this.#clock.now(),
          })
          .execute();
        if (!day) return;
        for (const share of day.shares) {
          await reserveInShare(transaction, day, share, microcents);
        }
        await reserveInDay(transaction, day, microcents, dearest === null);
      });
      return id;
    } catch (error) {
      if (error instanceof NoRoomError) return null;
      throw error;
    }
  }
}

async function reserveInSession(
  transaction: Transaction<Schema>,
  sessionId: string,
  microcents: number,
): Promise<void> {
  const budget = sql<number>`budget_cents * 1000000`;
  const { numUpdatedRows } = await transaction
    .updateTable('sessions')
    .set((eb) => ({ reserved_microcents: eb('reserved_microcents', '+', microcents) }))
    .where('id', '=', sessionId)
    .where(({ or, and, eb }) =>
      or([
        eb('budget_cents', 'is', null),
        and([eb('spent_microcents', '<', budget), fits(microcents, budget)]),
      ]),
    )
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new NoRoomError();
}

type Day = NonNullable<Claim['day']>;

function subjectOf(day: Day | null, kind: Share['kind']): string | null {
  return day?.shares.find((share) => share.kind === kind)?.subject ?? null;
}

async function reserveInShare(
  transaction: Transaction<Schema>,
  { publishableKey, day }: Day,
  { subject, spendMicrocents }: Share,
  microcents: number,
): Promise<void> {
  if (spendMicrocents === 0) throw new NoRoomError();
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('publishable_key_shares')
    .values({
      publishable_key: publishableKey,
      day,
      subject,
      sessions: 0,
      spent_microcents: 0,
      reserved_microcents: microcents,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['publishable_key', 'day', 'subject'])
        .doUpdateSet({
          reserved_microcents: sql`publishable_key_shares.reserved_microcents + ${microcents}`,
        })
        .where('publishable_key_shares.spent_microcents', '<', spendMicrocents)
        .where(fits(microcents, sql.lit(spendMicrocents), 'publishable_key_shares')),
    )
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) throw new NoRoomError();
}

async function reserveInDay(
  transaction: Transaction<Schema>,
  { publishableKey, day, capMicrocents }: Day,
  microcents: number,
  mustBeAlone: boolean,
): Promise<void> {
  if (capMicrocents === 0) throw new NoRoomError();
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('publishable_key_days')
    .values({
      publishable_key: publishableKey,
      day,
      sessions: 0,
      spent_microcents: 0,
      reserved_microcents: microcents,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['publishable_key', 'day'])
        .doUpdateSet({
          reserved_microcents: sql`publishable_key_days.reserved_microcents + ${microcents}`,
        })
        .where('publishable_key_days.spent_microcents', '<', capMicrocents)
        .where(
          mustBeAlone
            ? sql<boolean>`publishable_key_days.reserved_microcents = 0`
            : fits(microcents, sql.lit(capMicrocents), 'publishable_key_days'),
        ),
    )
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) throw new NoRoomError();
}

/** What the dearest call of a key cost on the latest day that had one; null without any. */
async function dearestCall(
  transaction: Transaction<Schema>,
  publishableKey: string,
): Promise<number | null> {
  const row = await transaction
    .selectFrom('publishable_key_days')
    .select('dearest_microcents')
    .where('publishable_key', '=', publishableKey)
    .where('dearest_microcents', '>', 0)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? Number(row.dearest_microcents) : null;
}

/** Room for a call: it fits beside all the others, or there is no other. */
function fits(microcents: number, limit: ReturnType<typeof sql<number>>, table = 'sessions') {
  const reserved = sql.ref(`${table}.reserved_microcents`);
  const spent = sql.ref(`${table}.spent_microcents`);
  return sql<boolean>`(${reserved} = 0 or ${spent} + ${reserved} + ${microcents} <= ${limit})`;
}

/** Takes the row that all changes of a session's spending begin with. */
async function lockSession(db: Kysely<Schema>, sessionId: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set((eb) => ({ reserved_microcents: eb.ref('reserved_microcents') }))
    .where('id', '=', sessionId)
    .execute();
}

async function giveBack(
  transaction: Transaction<Schema>,
  id: string,
  sessionId: string,
): Promise<void> {
  await lockSession(transaction, sessionId);
  const row = await transaction
    .selectFrom('spend_reservations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  const { numUpdatedRows } = await transaction
    .updateTable('spend_reservations')
    .set({ microcents: 0 })
    .where('id', '=', id)
    .where('microcents', '>', 0)
    .executeTakeFirst();
  if (row && numUpdatedRows > 0n) await move(transaction, row, 0);
}

/** Takes a reservation out of what is set aside, and adds what was spent. */
async function move(
  transaction: Transaction<Schema>,
  row: SpendReservationsTable,
  spent: number,
): Promise<void> {
  const reserved = Number(row.microcents);
  await transaction
    .updateTable('sessions')
    .set((eb) => ({
      reserved_microcents: eb('reserved_microcents', '-', reserved),
      spent_microcents: eb('spent_microcents', '+', spent),
    }))
    .where('id', '=', row.session_id)
    .execute();
  if (row.publishable_key === null) return;
  // In the order in which they were reserved, so that no two wait for each other.
  for (const subject of [row.visitor, row.source]) {
    if (subject === null) continue;
    await transaction
      .updateTable('publishable_key_shares')
      .set((eb) => ({
        reserved_microcents: eb('reserved_microcents', '-', reserved),
        spent_microcents: eb('spent_microcents', '+', spent),
      }))
      .where('publishable_key', '=', row.publishable_key)
      .where('day', '=', row.day)
      .where('subject', '=', subject)
      .execute();
  }
  await transaction
    .updateTable('publishable_key_days')
    .set((eb) => ({
      reserved_microcents: eb('reserved_microcents', '-', reserved),
      spent_microcents: eb('spent_microcents', '+', spent),
      dearest_microcents: eb
        .case()
        .when('dearest_microcents', '<', spent)
        .then(spent)
        .else(eb.ref('dearest_microcents'))
        .end(),
    }))
    .where('publishable_key', '=', row.publishable_key)
    .where('day', '=', row.day)
    .execute();
}
