import type { LogEvent } from '@inlay/protocol';
import { reduce } from './reducer/index.ts';
import { initialConversationState } from './reducer/initial-state.ts';
import type { Entry } from './state.ts';

/**
 * Returns the entries of a stored conversation, as the chat shows them.
 *
 * @param events Events of its log, the oldest first. Earlier events may be missing.
 * @param ratings The user's ratings by the id of the rated event.
 */
export function entriesOf(
  events: readonly LogEvent[],
  ratings: ReadonlyMap<string, 'up' | 'down'> = new Map(),
): readonly Entry[] {
  return reduce(initialConversationState, [
    { type: 'local.rated', ratings },
    {
      type: 'local.history',
      events,
      first: true,
      more: false,
      lastSeq: events.at(-1)?.seq ?? 0,
    },
  ]).entries;
}
