import type { LiveEvent } from '@inlay/protocol';
import type { Draft } from './draft.ts';
import type { AgentEntry, ThinkingEntry } from './state.ts';

/** Applies what only a stream carries: an answer while it is being made. */
export function reduceLive(draft: Draft, event: LiveEvent): void {
  switch (event.type) {
    case 'session.created':
      draft.set({ session: event.session });
      break;
    case 'event_start':
      startPreview(draft, event.event);
      break;
    case 'event_delta':
      growPreview(draft, event);
      break;
  }
}

/** An answer begins, or, after a cut, begins again. */
function startPreview(draft: Draft, { id, type }: LiveEvent<'event_start'>['event']): void {
  if (type !== 'agent.message' && type !== 'agent.thinking') return;
  const { previews, requestSeq, lastAt } = draft.memory;
  const index = draft.findLast((entry) => entry.id === id);
  const known = draft.entries[index];
  const others = previews.filter((preview) => preview.id !== id);
  // One that is whole already does not become half again.
  if (known && others.length === previews.length) return;
  draft.remember({ previews: [...others, { id, block: 0 }] });
  if (known?.kind === 'agent' || known?.kind === 'thinking') {
    draft.replace(index, { ...known, text: '' });
    return;
  }
  const progress = draft.state.stopping ? 'stopped' : 'streaming';
  const base = { key: id, id, seq: requestSeq || draft.state.lastSeq, at: lastAt, text: '' };
  const entry: AgentEntry | ThinkingEntry =
    type === 'agent.message'
      ? { ...base, kind: 'agent', progress, feedback: null }
      : { ...base, kind: 'thinking', progress, endedAt: null };
  draft.insert(entry);
}

/** Appends to a text, whose cost does not depend on how long it is already. */
function growPreview(draft: Draft, { event_id: id, delta }: LiveEvent<'event_delta'>): void {
  const { previews } = draft.memory;
  const preview = previews.find((each) => each.id === id);
  const index = preview ? draft.findLast((entry) => entry.id === id) : -1;
  const entry = draft.entries[index];
  if (!preview || (entry?.kind !== 'agent' && entry?.kind !== 'thinking')) return;
  const nextBlock = delta.index > preview.block;
  if (nextBlock) {
    const moved = { id, block: delta.index };
    draft.remember({ previews: previews.map((each) => (each === preview ? moved : each)) });
  }
  const gap = nextBlock && entry.text !== '' ? '\n\n' : '';
  draft.replace(index, { ...entry, text: entry.text + gap + delta.content.text });
}
