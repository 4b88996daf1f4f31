import { type LogEvent, textOf } from '@inlay/protocol';
import { withoutCitationMarks } from '@inlay/protocol/citation-marks';
import { type Kysely, type Selectable, sql } from 'kysely';
import { isoTime } from '../clock.ts';
import { isDeleted } from '../store/is-deleted.ts';
import type { Schema, WebhookDeliveriesTable, WebhookEndpointsTable } from '../store/schema.ts';

/**
 * Returns the body of a delivery: the JSON of a `WebhookEvent`.
 *
 * @returns Null if the session was deleted.
 */
export async function webhookBody(
  db: Kysely<Schema>,
  row: Selectable<WebhookDeliveriesTable>,
  endpoint: Pick<WebhookEndpointsTable, 'include'>,
): Promise<string | null> {
  if (row.session_id !== null && !(await exists(db, row.session_id))) return null;
  const data = JSON.parse(row.data) as Record<string, string>;
  const hasText = (JSON.parse(endpoint.include) as string[]).includes('text');
  const text = hasText && row.session_id !== null ? await readText(db, row, data) : undefined;
  return JSON.stringify({
    type: row.event_type,
    timestamp: isoTime(Number(row.created_at)),
    data: { ...data, ...(text !== undefined && { text }) },
  });
}

async function exists(db: Kysely<Schema>, sessionId: string): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where(({ not }) => not(isDeleted))
    .executeTakeFirst();
  return session !== undefined;
}

/**
 * Reads the text of an event: that of the message, the answer or the feedback, or the reason for which
 * the session was ended; null if it has none, undefined for events without a text.
 */
async function readText(
  db: Kysely<Schema>,
  { session_id: sessionId, event_type: type, position }: Selectable<WebhookDeliveriesTable>,
  data: Readonly<Record<string, string>>,
): Promise<string | null | undefined> {
  const events = db
    .selectFrom('events')
    .select('json')
    .where('session_id', '=', sessionId ?? '');
  const seq = sql<number>`${Math.floor(Number(position) / 2)}`;
  if (type === 'feedback.created') {
    const row = await db
      .selectFrom('feedback')
      .select('comment')
      .where('session_id', '=', sessionId ?? '')
      .where('event_id', '=', data.event_id ?? '')
      .executeTakeFirst();
    return row?.comment ?? null;
  }
  const query =
    type === 'answer.completed'
      ? events.where('type', '=', 'agent.message').where('seq', '<', seq).orderBy('seq', 'desc')
      : events.where('seq', '=', seq);
  if (!['message.created', 'answer.completed', 'session.terminated'].includes(type))
    return undefined;
  const row = await query.limit(1).executeTakeFirst();
  if (!row) return null;
  const event = JSON.parse(row.json) as LogEvent;
  if (event.type === 'user.message' || event.type === 'agent.message')
    return withoutCitationMarks(textOf(event.content));
  return event.type === 'session.status_terminated' ? event.reason : null;
}
