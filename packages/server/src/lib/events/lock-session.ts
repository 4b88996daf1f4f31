import type { Transaction } from 'kysely';
import type { Schema } from '../store/schema.ts';

/** Whoever wants to change this session waits until the transaction is over. False where it is gone. */
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
