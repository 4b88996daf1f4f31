import { limits } from '@inlay/protocol';
import * as z from 'zod';
import { invalidField } from '../problems/api-error.ts';

/** `limit` and `page` of a list whose pages hold so many items. */
export const pageQueryOf = (size: { readonly max: number; readonly default: number }) => ({
  limit: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(size.max, `must be at most ${size.max}`)
    .default(size.default)
    .describe('How many items a page holds.'),
  page: z.string().optional().describe('`next_page` of the page before, unchanged.'),
});

/** The same for a list that is read newest first. */
export const pageQuery = pageQueryOf(limits.page);

/** Where a page ended: the time and id of its last item. */
export interface Position {
  at: number;
  id: string;
}

/** The cursor of a page that ends here. */
export function writePosition({ at, id }: Position): string {
  return Buffer.from(`${at} ${id}`).toString('base64url');
}

/** Reads what `writePosition` wrote. Throws a problem for anything else. */
export function readPosition(page: string | undefined): Position | null {
  if (page === undefined) return null;
  const text = Buffer.from(page, 'base64url').toString('utf8');
  const match = /^(\d{1,15}) ([\w-]{1,100})$/.exec(text);
  if (match?.[2]) return { at: Number(match[1]), id: match[2] };
  throw invalidField('/query/page', 'must be the `next_page` of a page, unchanged');
}

/**
 * Makes a page of rows that were read with one more than `limit`, to learn whether more follow.
 * `timeOf` is what they are sorted by, and by their id where that is the same.
 */
export function toPage<Row extends { id: string }, Item>(
  rows: readonly Row[],
  limit: number,
  timeOf: (row: Row) => number,
  toItem: (row: Row) => Item,
) {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const next = last ? writePosition({ at: timeOf(last), id: last.id }) : null;
  return { data: shown.map(toItem), next_cursor: next, next_page: next };
}
