import type { LiveEvent, LogEvent } from '@inlay/protocol';
import type { ConversationState } from '../state.ts';
import { arrangeBranches } from './branches.ts';
import type { ConversationEvent, LocalEvent } from './events.ts';
import { dropPreview, reduceLive, timeOf, updateSuspension } from './live.ts';
import { reduceLocal } from './local.ts';
import { reduceLog } from './log.ts';
import { isSuspended, StateDraft } from './state-draft.ts';

/**
 * Returns the state after an event or a batch of events. It is a pure function. Events of the log
 * that were applied before are ignored. Apart from one shallow copy of `entries` for each batch, its
 * cost does not grow with the length of the conversation.
 */
export function reduce(
  state: ConversationState,
  events: ConversationEvent | readonly ConversationEvent[],
): ConversationState {
  const draft = new StateDraft(state, arrangeBranches);
  for (const event of [events].flat()) applyEvent(draft, event);
  // The events may have added unfinished entries, for example tool calls without a result on an earlier
  // page of the log. In a closed or archived conversation, they are shown as ended.
  if (isSuspended(draft.state)) updateSuspension(draft);
  return draft.finish();
}

function applyEvent(draft: StateDraft, event: ConversationEvent): void {
  if (isLogEvent(event)) {
    if (event.seq <= draft.state.lastSeq) return;
    if (event.type !== 'agent.message' && event.type !== 'agent.thinking') {
      dropPreview(draft, event.id);
    }
    reduceLog(draft, event);
    draft.set({ lastSeq: event.seq });
    draft.remember({ lastAt: timeOf(event) });
  } else if (isLocalEvent(event)) {
    reduceLocal(draft, event);
  } else {
    reduceLive(draft, event);
  }
}

/** Whether an event is in the log. Other events have no `seq`. */
function isLogEvent(event: { type: string; seq?: unknown }): event is LogEvent {
  return typeof event.seq === 'number';
}

function isLocalEvent(event: LiveEvent | LocalEvent): event is LocalEvent {
  return event.type.startsWith('local.');
}
