import type { LiveEvent } from '@inlay/protocol';
import { Draft } from './draft.ts';
import type { ConversationEvent, LocalEvent } from './local-events.ts';
import { reducePlainLocal } from './plain-local.ts';
import { isLogEvent, passed, reducePlainLog } from './plain-log.ts';
import { reduceLive } from './reduce-live.ts';
import type { ConversationState } from './state.ts';

/**
 * The state after events, as far as they are those of every conversation: questions and answers, one
 * after the other. It gives the state that `reduce` gives, and how many events it holds. The next of
 * them needs `reduce`, whose code comes when it is wanted.
 */
export function reducePlain(
  state: ConversationState,
  events: readonly ConversationEvent[],
): { state: ConversationState; done: number } {
  const draft = new Draft(state);
  const stop = events.findIndex((event) => !apply(draft, event));
  return { state: draft.finish(), done: stop < 0 ? events.length : stop };
}

function apply(draft: Draft, event: ConversationEvent): boolean {
  if (isLogEvent(event)) {
    if (event.seq <= draft.state.lastSeq) return true;
    if (!reducePlainLog(draft, event)) return false;
    passed(draft, event);
    return true;
  }
  if (isLocal(event)) return reducePlainLocal(draft, event);
  reduceLive(draft, event);
  return true;
}

export function isLocal(event: LiveEvent | LocalEvent): event is LocalEvent {
  return event.type.startsWith('local.');
}
