import type { Limits } from '../config/limits.ts';
import { ApiError } from '../problems/api-error.ts';
import type { LockedSession } from './lock-session.ts';

/**
 * Checks that a session's log is below `limits.session.events` and `limits.session.log_bytes`. Do not
 * call it for interrupts, results of pending tool calls, and events that terminate the session, which
 * are allowed beyond these limits.
 *
 * @throws `CONFLICT` if the log is full.
 */
export function checkLogLimits(
  { last_seq, log_bytes }: Pick<LockedSession, 'last_seq' | 'log_bytes'>,
  { session: maximum }: Limits,
): void {
  if (Number(last_seq) < maximum.events && Number(log_bytes) < maximum.log_bytes) return;
  throw new ApiError('CONFLICT', 'This conversation is full. Start a new one.');
}
