import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../store/schema.ts';
import { isAfter, type Position } from './paging.ts';

/** Maximum rows that a request reads to find those that match the filters without an index. */
export const scanLimit = 1_000;

type Condition = RawBuilder<SqlBool>;

/** A page of a list with filters. */
export interface FilteredPage {
  readonly table:
    | 'sessions'
    | 'issuances'
    | 'feedback'
    | 'end_users'
    | 'webhook_deliveries'
    | 'audit_events';
  /** Columns that are read; by default, all. */
  readonly columns?: readonly string[];
  /** Columns by which the list is sorted, newest first. */
  readonly sortedBy: { readonly time: string; readonly id: string };
  /** Conditions that, with the sorted columns, one index covers. */
  readonly indexed: readonly Condition[];
  /** A condition that almost all rows meet. */
  readonly visible?: Condition;
  /** The other conditions. */
  readonly filters: readonly Condition[];
  readonly position: Position | null;
  readonly limit: number;
}

/**
 * Reads a page of a list, newest first. No request scans a large table: with conditions that the index
 * does not cover, a page covers at most 1,000 rows of the index. It may then be short or empty, and the
 * next page continues after these rows.
 *
 * @returns The rows, and the position of the next page; null after the last row of the list.
 */
export async function readFilteredPage<Row extends object>(
  db: Kysely<Schema>,
  {
    table,
    columns,
    sortedBy,
    indexed,
    visible = allOf([]),
    filters,
    position,
    limit,
  }: FilteredPage,
): Promise<{ rows: Row[]; next: Position | null }> {
  const [time, id] = [sql.ref(sortedBy.time), sql.ref(sortedBy.id)];
  const order = sql`order by ${time} desc, ${id} desc`;
  const where = allOf([...indexed, isAfter(sortedBy.time, position, 'desc', sortedBy.id)]);
  const isFiltered = filters.length > 0;
  // Read first, so that a row that moves to the first page meanwhile does not move the end.
  const end = isFiltered
    ? (
        await sql<{ at: number; id: string }>`
          select ${time} as at, ${id} as id from ${sql.table(table)}
          where ${where} ${order} limit 1 offset ${scanLimit - 1}`.execute(db)
      ).rows[0]
    : undefined;
  const notBelowEnd = end ? sql<SqlBool>`(${time}, ${id}) >= (${end.at}, ${end.id})` : allOf([]);
  const candidates = sql`
    select * from ${sql.table(table)} where ${where} and ${notBelowEnd} and ${visible} ${order}
    limit ${isFiltered ? scanLimit : limit + 1}`;
  const selected = columns ? sql.join(columns.map((name) => sql.ref(name))) : sql`*`;
  const { rows } = await sql<Row>`
    select ${selected} from (${candidates}) as candidates where ${allOf(filters)} ${order}
    limit ${limit + 1}`.execute(db);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? (shown.at(-1) as Record<string, unknown>) : null;
  if (last) {
    return {
      rows: shown,
      next: { at: Number(last[sortedBy.time]), id: String(last[sortedBy.id]) },
    };
  }
  return { rows: shown, next: end ? { at: Number(end.at), id: end.id } : null };
}

function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;
}
