import type { LiveEvent } from '@inlay/protocol';
import type { AgentEntry, ThinkingEntry } from './state.ts';
import type { StateDraft } from './state-draft.ts';

/** Applies an event of the stream that is not in the log, such as a fragment of an agent message. */
export function reduceLive(draft: StateDraft, event: LiveEvent): void {
  switch (event.type) {
    case 'session.created':
      draft.set({ session: event.session });
      break;
    case 'event_start':
      startPreview(draft, event.event);
      break;
    case 'event_delta':
      appendFragment(draft, event);
      break;
  }
}

/** Begins a preview, or restarts it after a reconnect. */
function startPreview(draft: StateDraft, { id, type }: LiveEvent<'event_start'>['event']): void {
  if (type !== 'agent.message' && type !== 'agent.thinking') return;
  const { previews, requestSeq, lastAt } = draft.memory;
  const known = draft.find(id, 'agent', 'thinking');
  const others = previews.filter((preview) => preview.id !== id);
  // A preview replaces neither a complete agent message nor a message of the user.
  if (others.length === previews.length && (known || draft.has(id))) return;
  draft.remember({ previews: [...others, { id, block: 0 }] });
  if (known) {
    draft.replace(id, { ...known, text: '' });
    return;
  }
  const progress = draft.state.stopping ? 'stopped' : 'streaming';
  const base = { key: id, id, seq: requestSeq || draft.state.lastSeq, at: lastAt, text: '' };
  const entry: AgentEntry | ThinkingEntry =
    type === 'agent.message'
      ? { ...base, kind: 'agent', progress, citations: [], feedback: null }
      : { ...base, kind: 'thinking', progress, endedAt: null };
  draft.insert(entry);
}

/** Appends a fragment to a preview. */
function appendFragment(
  draft: StateDraft,
  { event_id: id, delta }: LiveEvent<'event_delta'>,
): void {
  const { previews } = draft.memory;
  const preview = previews.find((each) => each.id === id);
  const entry = draft.find(id, 'agent', 'thinking');
  if (!preview || !entry) return;
  let { text } = entry;
  if (delta.index > preview.block) {
    const advanced = { id, block: delta.index };
    draft.remember({ previews: previews.map((each) => (each === preview ? advanced : each)) });
    if (text !== '') text += '\n\n';
  }
  draft.replace(id, { ...entry, text: text + delta.content.text });
}
