import { type Kysely, type RawBuilder, SqliteAdapter, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** SQL list of values, such as `id in ${inList(db, ids)}`, with one parameter whatever its length is. */
export function inList(
  db: Kysely<Schema>,
  values: readonly string[] | readonly number[],
): RawBuilder<string> {
  const list = JSON.stringify(values);
  return db.getExecutor().adapter instanceof SqliteAdapter
    ? sql<string>`(select value from json_each(${list}))`
    : sql<string>`(select jsonb_array_elements_text(${list}::jsonb))`;
}
