import type { Compilable, CompiledQuery, Insertable, Kysely } from 'kysely';
import type { Schema } from './schema.ts';

type Db = Kysely<Schema>;

/** Values that a prepared query takes at one time: a text for each number of them would be many. */
const sizes = [64, 32, 16, 8, 4, 2, 1] as const;

/**
 * A query whose text is always the same, built and compiled once for each engine: at every request
 * that would cost more than running it. What `build` puts into the places of values is thrown away;
 * `values` come in their order. Throws a `RangeError` where there are not as many.
 */
export function prepare<Row>(
  build: (db: Db) => Compilable<Row>,
): (db: Db, ...values: (string | number | null)[]) => Promise<Row[]> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return async (db, ...values) => {
    // A database and its transactions have it in common.
    const engine = db.getExecutor().adapter;
    const query = compiled.get(engine) ?? build(db).compile();
    compiled.set(engine, query);
    if (values.length !== query.parameters.length) {
      throw new RangeError(`${values.length} values for ${query.parameters.length} places.`);
    }
    const filled: CompiledQuery<Row> = { ...query, parameters: values };
    return (await db.executeQuery(filled)).rows;
  };
}

/**
 * A query whose text hangs only on how many of something it takes. It is built and compiled once for
 * each of a few sizes, which for a query that runs at every request costs more than running it.
 * `build` makes it for so many; what it puts into the places of values is thrown away.
 */
export function prepareBySize<Row, Item>(
  build: (size: number) => Compilable<Row>,
  valuesOf: (items: readonly Item[]) => readonly unknown[],
): (db: Db, items: readonly Item[]) => Promise<Row[]> {
  const compiled = new Map<number, CompiledQuery<Row>>();
  return async (db, items) => {
    const rows: Row[] = [];
    for (let at = 0; at < items.length; ) {
      const size = sizes.find((one) => one <= items.length - at) ?? 1;
      const query = compiled.get(size) ?? build(size).compile();
      compiled.set(size, query);
      const parameters = valuesOf(items.slice(at, at + size));
      const filled: CompiledQuery<Row> = { ...query, parameters };
      for (const row of (await db.executeQuery(filled)).rows) rows.push(row);
      at += size;
    }
    return rows;
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
): (db: Db, rows: readonly Record<Column, string | number | null>[]) => Promise<unknown> {
  const blank = Object.fromEntries(columns.map((column) => [column, null]));
  return prepareBySize(
    (size) => db.insertInto(table).values(Array.from({ length: size }, () => blank as never)),
    (rows) => rows.flatMap((row) => columns.map((column) => row[column])),
  );
}
