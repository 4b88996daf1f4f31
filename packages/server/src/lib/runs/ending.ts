import type { Transaction } from 'kysely';
import type { EventDraft } from '../events/event-draft.ts';
import type { Schema } from '../store/schema.ts';

/** Characters of the words with which a conversation is ended. */
const longestReason = 500;

/**
 * Ends a conversation for good; nothing where it was ended before, so that the first reason stands.
 * Inside the transaction that appends it.
 *
 * @param words Why, in words for the person; null or empty without.
 */
export async function endingOf(
  transaction: Transaction<Schema>,
  sessionId: string,
  words: string | null,
): Promise<EventDraft<'session.status_terminated'>[]> {
  const row = await transaction
    .selectFrom('sessions')
    .select('status')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  if (row?.status === 'terminated') return [];
  const reason = words?.trim().slice(0, longestReason) || null;
  return [{ type: 'session.status_terminated', reason }];
}
