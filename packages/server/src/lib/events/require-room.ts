import type { Transaction } from 'kysely';
import type { Limits } from '../config/limits.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Schema } from '../store/schema.ts';

/**
 * Throws `CONFLICT` where the log of a session has as many events or bytes as a log may have. Inside
 * the transaction that wants to append. Interrupts, answers to calls that wait, and what ends the session are exempt.
 */
export async function requireRoom(
  transaction: Transaction<Schema>,
  sessionId: string,
  { session: most }: Limits,
): Promise<void> {
  const row = await transaction
    .selectFrom('sessions')
    .select((eb) => [
      'log_bytes',
      eb
        .selectFrom('events')
        .select(({ fn }) => fn.max('seq').as('seq'))
        .where('session_id', '=', sessionId)
        .as('events'),
    ])
    .where('id', '=', sessionId)
    .executeTakeFirst();
  // A session that is just being created has no row yet, and room.
  if (!row) return;
  if (Number(row.events ?? 0) < most.events && Number(row.log_bytes) < most.log_bytes) return;
  throw new ApiError('CONFLICT', 'This conversation is full. Start a new one.');
}
