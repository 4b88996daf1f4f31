import type { LogEvent } from '@inlay/protocol';
import { sql, type Transaction } from 'kysely';
import type { Services } from '../deps.ts';
import { secondsToNextUtcDay, utcDay } from '../ports/clock.ts';
import { ApiError } from '../problems/api-error.ts';
import { deleteSome } from '../retention/delete-old-rows.ts';
import type { Schema } from '../store/schema.ts';

/** Milliseconds after which the count of a day cannot be asked for any more. */
const memory = 2 * 86_400_000;

/**
 * Whether an event stops a run, or is what a run waits for. It is accepted whatever was used up: a
 * run would wait for ever, and each call takes one answer, whose size is bounded.
 */
export function continuesRun({ type }: { readonly type: string }): boolean {
  return (
    type === 'user.interrupt' ||
    type === 'user.custom_tool_result' ||
    type === 'user.tool_confirmation'
  );
}

/**
 * Counts what an end user sends against `limits.user.message_bytes_per_day`. Inside the transaction
 * that appends it, last, because other requests of the same user wait for this row.
 *
 * @throws `EMBED_QUOTA_EXCEEDED` with `retry-after`, which undoes the transaction.
 */
export async function takeMessageBytes(
  { clock, config }: Pick<Services, 'clock' | 'config'>,
  transaction: Transaction<Schema>,
  user: { readonly agentId: string; readonly externalUserId: string },
  events: readonly LogEvent[],
): Promise<void> {
  const counted = events.filter(({ type }) => type !== 'user.interrupt');
  if (counted.length === 0) return;
  const bytes = counted.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
  const now = clock.now();
  const row = await transaction
    .insertInto('end_user_days')
    .values({
      agent_id: user.agentId,
      external_user_id: user.externalUserId,
      day: utcDay(now),
      message_bytes: bytes,
    })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'external_user_id', 'day']).doUpdateSet((eb) => ({
        message_bytes: eb('end_user_days.message_bytes', '+', bytes),
      })),
    )
    .returning('message_bytes')
    .executeTakeFirstOrThrow();
  const most = config.limits.user.message_bytes_per_day;
  if (Number(row.message_bytes) <= most || counted.every(continuesRun)) return;
  throw new ApiError(
    'EMBED_QUOTA_EXCEEDED',
    `You may send at most ${most} bytes of messages in a day. The next one begins at 00:00 UTC.`,
    { retryAfter: secondsToNextUtcDay(now) },
  );
}

/** Deletes some of the counts of days that are over. Returns how many rows that were. */
export function deleteOldDays({
  store,
  clock,
}: Pick<Services, 'store' | 'clock'>): Promise<number> {
  const isOld = sql`day < ${utcDay(clock.now() - memory)}`;
  return deleteSome(store.db, 'end_user_days', ['agent_id', 'external_user_id', 'day'], isOld);
}
