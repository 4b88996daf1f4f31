import { createHash } from 'node:crypto';
import type { Compilable, CompiledQuery, Insertable, Kysely, RawBuilder } from 'kysely';
import type { Schema } from './schema.ts';

type Db = Kysely<Schema>;

/** Batch sizes that have a statement each; a statement for every size would be too many. */
const sizes = [64, 32, 16, 8, 4, 3, 2, 1] as const;

/** Names of the compiled queries by their SQL. */
const names = new Map<string, string>();

/**
 * The name under which PostgreSQL keeps the plan of a query, once per connection; undefined for queries
 * that were not built by this module, because their number is not bounded.
 */
export function statementNameOf(sql: string): string | undefined {
  return names.get(sql);
}

/**
 * @throws Error For a query that selects all columns: PostgreSQL rejects its plan once a newer version
 *   of the server has added a column.
 */
function compileOnce<Row>(query: Compilable<Row>): CompiledQuery<Row> {
  const compiled = query.compile();
  if (names.has(compiled.sql)) return compiled;
  if (/(select|returning|\.|,) ?\*/.test(compiled.sql)) {
    throw new Error(`A prepared query must name its columns: ${compiled.sql}`);
  }
  // A hash, so that the processes behind one connection pooler use a name for the same query.
  const hash = createHash('sha256').update(compiled.sql).digest('base64url').slice(0, 24);
  names.set(compiled.sql, `inlay_${hash}`);
  return compiled;
}

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
    const query = compiled.get(engine) ?? compileOnce(build(db));
    compiled.set(engine, query);
    if (values.length !== query.parameters.length) {
      throw new RangeError(`${values.length} values for ${query.parameters.length} placeholders.`);
    }
    const boundQuery: CompiledQuery<Row> = { ...query, parameters: values };
    return (await db.executeQuery(boundQuery)).rows;
  };
}

/**
 * Runs a query whose SQL is one of few, whatever its values are, so that PostgreSQL plans it once per
 * connection.
 */
export async function executeNamed<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  return (await db.executeQuery(compileOnce({ compile: () => query.compile(db) }))).rows;
}

/**
 * Builds and compiles a query for lists of values once per batch size and database engine, because that
 * costs more than running it.
 *
 * @param build Builds the query for a number of items, with any values: they are only placeholders.
 * @param valuesOf Returns the actual values for some items, in the order of the placeholders.
 */
export function prepareBySize<Row, Item>(
  build: (size: number, db: Db) => Compilable<Row>,
  valuesOf: (items: readonly Item[]) => readonly unknown[],
): (db: Db, items: readonly Item[]) => Promise<Row[]> {
  const compiled = new WeakMap<object, Map<number, CompiledQuery<Row>>>();
  return async (db, items) => {
    const engine = db.getExecutor().adapter;
    const bySize = compiled.get(engine) ?? new Map<number, CompiledQuery<Row>>();
    compiled.set(engine, bySize);
    const rows: Row[] = [];
    for (let index = 0; index < items.length; ) {
      const size = sizes.find((candidate) => candidate <= items.length - index) ?? 1;
      const query = bySize.get(size) ?? compileOnce(build(size, db));
      bySize.set(size, query);
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
  table: Table,
  columns: readonly Column[],
): (db: Db, rows: readonly Record<Column, string | number | null>[]) => Promise<unknown> {
  const placeholders = Object.fromEntries(columns.map((column) => [column, null]));
  return prepareBySize(
    (size, db) =>
      db.insertInto(table).values(Array.from({ length: size }, () => placeholders as never)),
    (rows) => rows.flatMap((row) => columns.map((column) => row[column])),
  );
}
