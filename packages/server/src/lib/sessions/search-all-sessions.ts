import { type Kysely, sql } from 'kysely';
import { findSessionsWithWords } from '../events/search-index.ts';
import { hasTerms } from '../events/search-terms.ts';
import { type FilteredPage, readFilteredPage, scanLimit } from '../http/filtered-page.ts';
import { isAfter } from '../http/paging.ts';
import type { Services } from '../services.ts';
import { inList } from '../store/in-list.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import {
  positionOf,
  type ScannedSession,
  type SearchResult,
  scannedColumns,
  scanSessions,
} from './scan-sessions.ts';

/** Texts with the words of a query above which the list is scanned in its order. */
const frequentTexts = 1_000;

/**
 * Searches a list of the sessions of all users for those with a title or message that has words that
 * start with all of the terms. The index finds the sessions of rare words, whose rows are then sorted.
 * Frequent words are soon found in the sessions with the latest activity, so that these are scanned
 * instead, at most `limits.request.search_bytes` of logs in one page.
 *
 * @param terms Terms of `queryTerms`; at least one.
 * @param signal Aborted when the client disconnects.
 */
export async function searchAllSessions(
  { config, store }: Pick<Services, 'config' | 'store'>,
  list: FilteredPage,
  terms: readonly string[],
  signal: AbortSignal,
): Promise<SearchResult> {
  const { db } = store;
  const ids = await findSessionsWithWords(store, terms, frequentTexts);
  if (ids !== null) return listFound(db, list, ids);
  const found = await scanSessions({
    db,
    list: (position, limit) =>
      readFilteredPage<ScannedSession>(db, { ...list, columns: scannedColumns, position, limit }),
    maximumBatch: scanLimit,
    matcher: { parts: terms, isMatch: (text) => hasTerms(text, terms) },
    position: list.position,
    limit: list.limit,
    bytes: config.limits.request.search_bytes,
    takeBytes: async () => {},
    signal,
  });
  const { rows } = await listFound(
    db,
    list,
    found.rows.map(({ id }) => id),
  );
  return { rows, next: found.next };
}

/** Reads those sessions of a list that have one of the ids, at most 1,000. */
async function listFound(
  db: Kysely<Schema>,
  { indexed, filters, visible, position, limit }: FilteredPage,
  ids: readonly string[],
): Promise<SearchResult> {
  const conditions = [
    ...indexed,
    ...filters,
    visible ?? sql`1 = 1`,
    isAfter('active_at', position),
  ];
  // Materialized, so that no condition selects an index with more rows.
  const { rows } = await sql<SessionsTable>`
    with found as materialized (select * from sessions where id in ${inList(db, ids)})
    select * from found where ${sql.join(conditions, sql` and `)}
    order by active_at desc, id desc limit ${limit + 1}`.execute(db);
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? positionOf(shown.at(-1)) : null };
}
