import type { Transaction } from 'kysely';
import { isDeleted } from '../store/is-deleted.ts';
import type { Schema } from '../store/schema.ts';

/**
 * Locks the session's row until the transaction ends. Returns false if the session does not exist, or was
 * deleted and waits for the removal of its rows.
 */
export async function lockSession(
  transaction: Transaction<Schema>,
  sessionId: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where(({ not }) => not(isDeleted))
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
