import { sql, type Transaction } from 'kysely';
import Database from 'libsql';
import { ConfigError } from '../config/parse-config.ts';
import { insertTexts } from '../events/search-index.ts';
import type { Logger } from '../log/logger.ts';
import { createDirectoryBlobs } from './blobs.ts';
import { type CopiedContents, copyContents } from './copy-contents.ts';
import { isCurrent } from './migrate.ts';
import { migratePostgres, readIfPresent } from './migrate-postgres.ts';
import { openPostgres } from './open-postgres.ts';
import { lockStore } from './open-store.ts';
import type { Schema } from './schema.ts';
import { databaseOf, filesOf } from './sqlite-store.ts';

/** Maximum rows of a statement. With the columns of each table, PostgreSQL allows 65,535 values. */
const maximumRows = 500;
/** Characters and bytes of values, about, after which a statement has enough rows. */
const maximumSize = 4_000_000;

type Row = Record<string, string | number | null | ArrayBuffer>;

export interface Copy extends CopiedContents {
  /** Numbers of copied rows, by table. */
  readonly rows: Readonly<Record<string, number>>;
}

/**
 * Copies an embedded store to an empty PostgreSQL database, in one transaction: after an interruption, the
 * database is empty. No server may use the two.
 *
 * @param options.data Directory of the store.
 * @param options.url URL of the database. Its tables are created if they do not exist.
 * @throws ConfigError If a server uses the store, the store or the database has the tables of another
 *   version, or the database has rows.
 */
export async function copyToPostgres(options: {
  readonly data: string;
  readonly url: string;
  readonly log: Logger;
}): Promise<Copy> {
  const { data, url, log } = options;
  const lock = lockStore({ data, databaseUrl: null });
  const source = new Database(databaseOf(data));
  // Without timeouts, because a copy takes as long as it takes.
  const limits = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 };
  const db = openPostgres({ url, size: 1, limits, log });
  try {
    source.pragma('query_only = on');
    // All statements of a transaction read the same state.
    source.exec('begin');
    if (!isCurrent(namesIn(source, 'select name from migrations'))) {
      throw new ConfigError(
        `The store in ${data} has the tables of another version. Run \`inlay-server migrate\` with this version first, or this command with the version that wrote the store.`,
      );
    }
    const done = await readIfPresent(db);
    if (done.length === 0) await migratePostgres(options);
    else if (!isCurrent(done)) {
      throw new ConfigError(
        'The PostgreSQL database has the tables of another version. Name a new database: this command creates its tables.',
      );
    }
    return await db
      .transaction()
      .setIsolationLevel('read committed')
      .execute((target) => copyAll(source, target, data));
  } finally {
    await db.destroy();
    if (source.inTransaction) source.exec('rollback');
    source.close();
    await lock?.close();
  }
}

async function copyAll(source: Database.Database, target: Transaction<Schema>, data: string) {
  const tables = await tablesOf(target);
  const names = tables.map(({ name }) => name);
  const stored = storedTables(source);
  if (JSON.stringify(names) !== JSON.stringify(stored)) {
    throw new Error(`The databases have different tables: ${names} and ${stored}.`);
  }
  // Without a lock, because this may be the database of a running server.
  await requireEmpty(target, names);
  // A server that starts meanwhile cannot write.
  await sql`lock table ${sql.join(names.map((name) => sql.table(name)))} in exclusive mode`.execute(
    target,
  );
  await requireEmpty(target, names);
  const rows: Record<string, number> = {};
  for (const { name, columns } of tables) {
    await (copyDerived[name] ?? copyRows)(source, target, { name, columns });
    const [expected, actual] = [countIn(source, name), await countOf(target, name)];
    if (actual !== expected) {
      throw new Error(`${name} has ${actual} rows in the copy, and ${expected} in the store.`);
    }
    rows[name] = actual;
  }
  return { rows, ...(await copyContents(target, createDirectoryBlobs(filesOf(data)))) };
}

interface Table {
  readonly name: string;
  /** Sorted. */
  readonly columns: readonly string[];
}

