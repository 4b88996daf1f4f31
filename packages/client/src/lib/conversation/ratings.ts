import type { FeedbackRequest } from '@inlay/protocol';
import { InlayError } from '../errors.ts';
import type { AgentApi } from '../http/api.ts';
import { readFeedback } from '../responses/read-responses.ts';
import { abortError } from '../wait.ts';
import type { LocalEvent } from './local-events.ts';
import type { ConversationState } from './state.ts';

/** Dependencies of `rate` and `loadRatings`. */
export interface RatingContext {
  readonly platform: AgentApi;
  /** Returns the path of the session. */
  readonly path: () => string;
  readonly signal: AbortSignal;
  readonly state: () => ConversationState;
  readonly dispatch: (event: LocalEvent) => void;
}

/** Rates an agent message. The state shows the rating at once. */
export async function rate(
  { platform, path, signal, state, dispatch }: RatingContext,
  request: FeedbackRequest,
): Promise<void> {
  if (signal.aborted) throw abortError(signal);
  const { event_id: id, rating } = request;
  const before = state().entries.findLast((entry) => entry.id === id);
  if (before?.kind !== 'agent') {
    throw new InlayError('INVALID_OPTION', 'rate(eventId) needs the id of an answer.');
  }
  dispatch({ type: 'local.rated', ratings: new Map([[id, rating]]) });
  try {
    await platform.send(`${path()}/feedback`, { method: 'POST', body: request, signal });
  } catch (error) {
    dispatch({ type: 'local.rated', ratings: new Map([[id, before.feedback]]) });
    throw error;
  }
}

/** Loads the ratings of earlier page loads. */
export async function loadRatings({
  platform,
  path,
  signal,
  state,
  dispatch,
}: RatingContext): Promise<void> {
  const { data } = await platform.call(`${path()}/feedback`, readFeedback, { signal });
  const ratings = new Map(data.map(({ event_id, rating }) => [event_id, rating]));
  // Ratings of this page load are newer.
  for (const id of state().memory.ratings.keys()) ratings.delete(id);
  dispatch({ type: 'local.rated', ratings });
}
