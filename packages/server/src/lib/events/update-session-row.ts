import type { LogEvent, LogEventType, SessionStatus } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import type { Schema } from '../store/schema.ts';
import { fileIdsOf } from './file-ids.ts';
import { foldText, previewOf, searchableText } from './search-text.ts';

/** Details about the appended events. */
interface AppendDetails {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** UTF-8 bytes of the events as JSON. */
  readonly bytes: number;
  /** Maximum UTF-16 code units of a message that are indexed for the search. */
  readonly searchLimit: number;
}

/**
 * Updates the session's row, its search index, and its references to files, after events were
 * appended to the session, which the transaction has locked or created.
 */
export async function updateSessionRow(
  transaction: Transaction<Schema>,
  sessionId: string,
  events: readonly LogEvent[],
  { now, bytes, searchLimit }: AppendDetails,
): Promise<void> {
  const preview = previewOf(events);
  const status = statusAfter(events);
  const termination = events.find((event) => event.type === 'session.status_terminated');
  await transaction
    .updateTable('sessions')
    .set((eb) => ({
      updated_at: now,
      log_bytes: eb('log_bytes', '+', bytes),
      ...(events.some(isActivity) && { active_at: now }),
      ...(preview !== null && { preview: eb.fn.coalesce('preview', eb.val(preview)) }),
      ...(status && { status }),
      ...(termination && { terminated_reason: termination.reason ?? null }),
    }))
    .where('id', '=', sessionId)
    .execute();
  await indexTexts(transaction, sessionId, events, searchLimit);
  await indexFiles(transaction, sessionId, events);
}

/** Replaces the session's title in the search index. */
export async function indexTitle(
  transaction: Transaction<Schema>,
  sessionId: string,
  title: string | null,
): Promise<void> {
  await transaction
    .deleteFrom('session_texts')
    .where('session_id', '=', sessionId)
    .where('seq', '=', 0)
    .execute();
  if (!title) return;
  await transaction
    .insertInto('session_texts')
    .values({ session_id: sessionId, seq: 0, text: foldText(title) })
    .execute();
}

async function indexTexts(
  transaction: Transaction<Schema>,
  sessionId: string,
  events: readonly LogEvent[],
  limit: number,
): Promise<void> {
  const rows = events.flatMap((event) => {
    const text = searchableText(event);
    if (text === null) return [];
    return [{ session_id: sessionId, seq: event.seq, text: foldText(text, limit) }];
  });
  if (rows.length > 0) await transaction.insertInto('session_texts').values(rows).execute();
}

async function indexFiles(
  transaction: Transaction<Schema>,
  sessionId: string,
  events: readonly LogEvent[],
): Promise<void> {
  const ids = new Set(events.flatMap(fileIdsOf));
  if (ids.size === 0) return;
  await transaction
    .insertInto('session_files')
    .values([...ids].map((id) => ({ session_id: sessionId, file_id: id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const activityTypes: ReadonlySet<LogEventType> = new Set([
  'user.message',
  'user.card_action',
  'agent.message',
  'agent.card',
]);

function isActivity(event: LogEvent): boolean {
  return activityTypes.has(event.type);
}

const statusOf: Partial<Record<LogEventType, SessionStatus>> = {
  'session.status_running': 'running',
  'session.status_idle': 'idle',
  'session.status_rescheduled': 'rescheduling',
  'session.status_terminated': 'terminated',
};

function statusAfter(events: readonly LogEvent[]): SessionStatus | undefined {
  const last = events.findLast((event) => statusOf[event.type]);
  return last && statusOf[last.type];
}
