import { createHash } from 'node:crypto';
import { type Kysely, type RawBuilder, type SqlBool, SqliteAdapter, sql } from 'kysely';
import { executeNamed } from '../store/prepared.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import { queryTerms, termsOf } from './search-terms.ts';

/** The end user of a session. */
export type SessionOwner = Pick<SessionsTable, 'agent_id' | 'external_user_id'>;

/** A searchable text, after `foldText`. */
interface SearchableText {
  readonly session_id: string;
  readonly seq: number;
  readonly text: string;
}

/** Maximum UTF-8 bytes of the terms of a text: PostgreSQL's `tsvector` has at most 1 MiB. */
const maximumTermBytes = 800_000;

/** Inserts texts of a session with their terms. */
export async function insertTexts(
  db: Kysely<Schema>,
  owner: SessionOwner,
  rows: readonly SearchableText[],
): Promise<void> {
  for (const { session_id, seq, text } of rows) {
    const terms = indexedTerms(owner, text);
    if (isSqlite(db)) {
      const [row] = await executeNamed(
        db,
        sql<{ id: number }>`
          insert into session_texts (session_id, seq, text)
          values (${session_id}, ${seq}, ${text}) returning id`,
      );
      await executeNamed(
        db,
        sql`insert into session_terms (rowid, terms) values (${row?.id}, ${terms.join(' ')})`,
      );
    } else {
      // Without PostgreSQL's parser, which splits words differently in each locale.
      await executeNamed(
        db,
        sql`
          insert into session_texts (session_id, seq, text, terms)
          values (${session_id}, ${seq}, ${text}, array_to_tsvector(
            array(select jsonb_array_elements_text(${JSON.stringify(terms)}::jsonb))))`,
      );
    }
  }
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

function isSqlite(db: Kysely<Schema>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

/** The distinct terms of a text for the index, as many as fit. */
function indexedTerms(owner: SessionOwner, text: string): string[] {
  const scope = scopeOf(owner);
  let bytes = 0;
  return [...new Set(termsOf(text))]
    .map((term) => scope + term)
    .filter((term) => {
      bytes += Buffer.byteLength(term);
      return bytes <= maximumTermBytes;
    });
}

/**
 * The start of all terms of a user. A search for the start of a word then reads only the part of the
 * index that belongs to the user.
 */
function scopeOf({ agent_id, external_user_id }: SessionOwner): string {
  const hash = createHash('sha256').update(`${agent_id} ${external_user_id}`);
  return hash.digest('hex').slice(0, 8);
}
