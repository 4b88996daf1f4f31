import type { Transaction } from 'kysely';
import type { Limits } from '../config/limits.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Schema } from '../store/schema.ts';

/**
 * Checks that a session's log is below `limits.session.events` and `limits.session.log_bytes`. Call
 * it inside the transaction that appends. Do not call it for interrupts, results of pending tool
 * calls, and events that terminate the session, which are allowed beyond these limits.
 *
 * @throws `CONFLICT` if the log is full.
 */
export async function checkLogLimits(
  transaction: Transaction<Schema>,
  sessionId: string,
  { session: maximum }: Limits,
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
  // A session that is about to be created has no row yet.
  if (!row) return;
  if (Number(row.events ?? 0) < maximum.events && Number(row.log_bytes) < maximum.log_bytes) return;
  throw new ApiError('CONFLICT', 'This conversation is full. Start a new one.');
}
