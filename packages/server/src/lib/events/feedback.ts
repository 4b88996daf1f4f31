import type { Feedback, FeedbackRequest } from '@inlay/protocol';
import type { Selectable, Transaction } from 'kysely';
import { isoTime, utcDay } from '../clock.ts';
import { lockSession } from '../events/lock-session.ts';
import { LogQueries } from '../events/log-queries.ts';
import { invalidField, notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import { addUsage } from '../usage/count-usage.ts';

/** Stores a user's rating of an agent message. A second rating replaces the first. */
export async function giveFeedback(
  { store, clock, webhooks }: Pick<Services, 'store' | 'clock' | 'webhooks'>,
  session: SessionsTable,
  request: FeedbackRequest,
): Promise<Feedback> {
  const values = {
    rating: request.rating,
    comment: request.comment ?? null,
    reasons: JSON.stringify([...new Set(request.reasons)]),
    created_at: clock.now(),
  };
  const row = {
    session_id: session.id,
    event_id: request.event_id,
    external_user_id: session.external_user_id,
    ...values,
  };
  // One transaction, so that no feedback is stored for a session that is deleted concurrently.
  const endpointIds = await store.transaction(async (transaction) => {
    const locked = await lockSession(transaction, session.id);
    if (!locked) throw notFound('This session was deleted.');
    const queries = new LogQueries(transaction, session.id);
    const message = await queries.find(request.event_id, 'agent.message');
    if (!message) {
      throw invalidField('/event_id', 'must be the id of an `agent.message` of this session');
    }
    const previous = await transaction
      .selectFrom('feedback')
      .select(['rating', 'created_at'])
      .where('session_id', '=', session.id)
      .where('event_id', '=', request.event_id)
      .executeTakeFirst();
    await transaction
      .insertInto('feedback')
      .values(row)
      .onConflict((conflict) => conflict.columns(['session_id', 'event_id']).doUpdateSet(values))
      .execute();
    await setRatings(transaction, session.id);
    const ids = await webhooks.record(transaction, () => [
      {
        type: 'feedback.created',
        agentId: locked.agent_id,
        externalUserId: locked.external_user_id,
        session: { id: session.id, position: 2 * Number(locked.last_seq) + 1 },
        data: { event_id: request.event_id, rating: request.rating },
      },
    ]);
    const count = ({ rating, created_at }: Pick<typeof row, 'rating' | 'created_at'>, by: 1 | -1) =>
      addUsage(transaction, session, { day: utcDay(created_at) }, { [`ratings_${rating}`]: by });
    if (previous) await count({ ...previous, created_at: Number(previous.created_at) }, -1);
    await count(row, 1);
    return ids;
  });
  webhooks.deliver(endpointIds);
  return toFeedback(row);
}

/** Updates the columns by which sessions are found by their ratings. */
async function setRatings(transaction: Transaction<Schema>, sessionId: string): Promise<void> {
  const rows = await transaction
    .selectFrom('feedback')
    .select('rating')
    .distinct()
    .where('session_id', '=', sessionId)
    .execute();
  const ratings = new Set(rows.map(({ rating }) => rating));
  await transaction
    .updateTable('sessions')
    .set({ rated_up: Number(ratings.has('up')), rated_down: Number(ratings.has('down')) })
    .where('id', '=', sessionId)
    .execute();
}

/** Lists feedback, oldest first. Not paged, because a message has at most one rating. */
export async function listFeedback(
  { store }: Pick<Services, 'store'>,
  session: SessionsTable,
): Promise<Feedback[]> {
  const rows = await store.db
    .selectFrom('feedback')
    .selectAll()
    .where('session_id', '=', session.id)
    .orderBy('created_at')
    .orderBy('event_id')
    .execute();
  return rows.map(toFeedback);
}

/** Converts a row to the feedback of the API. */
export function toFeedback(row: Selectable<Schema['feedback']>): Feedback {
  return {
    type: 'feedback',
    session_id: row.session_id,
    event_id: row.event_id,
    rating: row.rating,
    reasons: JSON.parse(row.reasons),
    comment: row.comment,
    created_at: isoTime(Number(row.created_at)),
  };
}
