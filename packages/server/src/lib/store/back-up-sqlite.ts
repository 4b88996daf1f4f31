import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { ConfigError } from '../config/parse-config.ts';
import { type Blobs, createDirectoryBlobs } from './blobs.ts';
import { type CopiedContents, copyContents } from './copy-contents.ts';
import type { Schema } from './schema.ts';
import { openSqlite } from './sqlite.ts';
import { databaseOf, filesOf } from './sqlite-store.ts';

/** Milliseconds that the copy waits for another process. */
const busyTimeout = 5_000;

export interface Backup extends CopiedContents {
  /** Size of the backup in bytes. */
  readonly bytes: number;
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
async function addContents(path: string, contents: Blobs): Promise<CopiedContents> {
  const database = openSqlite(path, { synchronous: 'normal' });
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  try {
    return await copyContents(db, contents);
  } finally {
    await db.destroy();
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
