import type { LogEvent } from '@inlay/protocol';
import { type Kysely, sql, type Transaction } from 'kysely';
import { utcDay } from '../clock.ts';
import { startsSession } from '../events/starts-session.ts';
import { isActivity } from '../events/update-session-row.ts';
import { describeError } from '../log/logger.ts';
import { ApiError } from '../problems/api-error.ts';
import type { ServiceOptions } from '../service-options.ts';
import { prepare } from '../store/prepared.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import { type Amounts, addAmounts, amountColumns } from './amounts.ts';
import { usageOfEvents } from './usage-of-events.ts';

/** The columns that usage is counted by, besides the day and the model. */
export type UsageOwner = Pick<
  SessionsTable,
  'agent_id' | 'agent_version' | 'publishable_key' | 'external_user_id'
>;

/**
 * Rows that share the counters of a day. Each transaction locks one of them until its commit, so that
 * the conversations of an agent rarely wait for each other.
 */
const slots = 8;
let lastSlot = 0;

const keyColumns = [
  'day',
  'agent_id',
  'agent_version',
  'publishable_key',
  'model',
  'slot',
] as const;

const addToDay = prepare((db) =>
  db
    .insertInto('usage_days')
    .columns([...keyColumns, ...amountColumns])
    .values({
      ...{ day: '', agent_id: '', agent_version: '', publishable_key: '', model: '', slot: 0 },
      ...(Object.fromEntries(amountColumns.map((name) => [name, 0])) as Required<Amounts>),
    })
    .onConflict((conflict) =>
      conflict
        .columns(keyColumns)
        .doUpdateSet(
          Object.fromEntries(
            amountColumns.map((name) => [
              name,
              sql`${sql.ref(`usage_days.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
            ]),
          ),
        ),
    ),
);

const addUser = prepare((db) =>
  db
    .insertInto('usage_users')
    .values({
      day: '',
      agent_id: '',
      agent_version: '',
      publishable_key: '',
      external_user_id: '',
    })
    .onConflict((conflict) => conflict.doNothing()),
);

const addEndUser = prepare((db) =>
  db
    .insertInto('end_users')
    .values({
      agent_id: '',
      external_user_id: '',
      anonymous: 0,
      first_seen_at: 0,
      last_seen_at: 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'external_user_id']).doUpdateSet((eb) => ({
        anonymous: eb.ref('excluded.anonymous'),
        last_seen_at: eb.ref('excluded.last_seen_at'),
      })),
    ),
);

/**
 * Counts the usage that events record, in the transaction that appends them. It is the last to lock rows
 * of a transaction.
 *
 * @param session The session before the events; null if the transaction creates it.
 * @param now Milliseconds since the epoch.
 */
export async function countEvents(
  transaction: Transaction<Schema>,
  owner: UsageOwner,
  session: Pick<SessionsTable, 'outcome' | 'begun_at' | 'active_at'> | null,
  events: readonly LogEvent[],
  now: number,
): Promise<void> {
  const begins = !session?.begun_at && events.some(startsSession);
  const usage = usageOfEvents(events, session?.outcome ?? null);
  if (begins) usage.set('', addAmounts(usage.get('') ?? {}, { sessions: 1 }));
  const day = utcDay(now);
  for (const [model, amounts] of [...usage].sort()) {
    await addUsage(transaction, owner, { model, day }, amounts);
  }
  const isFirstOfDay = begins || (session && utcDay(Number(session.active_at)) !== day);
  if (isFirstOfDay && events.some(isActivity)) {
    await addUser(
      transaction,
      day,
      owner.agent_id,
      owner.agent_version,
      owner.publishable_key ?? '',
      owner.external_user_id,
    );
    const anonymous = owner.publishable_key === null ? 0 : 1;
    await addEndUser(transaction, owner.agent_id, owner.external_user_id, anonymous, now, now);
  }
}

/** Adds amounts, which may be negative, to a day. */
export async function addUsage(
  db: Kysely<Schema>,
  { agent_id, agent_version, publishable_key: key }: Omit<UsageOwner, 'external_user_id'>,
  { day, model = '' }: { day: string; model?: string },
  amounts: Amounts,
): Promise<void> {
  lastSlot = (lastSlot + 1) % slots;
  const values = amountColumns.map((name) => amounts[name] ?? 0);
  await addToDay(db, day, agent_id, agent_version, key ?? '', model, lastSlot, ...values);
}

/**
 * Returns a function that counts a message that was refused because a quota or a budget is used up, and
 * throws the error again.
 */
export function countRefusal(
  { store, clock, log }: Pick<ServiceOptions, 'store' | 'clock' | 'log'>,
  owner: UsageOwner,
): (error: unknown) => Promise<never> {
  return async (error) => {
    const isRefusal =
      error instanceof ApiError &&
      (error.code === 'EMBED_QUOTA_EXCEEDED' || error.code === 'EMBED_BUDGET_EXCEEDED');
    if (isRefusal) {
      const day = utcDay(clock.now());
      await addUsage(store.db, owner, { day }, { refused_by_quota: 1 }).catch((failure: unknown) =>
        log.warn('a refused message was not counted', describeError(failure)),
      );
    }
    throw error;
  };
}
