import { type Kysely, type RawBuilder, sql } from 'kysely';
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
  const without = (table: keyof Schema) => isWithout('visitors', table);
  return checkOldRows(store.db, {
    table: 'visitors',
    sortedBy: ['created_at', 'secret_hash'],
    before: () => clock.now() - config.retention.tokens_days * dayMs,
    unneeded: () => sql`${without('issuances')} and ${without('sessions')} and ${without('files')}`,
  });
}

/**
 * Returns a step that checks the next `stepSize` old consents like `visitorSweep`. It deletes those of users
 * without sessions who have not written for `retention.consents_days`.
 */
export function consentSweep({ store, clock, config }: SweepServices): SweepStep {
  const before = () => clock.now() - config.retention.consents_days * dayMs;
  return checkOldRows(store.db, {
    table: 'consents',
    sortedBy: ['given_at', 'id'],
    before,
    unneeded: () => sql`${isWithout('consents', 'sessions')}
      and ${isWithout('consents', 'end_users', sql`and owned.last_seen_at >= ${before()}`)}`,
  });
}

/** SQL condition of the rows whose user has no row in another table. */
function isWithout(table: keyof Schema, other: keyof Schema, condition = sql``) {
  return sql`not exists (
    select 1 from ${sql.table(other)} as owned
    where owned.agent_id = ${sql.ref(`${table}.agent_id`)}
      and owned.external_user_id = ${sql.ref(`${table}.external_user_id`)} ${condition}
  )`;
}

/**
 * Returns a step that checks the next `stepSize` rows from before a time, and deletes the unneeded ones.
 *
 * @param options.sortedBy The columns of an index: a time, and the primary key.
 */
function checkOldRows(
  db: Kysely<Schema>,
  options: {
    readonly table: keyof Schema;
    readonly sortedBy: readonly [time: string, key: string];
    readonly before: () => number;
    readonly unneeded: () => RawBuilder<unknown>;
  },
): SweepStep {
  const table = sql.table(options.table);
  const [time, key] = [sql.ref(options.sortedBy[0]), sql.ref(options.sortedBy[1])];
  const start = { time: 0, key: '' };
  let last = start;
  return async () => {
    const { rows } = await sql<typeof start>`
      select ${time} as "time", ${key} as "key" from ${table}
      where ${time} < ${options.before()} and (${time}, ${key}) > (${last.time}, ${last.key})
      order by ${time}, ${key} limit ${stepSize}`.execute(db);
    last = (rows.length === stepSize && rows.at(-1)) || start;
    if (rows.length > 0) {
      await sql`delete from ${table} where ${key} in (${sql.join(rows.map((row) => row.key))})
        and ${options.unneeded()}`.execute(db);
    }
    return rows.length;
  };
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
