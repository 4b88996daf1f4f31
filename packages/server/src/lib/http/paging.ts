import { limits } from '@inlay/protocol';
import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod';
import { invalidField } from '../problems/api-error.ts';

/** Query parameters of a paginated list with this page size. */
export const pageQueryOf = (size: { readonly max: number; readonly default: number }) => ({
  limit: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(size.max, `must be at most ${size.max}`)
    .default(size.default)
    .describe('Number of items in a page.'),
  page: z.string().optional().describe('`next_page` of the previous page.'),
});

/** Query parameters of lists with the usual page size. */
export const pageQuery = pageQueryOf(limits.page);

/** The end of a page: time (milliseconds since the epoch) and id of its last item. */
export interface Position {
  at: number;
  id: string;
}

/** Encodes a position as a cursor. */
export function encodeCursor({ at, id }: Position): string {
  return Buffer.from(`${at} ${id}`).toString('base64url');
}

/**
 * Decodes a cursor.
 *
 * @returns Null without a cursor.
 * @throws ApiError `VALIDATION_ERROR` for anything that `encodeCursor` did not return.
 */
export function decodeCursor(page: string | undefined): Position | null {
  if (page === undefined) return null;
  const text = Buffer.from(page, 'base64url').toString('utf8');
  const match = /^(\d{1,15}) ([\w-]{1,100})$/.exec(text);
  if (match?.[2]) return { at: Number(match[1]), id: match[2] };
  throw invalidField('/query/page', 'must be the `next_page` of a page, unchanged');
}

/**
 * Returns the condition for the rows of a page that is sorted by time and id.
 *
 * @param column Column with the time.
 * @param position End of the previous page; null for the first page.
 * @param order Order of both columns; by default the newest row is first.
 */
export function isAfter(
  column: string,
  position: Position | null,
  order: 'asc' | 'desc' = 'desc',
): RawBuilder<boolean> {
  if (!position) return sql<boolean>`1 = 1`;
  const operator = sql.raw(order === 'asc' ? '>' : '<');
  return sql<boolean>`(${sql.ref(column)}, id) ${operator} (${position.at}, ${position.id})`;
}

/**
 * Converts rows to a page of a list.
 *
 * @param rows The rows of the page, and one more if another page follows.
 * @param timeOf Returns the sort key, in milliseconds. Rows with the same key are sorted by id.
 */
export function toPage<Row extends { id: string }, Item>(
  rows: readonly Row[],
  limit: number,
  timeOf: (row: Row) => number,
  toItem: (row: Row) => Item,
) {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const next = last ? encodeCursor({ at: timeOf(last), id: last.id }) : null;
  return { data: shown.map(toItem), next_cursor: next, next_page: next };
}
