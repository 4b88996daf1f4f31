import type { LogEvent, LogEventType, SessionOutcome, SessionStatus } from '@inlay/protocol';
import { sql, type Transaction } from 'kysely';
import { prepare } from '../store/prepared.ts';
import type { Schema } from '../store/schema.ts';
import { fileIdsOf } from './file-ids.ts';
import { nextOutcome } from './outcome.ts';
import { lastMessageOf, previewOf } from './preview.ts';
import { insertTexts, type SessionOwner } from './search-index.ts';
import { foldText, searchableText } from './search-text.ts';

/**
 * Changes of a session's row besides those that follow from the appended events. They are written with
 * these, because every update of the row writes a new version of it.
 */
export interface SessionChanges {
  /** Set if the column is null. */
  readonly begunAt?: number | null;
  /** Set if the column is null. */
  readonly source?: string | null;
  /** Added, as all following amounts. */
  readonly logBytes?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly spentMicrocents?: number;
  readonly reservedMicrocents?: number;
}

/** Details about the appended events. */
interface AppendDetails {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** UTF-8 bytes of the events as JSON. */
  readonly bytes: number;
  /** Maximum UTF-16 code units of a message that are indexed for the search. */
  readonly searchLimit: number;
  readonly changes: SessionChanges;
  readonly owner: SessionOwner;
  /** The session's outcome before the events. */
  readonly outcome: SessionOutcome | '' | null;
}

const update = prepare((db) => {
  const text = sql.val('');
  const number = sql.val(0);
  return db
    .updateTable('sessions')
    .set(({ eb, fn }) => ({
      updated_at: fn.coalesce(number, 'updated_at'),
      active_at: fn.coalesce(number, 'active_at'),
      begun_at: fn.coalesce('begun_at', number),
      last_seq: fn.coalesce(number, 'last_seq'),
      head_id: fn.coalesce(text, 'head_id'),
      preview: fn.coalesce('preview', text),
      last_message: fn.coalesce(text, 'last_message'),
      requires_action: fn.coalesce(number, 'requires_action'),
      outcome: sql<SessionOutcome | '' | null>`coalesce(${text}, outcome)`,
      source: fn.coalesce('source', text),
      status: fn.coalesce(sql<SessionStatus>`${text}`, 'status'),
      terminated_reason: fn.coalesce(text, 'terminated_reason'),
      log_bytes: eb('log_bytes', '+', number),
      input_tokens: eb('input_tokens', '+', number),
      output_tokens: eb('output_tokens', '+', number),
      spent_microcents: eb('spent_microcents', '+', number),
      reserved_microcents: eb('reserved_microcents', '+', number),
    }))
    .where('id', '=', '');
});

/**
 * Updates the session's row, its search index, and its references to files, after events were
 * appended to the session, which the transaction has locked or created.
 */
export async function updateSessionRow(
  transaction: Transaction<Schema>,
  sessionId: string,
  events: readonly LogEvent[],
  { now, bytes, searchLimit, changes, owner, outcome }: AppendDetails,
): Promise<void> {
  const termination = events.find((event) => event.type === 'session.status_terminated');
  await update(
    transaction,
    now,
    events.some(isActivity) ? now : null,
    changes.begunAt ?? null,
    events.at(-1)?.seq ?? null,
    headAfter(events),
    previewOf(events),
    lastMessageOf(events),
    requiresActionAfter(events),
    events.reduce(nextOutcome, outcome),
    changes.source ?? null,
    statusAfter(events) ?? null,
    termination?.reason ?? null,
    bytes + (changes.logBytes ?? 0),
    ...amountsOf(changes),
    sessionId,
  );
  await indexTexts(transaction, sessionId, owner, events, searchLimit);
  await indexFiles(transaction, sessionId, events);
}

/** Changes amounts of a session without events. The transaction has locked the session. */
export async function changeSession(
  transaction: Transaction<Schema>,
  sessionId: string,
  changes: SessionChanges,
): Promise<void> {
  const unchanged = Array<null>(12).fill(null);
  const logBytes = changes.logBytes ?? 0;
  await update(transaction, ...unchanged, logBytes, ...amountsOf(changes), sessionId);
}

function amountsOf(changes: SessionChanges): number[] {
  return [
    changes.inputTokens ?? 0,
    changes.outputTokens ?? 0,
    changes.spentMicrocents ?? 0,
    changes.reservedMicrocents ?? 0,
  ];
}

/** Replaces the session's title in the search index. */
export async function indexTitle(
  transaction: Transaction<Schema>,
  session: SessionOwner & { readonly id: string },
  title: string | null,
): Promise<void> {
  await transaction
    .deleteFrom('session_texts')
    .where('session_id', '=', session.id)
    .where('seq', '=', 0)
    .execute();
  if (!title) return;
  await insertTexts(transaction, session, [
    { session_id: session.id, seq: 0, text: foldText(title) },
  ]);
}

async function indexTexts(
  transaction: Transaction<Schema>,
  sessionId: string,
  owner: SessionOwner,
  events: readonly LogEvent[],
  limit: number,
): Promise<void> {
  const rows = events.flatMap((event) => {
    const text = searchableText(event);
    if (text === null) return [];
    return [{ session_id: sessionId, seq: event.seq, text: foldText(text, limit) }];
  });
  await insertTexts(transaction, owner, rows);
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

/** Whether an event is a message of the user or the agent, or the like. */
export function isActivity(event: LogEvent): boolean {
  return activityTypes.has(event.type);
}

/**
 * Id of the message at the end of the current branch, as far as the events decide it; otherwise null.
 * Card actions name the last message of the card's branch.
 */
function headAfter(events: readonly LogEvent[]): string | null {
  for (const event of events.toReversed()) {
    if (event.type === 'user.message') return event.id;
    if (event.type === 'user.card_action' && event.parent_id != null) return event.parent_id;
  }
  return null;
}

const statusOf: Partial<Record<LogEventType, SessionStatus>> = {
  'session.status_running': 'running',
  'session.status_idle': 'idle',
  'session.status_rescheduled': 'rescheduling',
  'session.status_terminated': 'terminated',
};

/** 1 if the events end with an idle session that waits for a tool call, 0 if not; null if unchanged. */
function requiresActionAfter(events: readonly LogEvent[]): number | null {
  const last = events.findLast((event) => statusOf[event.type]);
  if (!last) return null;
  return Number(last.type === 'session.status_idle' && last.stop_reason.type === 'requires_action');
}

function statusAfter(events: readonly LogEvent[]): SessionStatus | undefined {
  const last = events.findLast((event) => statusOf[event.type]);
  return last && statusOf[last.type];
}
