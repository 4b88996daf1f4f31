import { type Kysely, sql } from 'kysely';
import type { Schema } from '../store/schema.ts';

/** Maximum rows per step, so that other requests do not wait for long. */
export const stepSize = 500;

/**
 * A step of the sweep. Resolves with the number of rows that it has handled: `stepSize` or more if
 * there may be further rows.
 */
export type SweepStep = () => Promise<number>;

/**
 * Deletes at most `stepSize` rows of a table. Resolves with their number.
 *
 * @param key Columns of the primary key.
 */
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
