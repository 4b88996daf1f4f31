import { textOf } from '../wire/text-of.ts';
import type { ConversationEvent, LocalEvent } from './local-events.ts';
import type { ConversationState, Entry, UserEntry } from './state.ts';

/**
 * The state after an event, as far as it can be known before `story.ts` is there: what the person
 * said, and whether it is on its way. It shows what `reduce` will show, which begins anew with all
 * that was told.
 */
export function early(state: ConversationState, event: ConversationEvent): ConversationState {
  switch (event.type) {
    case 'local.typed':
      return finish({ ...placed(state, event), entries: [...state.entries, typedEntry(event)] });
    case 'local.delivery': {
      const { key, delivery, error, retryAt = null } = event;
      const { entries } = state;
      // It may be that of a stop, which is no entry.
      if (entries.every((entry) => entry.key !== key)) return state;
      const change = (entry: Entry) =>
        entry.kind === 'user' && entry.key === key ? { ...entry, delivery, error, retryAt } : entry;
      const stopping = state.stopping && delivery !== 'failed';
      return finish({ ...state, stopping, entries: entries.map(change) });
    }
    case 'local.discarded': {
      const entries = state.entries.filter(
        (entry) =>
          entry.key !== event.key ||
          entry.kind !== 'user' ||
          (entry.delivery !== 'failed' && entry.retryAt === null),
      );
      return finish({ ...state, entries });
    }
    case 'local.stop':
      return finish({ ...state, stopping: event.wanted });
    case 'local.connection': {
      const { connection, error, retryAt = null } = event;
      return finish({ ...state, connection, error, retryAt });
    }
    case 'local.loading':
      return { ...state, loading: event.loading };
    default:
      return state;
  }
}

/** What the person typed, before anything is known of it. */
export function typedEntry({
  key,
  content,
  at,
  mode = null,
  mentions = [],
}: LocalEvent & { type: 'local.typed' }): UserEntry {
  return {
    kind: 'user',
    key,
    id: null,
    seq: null,
    at,
    content,
    text: textOf(content),
    mode,
    mentions,
    versions: null,
    delivery: 'queued',
    error: null,
    retryAt: null,
  };
}

/** Notes what a message follows, where that has to be named. */
function placed(
  state: ConversationState,
  { key, parent }: LocalEvent & { type: 'local.typed' },
): ConversationState {
  if (parent === undefined) return state;
  const { memory } = state;
  const parents = new Map(memory.branches.parents).set(key, parent);
  return { ...state, memory: { ...memory, branches: { ...memory.branches, parents } } };
}

function isUnderWay(entry: Entry, delivery: UserEntry['delivery']): boolean {
  return entry.kind === 'user' && entry.delivery === delivery;
}

function finish(state: ConversationState): ConversationState {
  const { entries, connection, stopping } = state;
  const running = connection !== 'closed' && entries.some((entry) => isUnderWay(entry, 'sending'));
  const waits = running || entries.some((entry) => isUnderWay(entry, 'queued'));
  return { ...state, running, stoppable: running, stopping: stopping && waits };
}
