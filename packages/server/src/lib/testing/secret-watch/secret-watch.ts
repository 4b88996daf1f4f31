import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { Kysely } from 'kysely';
import { expect } from 'vitest';
import type { Random } from '../../random.ts';
import type { Schema } from '../../store/schema.ts';

/**
 * What every server of the tests issues, and what it writes down: kept until the end of the suite,
 * when `global-setup.ts` looks for the one in the other. Without that setup nothing is kept.
 */
const folder = process.env.INLAY_SECRET_WATCH;

/** Bytes of the largest file that is kept: databases are far smaller. */
const largestFile = 50_000_000;

/** How credentials look in answers of servers in processes of their own. */
const credential = /\b(?:et_|ec_|vs_|sk-service-)([A-Za-z0-9_-]{20,})/g;

/** One secret, and one piece of what was written: lines of the files that workers leave. */
export interface SecretLine {
  secret: string;
  issuedIn: string;
}
export interface WrittenLine {
  place: string;
  text: string;
}

const known = new Set<string>();
let copies = 0;

/** Notes a secret that must not be found in anything. */
export function watchSecret(secret: string): void {
  if (!folder || known.has(secret)) return;
  known.add(secret);
  keep('secrets', { secret, issuedIn: currentTest() } satisfies SecretLine);
}

/** Notes something that was written where it stays: a log, a table, an answer. */
export function watchWritten(place: string, text: string): void {
  if (!folder || text === '') return;
  keep('written', { place: `${place} of “${currentTest()}”`, text } satisfies WrittenLine);
}

/** Randomness whose credentials are watched: only they have 32 bytes (`newSecret`). */
export function watchedRandom(random: Random): Random {
  return {
    bytes(count) {
      const bytes = random.bytes(count);
      if (count === 32) watchSecret(Buffer.from(bytes).toString('base64url'));
      return bytes;
    },
  };
}

/** Notes the credentials in an answer that is made to bear them, and all of any other answer. */
export function watchAnswer(url: string, status: number, body: string): void {
  if (!folder) return;
  // One that is refused may hold one: tests prove that it is of no use there.
  if (status < 400) watchWritten('the address of a request', url);
  const { pathname } = new URL(url, 'http://test');
  if (status === 200 && /\/embed_tokens(?:\/anonymous)?$|\/embed\/exchange$/.test(pathname)) {
    for (const [, secret] of body.matchAll(credential)) if (secret) watchSecret(secret);
  }
  const isIssue = status === 200 && /"token":|"visitor_secret":/.test(body);
  if (!isIssue) watchWritten(`the answer to ${pathname}`, body);
}

/** Notes every row of every table. */
export async function watchTables(db: Kysely<Schema>): Promise<void> {
  if (!folder) return;
  for (const { name } of await db.introspection.getTables()) {
    const rows = await db
      .selectFrom(name as keyof Schema)
      .selectAll()
      .execute();
    if (rows.length > 0) watchWritten(`the table ${name}`, JSON.stringify(rows));
  }
}

/** Keeps a copy of what lies in a folder that is about to go. */
export function watchFolder(path: string): void {
  if (!folder || !existsSync(path)) return;
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || statSync(file).size > largestFile) continue;
    copies += 1;
    const name = `${process.pid}-${threadId}-${copies}`;
    mkdirSync(join(folder, 'files'), { recursive: true });
    cpSync(file, join(folder, 'files', name));
    keep('files', { name, place: `the file ${entry.name} of “${currentTest()}”` });
  }
}

function keep(kind: 'secrets' | 'written' | 'files', line: object): void {
  if (!folder) return;
  const file = join(folder, `${process.pid}-${threadId}.${kind}`);
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

function currentTest(): string {
  return expect.getState().currentTestName ?? 'a suite';
}
