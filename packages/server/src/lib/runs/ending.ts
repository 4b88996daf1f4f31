import type { EventDraft } from '../events/event-draft.ts';

/** Characters of the words with which a conversation is ended. */
const longestReason = 500;

/**
 * Ends a conversation for good.
 *
 * @param words Why, in words for the person; null or empty without.
 */
export function endingOf(words: string | null): EventDraft<'session.status_terminated'> {
  return {
    type: 'session.status_terminated',
    reason: words?.trim().slice(0, longestReason) || null,
  };
}
