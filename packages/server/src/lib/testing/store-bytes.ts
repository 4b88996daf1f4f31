import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { inject } from 'vitest';
import type { Store } from '../store/store.ts';
import type {} from './services/shared-postgres.ts';

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
export async function databaseUrl({ db }: Store): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const url = new URL(inject('postgres') ?? '');
  url.pathname = rows[0]?.name ?? '';
  return url.href;
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
