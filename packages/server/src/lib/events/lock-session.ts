import type { Transaction } from 'kysely';
import type { Schema } from '../store/schema.ts';

/**
 * Locks the session's row until the transaction ends. Returns false if the session does not exist.
 */
export async function lockSession(
  transaction: Transaction<Schema>,
  sessionId: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
