import { type RawBuilder, sql } from 'kysely';
import { isAfter } from '../../http/paging.ts';
import { invalidField } from '../../problems/api-error.ts';
import { unknownCursor } from '../lists.ts';
import type { VectorStoreList } from './vector-store-requests.ts';

interface Cursor {
  readonly created_at: number;
  readonly id: string;
}

interface PageReader<Row> {
  /** Name of the column with the id, which is also the cursor. */
  readonly idColumn: string;
  /** Returns an item of the list. */
  readonly find: (id: string) => Promise<Cursor | undefined>;
  /** Returns the first `limit` rows in this order for which the condition holds. */
  readonly select: (
    condition: RawBuilder<boolean>,
    order: 'asc' | 'desc',
    limit: number,
  ) => Promise<Row[]>;
}

/**
 * Reads a page after the item `after`, or before the item `before`, of a list that is sorted by time
 * and id.
 *
 * @returns The rows of the page, and one more if another page follows in the same direction.
 * @throws ApiError `VALIDATION_ERROR` for an item that is not in the list.
 */
export async function readPage<Row>(
  { limit, order, after, before }: VectorStoreList,
  { idColumn, find, select }: PageReader<Row>,
): Promise<Row[]> {
  const opposite = order === 'asc' ? 'desc' : 'asc';
  const beyond = async (id: string | undefined, name: 'after' | 'before') => {
    if (id === undefined) return isAfter('created_at', null);
    const item = await find(id);
    if (!item) {
      throw name === 'after'
        ? unknownCursor()
        : invalidField('/query/before', 'must be the id of an item of this list');
    }
    const position = { at: Number(item.created_at), id: item.id };
    return isAfter('created_at', position, name === 'after' ? order : opposite, idColumn);
  };
  const condition = sql<boolean>`${await beyond(after, 'after')} and ${await beyond(before, 'before')}`;
  if (after !== undefined || before === undefined) return select(condition, order, limit + 1);
  // The page ends at `before`, so that it is read backwards.
  const rows = await select(condition, opposite, limit + 1);
  return [...rows.slice(0, limit).reverse(), ...rows.slice(limit)];
}
