import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { createPostgresStore } from '../store/postgres-store.ts';
import { createSqliteStore } from '../store/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import type {} from './services/shared-postgres.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Returns the words that are found in the bytes of a store: in the files of the embedded one, or in a
 * dump of the PostgreSQL database.
 *
 * @param data Directory of the embedded store.
 */
export async function wordsInStore(
  store: Store,
  data: string,
  words: readonly string[],
): Promise<string[]> {
  const bytes =
    inject('postgres') === undefined
      ? Buffer.concat(filesIn(data).map((path) => readFileSync(path)))
      : execFileSync('pg_dump', [await databaseUrl(store)], { maxBuffer: 2 ** 30 });
  // A dump has the contents of files in hexadecimal.
  return words.filter(
    (word) => bytes.includes(word) || bytes.includes(Buffer.from(word).toString('hex')),
  );
}

/** Returns the URL of the database of a test. */
async function databaseUrl({ db }: Store): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const url = new URL(inject('postgres') ?? '');
  url.pathname = rows[0]?.name ?? '';
  return url.href;
}

/**
 * Makes a backup of a store, as docs/storage.md describes it.
 *
 * @param data Directory of the embedded store.
 * @returns A function that restores the backup, and returns the other store with its directory.
 */
export async function backUp(
  store: Store,
  data: string,
): Promise<() => Promise<{ store: Store; data: string }>> {
  const copy = temporaryFolder();
  if (inject('postgres') === undefined) {
    await sql`vacuum into ${join(copy, 'inlay.db')}`.execute(store.db);
    cpSync(join(data, 'files'), join(copy, 'files'), { recursive: true });
    return async () => ({ store: await createSqliteStore({ data: copy }), data: copy });
  }
  const url = await databaseUrl(store);
  const dump = join(copy, 'dump');
  execFileSync('pg_dump', ['--format=custom', `--file=${dump}`, url]);
  return async () => {
    const restored = `${url}_restored`;
    execFileSync('createdb', [`--maintenance-db=${url}`, new URL(restored).pathname.slice(1)]);
    execFileSync('pg_restore', [`--dbname=${restored}`, dump]);
    const log = createLogger(Date.now, () => {});
    return { store: await createPostgresStore({ url: restored, log }), data: copy };
  };
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
