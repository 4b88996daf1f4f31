import type { CardValues, FeedbackRequest, UserEventInput } from '@inlay/protocol';
import { InlayError } from '../errors.ts';
import type { AgentApi } from '../http/api.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { readFeedback } from '../responses/read-responses.ts';
import { abortError } from '../wait.ts';
import type { ConversationState } from './state.ts';
import type { ConversationStore } from './store.ts';

/**
 * Returns the event that allows or denies a tool call. It contains the hash of the call that is shown,
 * so that the user can't allow another call.
 */
export function confirmationEvent(
  { entries }: ConversationState,
  tool_use_id: string,
  result: 'allow' | 'deny',
  deny_message: string | undefined,
): UserEventInput {
  const entry = entries.findLast((each) => each.id === tool_use_id);
  const input_hash = (entry?.kind === 'tool' && entry.inputHash) || undefined;
  return {
    type: 'user.tool_confirmation',
    tool_use_id,
    result,
    ...omitUndefined({ deny_message, input_hash }),
  };
}

/** Answers a card. The card shows the answer immediately, and is open again if the answer is rejected. */
export async function answerCard(
  store: ConversationStore,
  { card_id, action, values }: CardAnswerInput,
  act: (event: UserEventInput) => Promise<void>,
): Promise<void> {
  const { entries, welcome } = store.state;
  const entry = welcome?.id === card_id ? welcome : entries.findLast(({ id }) => id === card_id);
  if (entry?.kind !== 'card') {
    throw new InlayError('INVALID_OPTION', 'answerCard(id) needs the id of a card.');
  }
  if (entry.progress !== 'open') {
    throw new InlayError('CONFLICT', 'This card has already been answered.');
  }
  store.dispatch({ type: 'local.card_answered', id: card_id, answer: { action, values } });
  try {
    await act({ type: 'user.card_action', card_id, action, values: values as CardValues });
  } catch (error) {
    store.dispatch({ type: 'local.card_answered', id: card_id, answer: null });
    throw error;
  }
}

interface CardAnswerInput {
  readonly card_id: string;
  readonly action: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Dependencies of `rateMessage` and `loadRatings`. */
export interface RatingContext {
  readonly platform: AgentApi;
  /** The path of the session. */
  readonly path: string;
  readonly signal: AbortSignal;
  readonly store: ConversationStore;
}

/** Rates an agent message. The state shows the rating immediately. */
export async function rateMessage(
  { platform, path, signal, store }: RatingContext,
  request: FeedbackRequest,
): Promise<void> {
  if (signal.aborted) throw abortError(signal);
  const { event_id: id, rating } = request;
  const before = store.state.entries.findLast((entry) => entry.id === id);
  if (before?.kind !== 'agent') {
    throw new InlayError('INVALID_OPTION', 'rate(eventId) needs the id of an answer.');
  }
  store.dispatch({ type: 'local.rated', ratings: new Map([[id, rating]]) });
  try {
    await platform.send(`${path}/feedback`, { method: 'POST', body: request });
  } catch (error) {
    store.dispatch({ type: 'local.rated', ratings: new Map([[id, before.feedback]]) });
    throw error;
  }
}

/** Loads the ratings of earlier page loads. */
export async function loadRatings({ platform, path, signal, store }: RatingContext): Promise<void> {
  const { data } = await platform.call(`${path}/feedback`, readFeedback, { signal });
  const ratings = new Map(data.map(({ event_id, rating }) => [event_id, rating]));
  // Ratings of this page load are newer.
  for (const id of store.state.memory.ratings.keys()) ratings.delete(id);
  store.dispatch({ type: 'local.rated', ratings });
}
