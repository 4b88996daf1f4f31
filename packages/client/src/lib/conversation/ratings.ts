import type { FeedbackRequest } from '@inlay/protocol';
import { InlayError } from '../errors.ts';
import type { AgentApi } from '../http/api.ts';
import { abortError } from '../wait.ts';
import { readFeedback } from '../wire/answers.ts';
import type { LocalEvent } from './local-events.ts';
import type { ConversationState } from './state.ts';

/** The conversation whose answers are rated. */
export interface RatingContext {
  readonly platform: AgentApi;
  /** Of the session. */
  readonly path: () => string;
  readonly signal: AbortSignal;
  readonly state: () => ConversationState;
  readonly dispatch: (event: LocalEvent) => void;
}

/** Says what the person thinks of an answer, which is shown at once. */
export async function rate(
  { platform, path, signal, state, dispatch }: RatingContext,
  opinion: FeedbackRequest,
): Promise<void> {
  if (signal.aborted) throw abortError(signal);
  const { event_id: id, rating } = opinion;
  const before = state().entries.findLast((entry) => entry.id === id);
  if (before?.kind !== 'agent') {
    throw new InlayError('INVALID_OPTION', 'rate(eventId) needs the id of an answer.');
  }
  dispatch({ type: 'local.rated', ratings: new Map([[id, rating]]) });
  try {
    await platform.send(`${path()}/feedback`, { method: 'POST', body: opinion, signal });
  } catch (error) {
    dispatch({ type: 'local.rated', ratings: new Map([[id, before.feedback]]) });
    throw error;
  }
}

/** Learns what the person thought of answers before this page load. */
export async function learnRatings({
  platform,
  path,
  signal,
  state,
  dispatch,
}: RatingContext): Promise<void> {
  const { data } = await platform.call(`${path()}/feedback`, readFeedback, { signal });
  const ratings = new Map(data.map(({ event_id, rating }) => [event_id, rating]));
  // What the person said meanwhile is newer.
  for (const id of state().memory.ratings.keys()) ratings.delete(id);
  dispatch({ type: 'local.rated', ratings });
}
