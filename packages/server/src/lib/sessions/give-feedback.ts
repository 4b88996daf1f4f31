import type { Feedback, FeedbackRequest } from '@inlay/protocol';
import type { Services } from '../deps.ts';
import { isoTime } from '../ports/clock.ts';
import { invalidField } from '../problems/api-error.ts';
import type { SessionsTable } from '../store/schema.ts';

/** Keeps what a person thinks of an answer. A second rating of the same one replaces the first. */
export async function giveFeedback(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  session: SessionsTable,
  request: FeedbackRequest,
): Promise<Feedback> {
  const rated = await store.db
    .selectFrom('events')
    .select('id')
    .where('session_id', '=', session.id)
    .where('id', '=', request.event_id)
    .where('type', '=', 'agent.message')
    .executeTakeFirst();
  if (!rated) {
    throw invalidField('/event_id', 'must be the id of an `agent.message` of this session');
  }
  const now = clock.now();
  const opinion = { rating: request.rating, comment: request.comment ?? null, created_at: now };
  await store.db
    .insertInto('feedback')
    .values({
      session_id: session.id,
      event_id: request.event_id,
      external_user_id: session.external_user_id,
      ...opinion,
    })
    .onConflict((conflict) => conflict.columns(['session_id', 'event_id']).doUpdateSet(opinion))
    .execute();
  return {
    type: 'feedback',
    session_id: session.id,
    event_id: request.event_id,
    ...opinion,
    created_at: isoTime(now),
  };
}
