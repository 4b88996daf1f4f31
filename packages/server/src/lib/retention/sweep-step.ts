import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../store/schema.ts';

/** Maximum rows per step, so that other requests do not wait for long. */
export const stepSize = 500;

/**
 * A step of the sweep. Resolves with the number of rows that it has handled: as many as a full step has, or
 * more, if there may be further rows.
 */
export type SweepStep = () => Promise<number>;

/** A step with the name of its rows, for the log, and the rows of a full step; by default `stepSize`. */
export type NamedStep = readonly [name: string, step: SweepStep, size?: number];

/**
 * Repeats a step until there are no further rows, and handles other requests in between.
 *
 * @param isStopped Ends the work after the current step when it returns true.
 * @param onRows Called with the rows of each step.
 */
export async function repeatStep(
  [, step, size = stepSize]: NamedStep,
  isStopped: () => boolean,
  onRows: (rows: number) => void = () => {},
): Promise<void> {
  for (let rows = size; rows >= size && !isStopped(); await nextTurn()) {
    rows = await step();
    onRows(rows);
  }
}

/**
 * Deletes at most `size` rows of a table. Resolves with their number.
 *
 * @param key Columns of the primary key.
 */
export async function deleteSome(
  db: Kysely<Schema>,
  table: keyof Schema,
  key: readonly string[],
  condition: RawBuilder<unknown>,
  size = stepSize,
): Promise<number> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where (${columns}) in (
      select ${columns} from ${sql.table(table)} where ${condition} limit ${size}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Deletes rows of a table with `deleteSome`, and handles other requests between the steps.
 *
 * @param options.size Maximum rows per step; by default `stepSize`.
 * @param options.isStopped Ends the deletion after the current step when it returns true.
 */
export async function deleteInSteps(
  db: Kysely<Schema>,
  table: keyof Schema,
  key: readonly string[],
  condition: RawBuilder<unknown>,
  { size = stepSize, isStopped }: { size?: number; isStopped?: () => boolean } = {},
): Promise<void> {
  while ((await deleteSome(db, table, key, condition, size)) >= size && !isStopped?.()) {
    await nextTurn();
  }
}
