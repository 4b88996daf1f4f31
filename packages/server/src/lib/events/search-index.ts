import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, type SqlBool, SqliteAdapter, sql } from 'kysely';
import { inList } from '../store/in-list.ts';
import { executeNamed } from '../store/prepared.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { queryTerms, termsOf } from './search-terms.ts';

/** The end user of a session. */
export type SessionOwner = Pick<SessionsTable, 'agent_id' | 'external_user_id'>;

/** A searchable text, after `foldText`. */
interface SearchableText {
  readonly session_id: string;
  readonly seq: number;
  readonly text: string;
}

/**
 * Maximum UTF-8 bytes of the terms of a text, with and without its user: PostgreSQL's `tsvector` has at
 * most 1 MiB.
 */
const maximumBytes = { ofUser: 800_000, ofAll: 200_000 };

/** The start of all terms for a search of all users' texts. The terms of a user start with hexadecimal digits. */
const wordsPrefix = 'x';
/**
 * Texts by whose ids SQLite's index of all users is divided. SQLite merges the rows of all words that
 * start with a term before it returns the first one, and blocks the process meanwhile.
 */
const textsPerBlock = 4_096;
/** Blocks that one statement searches for terms that few words start with, and for others. */
const blocksPerStatement = { long: 8, short: 1 };
/** UTF-16 code units of a term that few words start with. */
const longTerm = 3;

/** Inserts texts of a session with their terms. */
export async function insertTexts(
  db: Kysely<Schema>,
  owner: SessionOwner,
  rows: readonly SearchableText[],
): Promise<void> {
  for (const { session_id, seq, text } of rows) {
    if (isSqlite(db)) {
      const [row] = await executeNamed(
        db,
        sql<{ id: number }>`
          insert into session_texts (session_id, seq, text, has_words)
          values (${session_id}, ${seq}, ${text}, 1) returning id`,
      );
      const id = Number(row?.id);
      await executeNamed(
        db,
        sql`insert into session_terms (rowid, terms) values (${id}, ${termsOfRow(owner, id, text)})`,
      );
    } else {
      const terms = [...termsOfUser(owner, text), ...termsOfAll(wordsPrefix, text)];
      await executeNamed(
        db,
        sql`
          insert into session_texts (session_id, seq, text, terms, has_words)
          values (${session_id}, ${seq}, ${text}, ${vectorOf(terms)}, 1)`,
      );
    }
  }
}

/**
 * Adds the terms for the search of all users' texts to texts that a process of an earlier version has
 * stored.
 *
 * @param limit Maximum texts.
 * @returns Their number.
 */
export function addMissingWords(store: Pick<Store, 'transaction'>, limit: number): Promise<number> {
  return store.transaction(async (db) => {
    if (!isSqlite(db)) {
      const { rows } = await sql<SearchableText>`
        select session_id, seq, text from session_texts where has_words = 0
        limit ${limit} for update`.execute(db);
      for (const { session_id, seq, text } of rows) {
        await sql`
          update session_texts
          set terms = terms || ${vectorOf(termsOfAll(wordsPrefix, text))}, has_words = 1
          where session_id = ${session_id} and seq = ${seq}`.execute(db);
      }
      return rows.length;
    }
    const { rows } = await sql<{ id: number; text: string } & SessionOwner>`
      select session_texts.id, text, agent_id, external_user_id
      from session_texts left join sessions on sessions.id = session_id
      where has_words = 0 limit ${limit}`.execute(db);
    for (const { id, text, ...owner } of rows) {
      const terms = termsOfRow(owner, id, text);
      await sql`
        insert or replace into session_terms (rowid, terms) values (${id}, ${terms})`.execute(db);
      await sql`update session_texts set has_words = 1 where id = ${id}`.execute(db);
    }
    return rows.length;
  });
}

/** Indexes the texts of a session again, because the session is moved to another owner. */
export async function moveTexts(
  db: Kysely<Schema>,
  sessionId: string,
  owner: SessionOwner,
): Promise<void> {
  const rows = await db
    .deleteFrom('session_texts')
    .where('session_id', '=', sessionId)
    .returning(['session_id', 'seq', 'text'])
    .execute();
  await insertTexts(db, owner, rows);
}

/**
 * SQL condition of the sessions of a user that have a text with words that start with the words of a
 * query. Returns null for a query without letters and digits.
 */
