import { limits } from '@inlay/protocol';
import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod';
import { invalidField } from '../problems/api-error.ts';
import { queryNumber } from './query-number.ts';

/** Query parameters of a paginated list with this page size. */
export const pageQueryOf = (size: { readonly max: number; readonly default: number }) => ({
  limit: queryNumber({
    minimum: 1,
    maximum: size.max,
    description: 'Number of items in a page.',
    fallback: size.default,
  }).default(size.default),
  page: z.string().optional().describe('`next_page` of the previous page.'),
});

/** Query parameters of lists with the usual page size. */
export const pageQuery = pageQueryOf(limits.page);

/** The end of a page: time (milliseconds since the epoch) and id of its last item. */
export interface Position {
  at: number;
  id: string;
}

/**
 * Encodes a position as a cursor.
 *
 * @param list Name of the list, which is a part of the cursor.
 */
export function encodeCursor(list: string, { at, id }: Position): string {
  return Buffer.from(`${list} ${at} ${id}`).toString('base64url');
}

/**
 * Decodes a cursor.
 *
 * @returns Null without a cursor.
 * @throws ApiError `VALIDATION_ERROR` for anything that `encodeCursor` did not return for this list.
 */
export function decodeCursor(list: string, page: string | undefined): Position | null {
  if (page === undefined) return null;
  const text = Buffer.from(page, 'base64url').toString('utf8');
  const [, name, at, id] = /^(\S+) (\d{1,15}) ([\w.:@-]{1,128})$/.exec(text) ?? [];
  if (name === list && id) return { at: Number(at), id };
  throw invalidField('/query/page', 'must be the `next_page` of a page of this list, unchanged');
}

/**
 * Returns the condition for the rows of a page that is sorted by time and id.
 *
 * @param column Column with the time.
 * @param position End of the previous page; null for the first page.
 * @param order Order of both columns; by default the newest row is first.
 * @param idColumn Column with the id.
 */
export function isAfter(
  column: string,
  position: Position | null,
  order: 'asc' | 'desc' = 'desc',
  idColumn = 'id',
): RawBuilder<boolean> {
  if (!position) return sql<boolean>`1 = 1`;
  const operator = sql.raw(order === 'asc' ? '>' : '<');
  return sql<boolean>`(${sql.ref(column)}, ${sql.ref(idColumn)}) ${operator} (${position.at}, ${position.id})`;
}

/**
 * Converts rows to a page of a list.
 *
 * @param list Name of the list, for its cursors.
 * @param rows The rows of the page, and one more if another page follows.
 * @param timeOf Returns the sort key, in milliseconds. Rows with the same key are sorted by id.
 */
export function toPage<Row extends { id: string }, Item>(
  list: string,
  rows: readonly Row[],
  limit: number,
  timeOf: (row: Row) => number,
  toItem: (row: Row) => Item,
) {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const next = last ? encodeCursor(list, { at: timeOf(last), id: last.id }) : null;
  return { data: shown.map(toItem), next_cursor: next, next_page: next };
}
