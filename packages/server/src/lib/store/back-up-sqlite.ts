import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Kysely, SqliteDialect, sql } from 'kysely';
import Database from 'libsql';
import { ConfigError } from '../config/parse-config.ts';
import { type Blobs, createDirectoryBlobs } from './blobs.ts';
import { createDatabaseBlobs } from './database-blobs.ts';
import type { Schema } from './schema.ts';
import { openSqlite } from './sqlite.ts';
import { databaseOf, filesOf } from './sqlite-store.ts';

/** Milliseconds that the copy waits for another process. */
const busyTimeout = 5_000;

export interface Backup {
  /** Size of the backup in bytes. */
  readonly bytes: number;
  /** Number of files whose contents were copied. */
  readonly files: number;
  /** Number of files without a content in the store. */
  readonly missing: number;
}

/**
 * Copies an embedded store to one file, which is a store without a directory of files. A server may use
 * the store meanwhile. The store is not migrated, so that a newer version can make the backup before an
 * upgrade.
 *
 * @param data Directory of the store.
 * @param file Path of the backup. Until it is complete, it is in `file` with the suffix `.part`.
 * @throws ConfigError If the file exists already, or another backup is writing it.
 */
export async function backUpSqlite(data: string, file: string): Promise<Backup> {
  if (existsSync(file)) {
    throw new ConfigError(`${file} exists already. Name a file that does not exist.`);
  }
  const partial = `${file}.part`;
  await createEmpty(partial);
  try {
    copyDatabase(databaseOf(data), partial);
    const copied = await addContents(partial, createDirectoryBlobs(filesOf(data)));
    const bytes = await syncToDisk(partial);
    await rename(partial, file);
    return { ...copied, bytes };
  } finally {
    for (const suffix of ['', '-wal', '-shm']) await rm(`${partial}${suffix}`, { force: true });
  }
}

/** Creates a file that only this user can read. */
async function createEmpty(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
    throw new ConfigError(
      `${path} exists: another backup is writing this file, or was interrupted. Wait for its end, or delete the file.`,
      { cause },
    );
  }
}

/** Copies a consistent state of the database. Writes of other processes continue. */
function copyDatabase(from: string, to: string): void {
  const database = new Database(from);
  try {
    database.pragma(`busy_timeout = ${busyTimeout}`);
    database.prepare('vacuum into ?').run(to);
  } finally {
    database.close();
  }
}

/** Adds the contents of the files that the copy refers to. */
async function addContents(
  path: string,
  contents: Blobs,
): Promise<Pick<Backup, 'files' | 'missing'>> {
  const database = openSqlite(path, { synchronous: 'normal' });
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  try {
    const added = createDatabaseBlobs(db);
    const { rows } = await sql<{ id: string; is_stored: number }>`
      select id, exists (select 1 from blob_pieces where file_id = id) as is_stored
      from (${completeFiles}) as files`.execute(db);
    let missing = 0;
    for (const { id, is_stored: isStored } of rows) {
      if (!isStored && !(await copyContent(id, contents, added))) missing += 1;
    }
    return { files: rows.length - missing, missing };
  } finally {
    await db.destroy();
  }
}

/** Query of the ids of all files whose contents are complete. */
export const completeFiles = sql<{ id: string }>`
  select id from files where is_complete = 1
  union all select id from chat_model_files where is_complete = 1`;

/** Copies the content of a file. Returns false if there is none, for example because it was deleted. */
export async function copyContent(id: string, from: Blobs, to: Blobs): Promise<boolean> {
  try {
    const pieces = await from.read(id);
    if (pieces) await to.put(id, pieces);
    return pieces !== null;
  } catch (error) {
    // The file is opened when its first piece is read.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Writes the file to the disk, and returns its size in bytes. */
async function syncToDisk(path: string): Promise<number> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
