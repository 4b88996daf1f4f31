import type { LogEvent } from '@inlay/protocol';
import { sql, type Transaction } from 'kysely';
import { dayMs, secondsToNextUtcDay, utcDay } from '../clock.ts';
import { ApiError } from '../problems/api-error.ts';
import { deleteSome } from '../retention/sweep-step.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import { addToDay } from './day-counters.ts';
import { userDay } from './user-counters.ts';

/** Milliseconds after which a daily count is no longer needed. */
const lifetime = 2 * dayMs;

/**
 * Whether an event interrupts a run, or is a result that a run waits for. Such events are accepted
 * even when a quota is used up; otherwise the run would wait forever. Their total size is limited,
 * because each tool call accepts one result.
 */
export function continuesRun({ type }: { readonly type: string }): boolean {
  return (
    type === 'user.interrupt' ||
    type === 'user.custom_tool_result' ||
    type === 'user.tool_confirmation'
  );
}

/**
 * Counts the user's events against `limits.user.message_bytes_per_day`. Call it at the end of the
 * transaction that appends the events, because it locks a row that other requests of the user need.
 *
 * @throws `EMBED_QUOTA_EXCEEDED` with `retry-after`; the transaction is rolled back.
 */
export async function countMessageBytes(
  { clock, config }: Pick<Services, 'clock' | 'config'>,
  transaction: Transaction<Schema>,
  user: { readonly agentId: string; readonly externalUserId: string },
  events: readonly LogEvent[],
): Promise<void> {
  const counted = events.filter(({ type }) => type !== 'user.interrupt');
  if (counted.length === 0) return;
  const bytes = counted.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
  const now = clock.now();
  const total = await addToDay(
    transaction,
    'end_user_days',
    userDay(user, now),
    'message_bytes',
    bytes,
  );
  const maximum = config.limits.user.message_bytes_per_day;
  if ((total !== null && total <= maximum) || counted.every(continuesRun)) return;
  throw new ApiError(
    'EMBED_QUOTA_EXCEEDED',
    `You may send at most ${maximum} bytes of messages in a day. The next day starts at 00:00 UTC.`,
    { retryAfter: secondsToNextUtcDay(now) },
  );
}

/**
 * Deletes a batch of the counts of past days.
 *
 * @returns The number of deleted rows.
 */
export function deleteOldDays({
  store,
  clock,
}: Pick<Services, 'store' | 'clock'>): Promise<number> {
  const isOld = sql`day < ${utcDay(clock.now() - lifetime)}`;
  return deleteSome(store.db, 'end_user_days', ['agent_id', 'external_user_id', 'day'], isOld);
}