export function hasWords(
  db: Kysely<Schema>,
  owner: SessionOwner,
  query: string,
): RawBuilder<SqlBool> | null {
  const terms = queryTerms([query]).map((term) => scopeOf(owner) + term);
  if (terms.length === 0) return null;
  return isSqlite(db)
    ? sql<SqlBool>`id in (
        select session_texts.session_id from session_terms
        join session_texts on session_texts.id = session_terms.rowid
        where session_terms match ${terms.map((term) => `"${term}" *`).join(' AND ')})`
    : sql<SqlBool>`id in (
        select session_id from session_texts
        where terms @@ cast(${terms.map((term) => `'${term}':*`).join(' & ')} as tsquery))`;
}

/**
 * Finds the texts of all users that have words that start with all of the terms.
 *
 * @param terms Terms of `queryTerms`; at least one.
 * @param limit Maximum texts.
 * @returns The ids of their sessions, or null if there are more texts.
 */
export async function findSessionsWithWords(
  { db }: Pick<Store, 'db'>,
  terms: readonly string[],
  limit: number,
): Promise<string[] | null> {
  if (isSqlite(db)) {
    const ids = await findTextsOnSqlite(db, terms, limit);
    if (ids === null) return null;
    const { rows } = await sql<{ session_id: string }>`
      select distinct session_id from session_texts where id in ${inList(db, ids)}`.execute(db);
    return rows.map((row) => row.session_id);
  }
  const query = terms.map((term) => `'${wordsPrefix}${term}':*`).join(' & ');
  const { rows } = await sql<{ session_id: string }>`
    select session_id from session_texts
    where terms @@ cast(${query} as tsquery) limit ${limit + 1}`.execute(db);
  return rows.length > limit ? null : [...new Set(rows.map((row) => row.session_id))];
}

/** Searches some blocks at a time, the latest first, and handles other requests in between. */
async function findTextsOnSqlite(
  db: Kysely<Schema>,
  terms: readonly string[],
  limit: number,
): Promise<number[] | null> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select min(id) from session_texts) as first,
      (select max(id) from session_texts) as last`.execute(db);
  const { first, last } = rows[0] ?? {};
  const size = terms.every((term) => term.length >= longTerm)
    ? blocksPerStatement.long
    : blocksPerStatement.short;
  const found: number[] = [];
  for (let id = last ?? -1; id >= (first ?? 0); id -= size * textsPerBlock) {
    const blocks = Array.from({ length: size }, (_, n) => prefixOf(id - n * textsPerBlock));
    const match = blocks
      .map((prefix) => `(${terms.map((term) => `"${prefix}${term}" *`).join(' AND ')})`)
      .join(' OR ');
    const texts = await sql<{ id: number }>`
      select rowid as id from session_terms
      where session_terms match ${match} limit ${limit + 1}`.execute(db);
    for (const text of texts.rows) found.push(text.id);
    if (found.length > limit) return null;
    await nextTurn();
  }
  return found;
}

function isSqlite(db: Kysely<Schema>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

/** The terms of a row of SQLite's index. */
function termsOfRow(owner: SessionOwner, id: number, text: string): string {
  return [...termsOfUser(owner, text), ...termsOfAll(prefixOf(id), text)].join(' ');
}

/** A `tsvector` of terms, without PostgreSQL's parser, which splits words differently in each locale. */
function vectorOf(terms: readonly string[]) {
  return sql`array_to_tsvector(
    array(select jsonb_array_elements_text(${JSON.stringify(terms)}::jsonb)))`;
}

function termsOfUser(owner: SessionOwner, text: string): string[] {
  return distinctTerms(scopeOf(owner), text, maximumBytes.ofUser);
}

function termsOfAll(prefix: string, text: string): string[] {
  return distinctTerms(prefix, text, maximumBytes.ofAll);
}

/** The distinct terms of a text for the index, as many as fit. */
function distinctTerms(prefix: string, text: string, maximum: number): string[] {
  let bytes = 0;
  return [...new Set(termsOf(text))]
    .map((term) => prefix + term)
    .filter((term) => {
      bytes += Buffer.byteLength(term);
      return bytes <= maximum;
    });
}

/** The start of the terms of all users in the block of a text. */
function prefixOf(id: number): string {
  const block = Math.max(0, Math.floor(id / textsPerBlock));
  return wordsPrefix + block.toString(16).padStart(8, '0');
}

/**
 * The start of all terms of a user, in hexadecimal. A search for the start of a word then reads only the
 * part of the index that belongs to the user.
 */
function scopeOf({ agent_id, external_user_id }: SessionOwner): string {
  const hash = createHash('sha256').update(`${agent_id} ${external_user_id}`);
  return hash.digest('hex').slice(0, 8);
}
