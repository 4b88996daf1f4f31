import { type Kysely, sql } from 'kysely';
import type { Services } from '../deps.ts';
import { utcDay } from '../ports/clock.ts';
import type { Schema } from '../store/schema.ts';

/** Rows that one step deletes at most, so that it holds up nobody for long. */
export const stepSize = 500;

const dayMs = 86_400_000;
/** Milliseconds for which it is kept what was used of a day. */
const countersMs = 60 * dayMs;

type SweepServices = Pick<Services, 'store' | 'clock' | 'config'>;

/** A step of the sweep. Resolves with how many rows it deleted; `stepSize` where there may be more. */
export type SweepStep = () => Promise<number>;

/** Deletes records of tokens that expired long ago, with the hashes of their values. */
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
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await db.deleteFrom('token_values').where('issuance_id', 'in', ids).execute();
    await db.deleteFrom('issuances').where('id', 'in', ids).execute();
    return ids.length;
  });
}

/** Deletes visitors of whom nothing is left: no token, no conversation, no file. */
export async function deleteOldVisitors({ store, clock, config }: SweepServices): Promise<number> {
  const before = clock.now() - config.retention.tokens_days * dayMs;
  const hasNo = (table: 'issuances' | 'sessions' | 'files') => sql`not exists (
    select 1 from ${sql.table(table)} as owned
    where owned.agent_id = visitors.agent_id
      and owned.external_user_id = visitors.external_user_id
  )`;
  const isIdle = sql.join([hasNo('issuances'), hasNo('sessions'), hasNo('files')], sql` and `);
  return deleteSome(
    store.db,
    'visitors',
    ['secret_hash'],
    sql`visitors.created_at < ${before} and ${isIdle}`,
  );
}

/** Deletes what publishable keys, visitors and source addresses used of days that are long over. */
export async function deleteOldCounters({ store, clock }: SweepServices): Promise<number> {
  const before = utcDay(clock.now() - countersMs);
  const shares = await deleteSome(
    store.db,
    'publishable_key_shares',
    ['publishable_key', 'day', 'subject'],
    sql`day < ${before}`,
  );
  const days = await deleteSome(
    store.db,
    'publishable_key_days',
    ['publishable_key', 'day'],
    sql`day < ${before}`,
  );
  return Math.max(shares, days);
}

/** Deletes at most `stepSize` rows of a table, by its primary key. */
export async function deleteSome(
  db: Kysely<Schema>,
  table: keyof Schema,
  key: readonly string[],
  condition: ReturnType<typeof sql>,
): Promise<number> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where (${columns}) in (
      select ${columns} from ${sql.table(table)} where ${condition} limit ${stepSize}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
