import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { dayMs } from '../../clock.ts';
import { ApiError } from '../../problems/api-error.ts';
import type { ServiceOptions } from '../../service-options.ts';
import type { Schema, VectorStoresTable } from '../../store/schema.ts';

export type VectorStoreRow = Selectable<VectorStoresTable>;

/**
 * Locks a vector store, so that its counts and files change together.
 *
 * @throws ApiError `NOT_FOUND`
 */
export async function lockStore(
  transaction: Transaction<Schema>,
  id: string,
): Promise<VectorStoreRow> {
  const row = await transaction
    .selectFrom('vector_stores')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw vectorStoreNotFound(id);
  return row;
}

/** Sets the time of the last activity, which postpones the expiry, unless the files were removed. */
export async function touch(db: Kysely<Schema>, id: string, now: number): Promise<void> {
  await db
    .updateTable('vector_stores')
    .set({
      last_active_at: now,
      expires_at: sql`cast(${now} as bigint) + expires_days * cast(${dayMs} as bigint)`,
    })
    .where('id', '=', id)
    .where('is_expired', '=', 0)
    .execute();
}

/** Returns the bytes of all vector stores together. */
export async function usedBytes(db: ServiceOptions['store']['db']): Promise<number> {
  const { sum } = await db
    .selectFrom('vector_stores')
    .select(({ fn }) => fn.sum('usage_bytes').as('sum'))
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}

/** @throws ApiError `VALIDATION_ERROR` for an expired vector store. */
export function requireActive(row: VectorStoreRow, now: number): void {
  if (!hasExpired(row, now)) return;
  throw new ApiError(
    'VALIDATION_ERROR',
    `The vector store \`${row.id}\` has expired, and its files were removed. Create another one.`,
    { familyCode: 'vector_store_expired', param: 'vector_store_id' },
  );
}

export function hasExpired(row: VectorStoreRow, now: number): boolean {
  return row.expires_at !== null && Number(row.expires_at) <= now;
}

export const seconds = (milliseconds: number) => Math.floor(Number(milliseconds) / 1000);

export function vectorStoreNotFound(id: string): ApiError {
  return new ApiError('NOT_FOUND', `There is no vector store \`${id.slice(0, 100)}\`.`, {
    familyCode: 'vector_store_not_found',
    param: 'vector_store_id',
  });
}