/** Returns the tables of the database, without the list of its migrations. */
async function tablesOf(target: Transaction<Schema>): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select table_name as name, array_agg(column_name::text order by column_name) as columns
    from information_schema.columns
    where table_schema = current_schema() and table_name <> 'migrations'
    group by table_name`.execute(target);
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the names of the tables of a store, without those that SQLite creates for its full-text indexes. */
function storedTables(source: Database.Database): string[] {
  const indexes = namesIn(
    source,
    `select name from sqlite_master where sql like 'create virtual table%'`,
  );
  const isOfIndex = (table: string) =>
    indexes.some((index) => table === index || table.startsWith(`${index}_`));
  return namesIn(
    source,
    `select name from sqlite_master
      where type = 'table' and name <> 'migrations' and name not like 'sqlite\\_%' escape '\\'`,
  )
    .filter((name) => !isOfIndex(name))
    .toSorted();
}

async function requireEmpty(target: Transaction<Schema>, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target);
    if (rows.length === 0) continue;
    throw new ConfigError(
      `The PostgreSQL database is not empty: its table ${table} has rows. Name a new database, with which no server was started.`,
    );
  }
}

type CopyTable = (
  source: Database.Database,
  target: Transaction<Schema>,
  table: Table,
) => Promise<void>;

const copyRows: CopyTable = async (source, target, { name, columns }) => {
  const stored = namesIn(source, `select name from pragma_table_info('${name}')`).toSorted();
  if (JSON.stringify(stored) !== JSON.stringify(columns)) {
    throw new Error(`${name} has different columns: ${columns} and ${stored}.`);
  }
  const into = sql.join(columns.map((column) => sql.ref(column)));
  for (const rows of batchesOf(source, `select * from ${name}`)) {
    const values = rows.map(
      (row) => sql`(${sql.join(columns.map((column) => toParameter(row[column])))})`,
    );
    await sql`insert into ${sql.table(name)} (${into}) values ${sql.join(values)}`.execute(target);
  }
};

/** Tables with a full-text index, which the two databases have in different forms. */
const copyDerived: Readonly<Record<string, CopyTable>> = {
  async session_texts(source, target) {
    const texts = `select session_id, seq, text, coalesce(agent_id, '') as agent_id,
        coalesce(external_user_id, '') as external_user_id
      from session_texts left join sessions on sessions.id = session_id`;
    for (const rows of batchesOf(source, texts)) {
      for (const { session_id, seq, text, agent_id, external_user_id } of rows) {
        const owner = { agent_id: `${agent_id}`, external_user_id: `${external_user_id}` };
        const row = { session_id: `${session_id}`, seq: Number(seq), text: `${text}` };
        await insertTexts(target, owner, [row]);
      }
    }
  },
  async vector_store_chunks(source, target) {
    const { insertChunks } = await import('../optional-services.ts');
    // The ids are new, in the same order.
    for (const rows of batchesOf(source, 'select * from vector_store_chunks order by id')) {
      const chunks = rows.map((row) => ({
        vectorStoreId: `${row.vector_store_id}`,
        documentId: `${row.document_id}`,
        part: Number(row.part),
        overlap: Number(row.overlap),
        text: `${row.text}`,
        vector: row.vector instanceof ArrayBuffer ? new Uint8Array(row.vector) : null,
        vectorModel: row.vector_model === null ? null : `${row.vector_model}`,
      }));
      await insertChunks(target, chunks);
    }
  },
};

/** Reads the rows of a query in batches of bounded size. */
function* batchesOf(source: Database.Database, query: string): Generator<Row[]> {
  let rows: Row[] = [];
  let size = 0;
  for (const row of source.prepare(query).iterate() as Iterable<Row>) {
    rows.push(row);
    for (const value of Object.values(row)) size += sizeOf(value);
    if (rows.length < maximumRows && size < maximumSize) continue;
    yield rows;
    rows = [];
    size = 0;
  }
  if (rows.length > 0) yield rows;
}

function sizeOf(value: Row[string]): number {
  if (typeof value === 'string') return value.length;
  return value instanceof ArrayBuffer ? value.byteLength : 0;
}

function toParameter(value: Row[string] | undefined) {
  return value instanceof ArrayBuffer ? Buffer.from(value) : value;
}

function namesIn(source: Database.Database, query: string): string[] {
  return (source.prepare(query).all() as { name: string }[]).map(({ name }) => name);
}

function countIn(source: Database.Database, table: string): number {
  return (source.prepare(`select count(*) as count from ${table}`).get() as { count: number })
    .count;
}

async function countOf(target: Transaction<Schema>, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(target);
  return rows[0]?.count ?? 0;
}
