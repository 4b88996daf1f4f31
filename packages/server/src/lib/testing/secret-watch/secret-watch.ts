import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { Kysely } from 'kysely';
import { expect } from 'vitest';
import type { Random } from '../../random.ts';
import type { Schema } from '../../store/schema.ts';

/**
 * Folder for records of everything that the servers of the tests issue and write. At the end of the
 * suite, `global-setup.ts` searches the output for the secrets. Undefined, and nothing is recorded,
 * in runs without that setup.
 */
const folder = process.env.INLAY_SECRET_WATCH;

/** Maximum bytes of a file that is copied; databases of tests are far smaller. */
const maximumFileBytes = 50_000_000;

/** Credentials in responses of servers that run in other processes. */
const credential = /\b(?:et_|ec_|vs_|sk-service-)([A-Za-z0-9_-]{20,})/g;

/** A line of a worker's file of secrets. */
export interface SecretLine {
  secret: string;
  /** Name of the test. */
  issuedIn: string;
}

/** A line of a worker's file of written texts. */
export interface WrittenLine {
  place: string;
  text: string;
}

/** A line of a worker's file of copied files. */
export interface CopiedFile {
  /** Name of the copy. */
  name: string;
  place: string;
}

/** Content of uploaded files, which are as the clients sent them, and can be very large. */
export const contentTable = 'blob_pieces';

const recordedSecrets = new Set<string>();
let copyCount = 0;

/** Records a secret, which servers must not write anywhere. */
export function watchSecret(secret: string): void {
  if (!folder || recordedSecrets.has(secret)) return;
  recordedSecrets.add(secret);
  record('secrets', { secret, issuedIn: currentTest() } satisfies SecretLine);
}

/** Records something that a server wrote: to a log, a table or a response. */
export function watchWritten(place: string, text: string): void {
  if (!folder || text === '') return;
  record('written', { place: `${place} of “${currentTest()}”`, text } satisfies WrittenLine);
}

/**
 * Wraps a source of random bytes, and records the secrets that are made from them: only secrets
 * have 32 bytes (see `newSecret`).
 */
export function watchedRandom(random: Random): Random {
  return {
    bytes(count) {
      const bytes = random.bytes(count);
      if (count === 32) watchSecret(Buffer.from(bytes).toString('base64url'));
      return bytes;
    },
  };
}

/**
 * Records the credentials in a response that issues them, or the whole body of any other response.
 */
export function watchResponse(url: string, status: number, body: string): void {
  if (!folder) return;
  // Some tests send a token in the URL, to check that the request is rejected.
  if (status < 400) watchWritten('the URL of a request', url);
  const { pathname } = new URL(url, 'http://test');
  if (status === 200 && /\/embed_tokens(?:\/anonymous)?$|\/embed\/exchange$/.test(pathname)) {
    for (const [, secret] of body.matchAll(credential)) if (secret) watchSecret(secret);
  }
  const isIssue = status === 200 && /"(?:token|visitor_secret|link)":|"key":"sk-/.test(body);
  if (!isIssue) watchWritten(`the response to ${pathname}`, body);
}

/** Records all rows of all tables, except the content of uploaded files. */
export async function watchTables(db: Kysely<Schema>): Promise<void> {
  if (!folder) return;
  for (const { name } of await db.introspection.getTables()) {
    if (name === contentTable) continue;
    const rows = await db
      .selectFrom(name as keyof Schema)
      .selectAll()
      .execute();
    if (rows.length > 0) watchWritten(`the table ${name}`, JSON.stringify(rows));
  }
}

/** Copies the files of a folder before it is deleted. */
export function watchFolder(path: string): void {
  if (!folder || !existsSync(path)) return;
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || statSync(file).size > maximumFileBytes) continue;
    copyCount += 1;
    const name = `${process.pid}-${threadId}-${copyCount}`;
    mkdirSync(join(folder, 'files'), { recursive: true });
    cpSync(file, join(folder, 'files', name));
    const place = `the file ${entry.name} of “${currentTest()}”`;
    record('files', { name, place } satisfies CopiedFile);
  }
}

function record(kind: 'secrets' | 'written' | 'files', line: object): void {
  if (!folder) return;
  const file = join(folder, `${process.pid}-${threadId}.${kind}`);
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

function currentTest(): string {
  return expect.getState().currentTestName ?? 'a suite';
}
