import { type Kysely, sql } from 'kysely';
import { dayMs, hourMs, utcDay } from '../clock.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import { deleteIssuances } from '../tokens/issuances.ts';
import { deleteSome, type SweepStep, stepSize } from './sweep-step.ts';

/** Milliseconds for which the daily counters of publishable keys are kept. */
const keyCounterLifetime = 60 * dayMs;

/** Milliseconds for which the daily counters of visitors and source addresses are kept. */
const visitorCounterLifetime = 2 * dayMs;

type SweepServices = Pick<Services, 'store' | 'clock' | 'config'>;

/** Deletes the records of tokens that expired `retention.tokens_days` ago, with the tokens' hashes. */
export async function deleteOldTokens({ store, clock, config }: SweepServices): Promise<number> {
  const before = clock.now() - config.retention.tokens_days * dayMs;
  return store.transaction(async (db) => {
    const rows = await db
      .selectFrom('issuances')
      .select('id')
      .where('expires_at', '<', before)
      .orderBy('expires_at')
      .limit(stepSize)
      .execute();
    await deleteIssuances(
      db,
      rows.map(({ id }) => id),
    );
    return rows.length;
  });
}

/**
 * Returns a step that checks the next `stepSize` visitors, and deletes the visitors without tokens,
 * sessions and files. The step resolves with the number of checked visitors, because a step that
 * deletes only a few is not necessarily the last one.
 */
export function visitorSweep({ store, clock, config }: SweepServices): SweepStep {
  let last: { created_at: number; secret_hash: string } | undefined;
  return async () => {
    const before = clock.now() - config.retention.tokens_days * dayMs;
    const { created_at: createdAt, secret_hash: hash } = last ?? { created_at: 0, secret_hash: '' };
    const rows = await store.db
      .selectFrom('visitors')
      .select(['created_at', 'secret_hash'])
      .where('created_at', '<', before)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'secret_hash'), '>', tuple(Number(createdAt), hash)),
      )
      .orderBy('created_at')
      .orderBy('secret_hash')
      .limit(stepSize)
      .execute();
    last = rows.length < stepSize ? undefined : rows.at(-1);
    if (rows.length > 0)
      await deleteVisitorsWithoutData(
        store.db,
        rows.map((row) => row.secret_hash),
      );
    return rows.length;
  };
}

async function deleteVisitorsWithoutData(
  db: Kysely<Schema>,
  hashes: readonly string[],
): Promise<void> {
  const without = (table: 'issuances' | 'sessions' | 'files') => sql`not exists (
    select 1 from ${sql.table(table)} as owned
    where owned.agent_id = visitors.agent_id
      and owned.external_user_id = visitors.external_user_id
  )`;
  await sql`
    delete from visitors where secret_hash in (${sql.join(hashes)})
      and ${without('issuances')} and ${without('sessions')} and ${without('files')}`.execute(db);
}

/** Deletes old daily counters of publishable keys, visitors and source addresses. */
export async function deleteOldCounters({ store, clock }: SweepServices): Promise<number> {
  const shares = await deleteSome(
    store.db,
    'publishable_key_shares',
    ['publishable_key', 'day', 'subject'],
    sql`day < ${utcDay(clock.now() - visitorCounterLifetime)}`,
  );
  const days = await deleteSome(
    store.db,
    'publishable_key_days',
    ['publishable_key', 'day'],
    sql`day < ${utcDay(clock.now() - keyCounterLifetime)}`,
  );
  return shares + days;
}

/** Deletes entries of the audit record that are older than `retention.audit_days`. */
export function deleteOldAuditEvents({ store, clock, config }: SweepServices): Promise<number> {
  const before = clock.now() - config.retention.audit_days * dayMs;
  return deleteSome(store.db, 'audit_events', ['id'], sql`at < ${before}`);
}

/** Deletes the sums of days before `retention.usage_days`. */
export async function deleteOldUsage({ store, clock, config }: SweepServices): Promise<number> {
  const isOld = sql`day < ${utcDay(clock.now() - config.retention.usage_days * dayMs)}`;
  const key = ['day', 'agent_id', 'agent_version', 'publishable_key'] as const;
  const days = await deleteSome(store.db, 'usage_days', [...key, 'model', 'slot'], isOld);
  const users = await deleteSome(store.db, 'usage_users', [...key, 'external_user_id'], isOld);
  return Math.max(days, users);
}

/** Deletes the ended sessions of operators of the console. */
export function deleteOldOperatorSessions({ store, clock }: SweepServices): Promise<number> {
  return deleteSome(store.db, 'operator_sessions', ['hash'], sql`expires_at <= ${clock.now()}`);
}

/** Deletes the counters of refused origins, which are listed for a day. */
export function deleteOldRefusedOrigins({ store, clock }: SweepServices): Promise<number> {
  const key = ['agent_id', 'hour', 'origin'];
  return deleteSome(store.db, 'refused_origins', key, sql`hour <= ${clock.now() - dayMs}`);
}

/** Deletes the counters of attempts to sign in to the console, which cover an hour. */
export function deleteOldSignInAttempts({ store, clock }: SweepServices): Promise<number> {
  const before = clock.now() - hourMs;
  return deleteSome(store.db, 'sign_in_attempts', ['key'], sql`since <= ${before}`);
}
