import type { LogEvent } from '@inlay/protocol';
import { textOf } from '@inlay/protocol/text-of';
import type { Draft } from './draft.ts';
import type {
  AgentEntry,
  ConversationState,
  Entry,
  EntryCitation,
  ThinkingEntry,
} from './state.ts';

/** Returns the time of an event in milliseconds since the epoch. */
export function timeOf(event: LogEvent): number {
  return Date.parse(event.processed_at) || 0;
}

/** Returns the common fields of the entry of an event. */
export function base(event: LogEvent): Pick<Entry, 'key' | 'id' | 'seq' | 'at'> {
  return { key: event.id, id: event.id, seq: event.seq, at: timeOf(event) };
}

/** Like `base`, for output of the model, which is placed at its model request. */
export function placed(draft: Draft, event: LogEvent): ReturnType<typeof base> {
  return { ...base(event), seq: draft.memory.requestSeq || event.seq };
}

/** Applies a complete agent message or thought, which replaces its preview. */
export function finishOutput(
  draft: Draft,
  event: LogEvent<'agent.message' | 'agent.thinking'>,
  citations: readonly EntryCitation[],
): void {
  const { id } = event;
  const entry = outputEntry(draft, event, citations);
  const { previews } = draft.memory;
  const others = previews.filter((preview) => preview.id !== id);
  if (others.length === previews.length) {
    draft.insert(entry);
    return;
  }
  draft.remember({ previews: others });
  draft.replace(id, { ...entry, seq: draft.find(id, 'agent', 'thinking')?.seq ?? entry.seq });
}

function outputEntry(
  draft: Draft,
  event: LogEvent<'agent.message' | 'agent.thinking'>,
  citations: readonly EntryCitation[],
): AgentEntry | ThinkingEntry {
  const common = {
    ...placed(draft, event),
    text: textOf(event.content ?? []),
  };
  if (event.type === 'agent.thinking') {
    return { ...common, kind: 'thinking', progress: 'done', endedAt: common.at };
  }
  const { incomplete } = event;
  const ended = incomplete === 'failed' ? 'failed' : 'done';
  const progress = incomplete === 'interrupted' ? 'stopped' : ended;
  const feedback = draft.memory.ratings.get(event.id) ?? null;
  return { ...common, kind: 'agent', progress, citations, feedback };
}

/** Begins a run. */
export function beginRun(draft: Draft): void {
  draft.remember({ serverRunning: true, requestSeq: 0 });
  draft.set({ stopReason: null, suggestions: [] });
}

/** Ends a run, and removes its previews. */
export function endRun(draft: Draft, reason: ConversationState['stopReason']): void {
  dropPreviews(draft);
  draft.remember({ serverRunning: false, requestSeq: 0 });
  draft.set({ stopping: false, stopReason: reason });
}

/** Removes the preview with this id. */
export function dropPreview(draft: Draft, id: string): void {
  const { previews } = draft.memory;
  if (!previews.some((preview) => preview.id === id)) return;
  draft.remove(id);
  draft.remember({ previews: previews.filter((preview) => preview.id !== id) });
}

/** Removes all previews. They are not in the log. */
export function dropPreviews(draft: Draft): void {
  for (const { id } of draft.memory.previews) draft.remove(id);
  draft.remember({ previews: [] });
}
