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

/** When an event happened, in milliseconds since the epoch. */
export function timeOf(event: LogEvent): number {
  return Date.parse(event.processed_at) || 0;
}

export function base(event: LogEvent): Pick<Entry, 'key' | 'id' | 'seq' | 'at'> {
  return { key: event.id, id: event.id, seq: event.seq, at: timeOf(event) };
}

/** Of what a model says or does: it stands where the model was asked. */
export function placed(draft: Draft, event: LogEvent): ReturnType<typeof base> {
  return { ...base(event), seq: draft.memory.requestSeq || event.seq };
}

/** The whole text of what was a preview until now, or was never seen before. */
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
  const broken = incomplete === 'failed' ? 'failed' : 'done';
  const progress = incomplete === 'interrupted' ? 'stopped' : broken;
  const feedback = draft.memory.ratings.get(event.id) ?? null;
  return { ...common, kind: 'agent', progress, citations, feedback };
}

export function beginRun(draft: Draft): void {
  draft.remember({ serverRunning: true, requestSeq: 0 });
  draft.set({ stopReason: null, suggestions: [] });
}

/** Nothing that is not in the log outlives a run, and nothing spins after it. */
export function endRun(draft: Draft, reason: ConversationState['stopReason']): void {
  dropPreviews(draft);
  draft.remember({ serverRunning: false, requestSeq: 0 });
  draft.set({ stopping: false, stopReason: reason });
}

/** Takes away a preview under whose id the log has something else. */
export function dropPreview(draft: Draft, id: string): void {
  const { previews } = draft.memory;
  if (!previews.some((preview) => preview.id === id)) return;
  draft.remove(id);
  draft.remember({ previews: previews.filter((preview) => preview.id !== id) });
}

/** Takes away what was being said and never got into the log. */
export function dropPreviews(draft: Draft): void {
  for (const { id } of draft.memory.previews) draft.remove(id);
  draft.remember({ previews: [] });
}
