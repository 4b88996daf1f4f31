import type { Compilable, CompiledQuery, Insertable, Kysely } from 'kysely';
import type { Schema } from './schema.ts';

type Db = Kysely<Schema>;

/** Batch sizes that have a statement each; a statement for every size would be too many. */
const sizes = [64, 32, 16, 8, 4, 2, 1] as const;

/**
 * Builds and compiles a query once per database engine, because that costs more than running it.
 *
 * @param build Builds the query, with any values: they are only placeholders.
 * @returns A function that takes the actual values in the same order. It throws a `RangeError` if
 *   their number differs.
 */
export function prepare<Row>(
  build: (db: Db) => Compilable<Row>,
): (db: Db, ...values: (string | number | null)[]) => Promise<Row[]> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return async (db, ...values) => {
    // A database and its transactions share the adapter.
    const engine = db.getExecutor().adapter;
    const query = compiled.get(engine) ?? build(db).compile();
    compiled.set(engine, query);
    if (values.length !== query.parameters.length) {
      throw new RangeError(`${values.length} values for ${query.parameters.length} placeholders.`);
    }
    const boundQuery: CompiledQuery<Row> = { ...query, parameters: values };
    return (await db.executeQuery(boundQuery)).rows;
  };
}

/**
 * Builds and compiles a query for lists of values once per batch size, because that costs more than
 * running it.
 *
 * @param build Builds the query for a number of items, with any values: they are only placeholders.
 * @param valuesOf Returns the actual values for some items, in the order of the placeholders.
 */
export function prepareBySize<Row, Item>(
  build: (size: number) => Compilable<Row>,
  valuesOf: (items: readonly Item[]) => readonly unknown[],
): (db: Db, items: readonly Item[]) => Promise<Row[]> {
  const compiled = new Map<number, CompiledQuery<Row>>();
  return async (db, items) => {
    const rows: Row[] = [];
    for (let index = 0; index < items.length; ) {
      const size = sizes.find((candidate) => candidate <= items.length - index) ?? 1;
      const query = compiled.get(size) ?? build(size).compile();
      compiled.set(size, query);
      const parameters = valuesOf(items.slice(index, index + size));
      const boundQuery: CompiledQuery<Row> = { ...query, parameters };
      for (const row of (await db.executeQuery(boundQuery)).rows) rows.push(row);
      index += size;
    }
    return rows;
  };
}

/** Inserts rows with the given columns into a table, with statements that are compiled once. */
export function prepareInsert<
  Table extends keyof Schema & string,
  Column extends keyof Insertable<Schema[Table]> & string,
>(
  db: Db,
  table: Table,
  columns: readonly Column[],
): (db: Db, rows: readonly Record<Column, string | number | null>[]) => Promise<unknown> {
  const placeholders = Object.fromEntries(columns.map((column) => [column, null]));
  return prepareBySize(
    (size) =>
      db.insertInto(table).values(Array.from({ length: size }, () => placeholders as never)),
    (rows) => rows.flatMap((row) => columns.map((column) => row[column])),
  );
}
