import type { Compilable, CompiledQuery, Insertable, Kysely, QueryResult } from 'kysely';
import type { Schema } from './schema.ts';

type Db = Kysely<Schema>;

/** Runs a query that was compiled before, with values of its own. */
export type Prepared<Row> = (db: Db, values: readonly unknown[]) => Promise<QueryResult<Row>>;

/**
 * A query whose text hangs only on how many values it takes. It is built and compiled once for each
 * number of them, which for a query that runs at every request costs more than running it. `build`
 * makes it for so many values; what it puts into the values' places is thrown away.
 */
export function prepareBySize<Row>(build: (size: number) => Compilable<Row>): {
  of: (size: number) => Prepared<Row>;
} {
  const known = new Map<number, CompiledQuery<Row>>();
  return {
    of(size) {
      const compiled = known.get(size) ?? build(size).compile();
      known.set(size, compiled);
      return (db, parameters) => db.executeQuery({ ...compiled, parameters });
    },
  };
}

/** Inserts rows of one table, all of them with just these columns, by statements compiled once. */
export function prepareInsert<
  Table extends keyof Schema & string,
  Column extends keyof Insertable<Schema[Table]> & string,
>(
  db: Db,
  table: Table,
  columns: readonly Column[],
): (db: Db, rows: readonly Record<Column, string | number | null>[]) => Promise<void> {
  const blank = Object.fromEntries(columns.map((column) => [column, null]));
  const queries = prepareBySize((size) =>
    db.insertInto(table).values(Array.from({ length: size }, () => blank as never)),
  );
  return async (transaction, rows) => {
    if (rows.length === 0) return;
    const values = rows.flatMap((row) => columns.map((column) => row[column]));
    await queries.of(rows.length)(transaction, values);
  };
}
