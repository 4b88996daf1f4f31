import { type Kysely, type RawBuilder, sql } from 'kysely';
import { executeNamed } from '../store/prepared.ts';
import type { Schema } from '../store/schema.ts';

/** The tables with one row of counters per UTC day, and their counters that have no default in SQL. */
const tables = {
  publishable_key_days: ['sessions', 'spent_microcents'],
  publishable_key_shares: ['sessions', 'spent_microcents'],
  end_user_days: ['message_bytes'],
} as const;

export type DayTable = keyof typeof tables;

/**
 * Adds an amount to a counter of a row, which is created if it does not exist. One statement checks and
 * counts, so that concurrent requests cannot exceed a quota.
 *
 * @param row The columns of the primary key.
 * @param condition Condition of a row that exists. A new row is created without a check.
 * @returns The new value of the counter; null if the row does not meet the condition.
 */
export async function addToDay(
  db: Kysely<Schema>,
  table: DayTable,
  row: Readonly<Record<string, string>>,
  counter: 'sessions' | 'empty_sessions' | 'file_bytes' | 'message_bytes' | 'reserved_microcents',
  amount: number,
  condition: RawBuilder<unknown> = sql`true`,
): Promise<number | null> {
  const others = tables[table].filter((name) => name !== counter).map((name) => [name, 0] as const);
  const entries = [...Object.entries(row), ...others, [counter, amount] as const];
  const column = sql.ref(counter);
  const [counted] = await executeNamed(
    db,
    sql<{ value: number | string }>`
    insert into ${sql.table(table)} (${sql.join(entries.map(([name]) => sql.ref(name)))})
    values (${sql.join(entries.map(([, value]) => value))})
    on conflict (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    do update set ${column} = ${sql.ref(`${table}.${counter}`)} + ${amount} where ${condition}
    returning ${column} as value`,
  );
  return counted ? Number(counted.value) : null;
}
