import type { LogEvent } from '@inlay/protocol';
import { textOf } from '@inlay/protocol/text-of';
import type {
  AgentEntry,
  ConversationState,
  Entry,
  EntryCitation,
  ThinkingEntry,
} from './state.ts';
import type { StateDraft } from './state-draft.ts';

/** Returns the time of an event in milliseconds since the epoch. */
export function timeOf(event: LogEvent): number {
  return Date.parse(event.processed_at) || 0;
}

/** Returns the fields that every entry takes from its event. */
export function entryBase(event: LogEvent): Pick<Entry, 'key' | 'id' | 'seq' | 'at'> {
  return { key: event.id, id: event.id, seq: event.seq, at: timeOf(event) };
}

/** Like `entryBase`, for output of the model, which sorts at the position of its model request. */
export function outputBase(draft: StateDraft, event: LogEvent): ReturnType<typeof entryBase> {
  return { ...entryBase(event), seq: draft.memory.requestSeq || event.seq };
}

/** Applies a complete agent message or thought, which replaces its preview. */
export function finishOutput(
  draft: StateDraft,
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
  draft: StateDraft,
  event: LogEvent<'agent.message' | 'agent.thinking'>,
  citations: readonly EntryCitation[],
): AgentEntry | ThinkingEntry {
  const common = {
    ...outputBase(draft, event),
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

export function beginRun(draft: StateDraft): void {
  draft.remember({ serverRunning: true, requestSeq: 0 });
  draft.set({ stopReason: null, suggestions: [] });
}

/** Ends a run, and removes its previews. */
export function endRun(draft: StateDraft, reason: ConversationState['stopReason']): void {
  dropPreviews(draft);
  draft.remember({ serverRunning: false, requestSeq: 0 });
  draft.set({ stopping: false, stopReason: reason });
}

/** Removes the preview with this id. */
export function dropPreview(draft: StateDraft, id: string): void {
  const { previews } = draft.memory;
  if (!previews.some((preview) => preview.id === id)) return;
  draft.remove(id);
  draft.remember({ previews: previews.filter((preview) => preview.id !== id) });
}

/** Removes all previews. They are not in the log. */
export function dropPreviews(draft: StateDraft): void {
  for (const { id } of draft.memory.previews) draft.remove(id);
  draft.remember({ previews: [] });
}
