import type { LiveEvent, LogEvent } from '@inlay/protocol';
import { textOf } from '@inlay/protocol/text-of';
import type {
  AgentEntry,
  ConversationState,
  Entry,
  EntryCitation,
  SuspendedEntry,
  ThinkingEntry,
} from '../state.ts';
import { isSuspended, type StateDraft } from './state-draft.ts';

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

/** Begins a preview (the entry of an unfinished event), or restarts it after a reconnect. */
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

/** Returns the time of an event in milliseconds since the epoch. */
export function timeOf(event: LogEvent): number {
  return Date.parse(event.processed_at) || 0;
}

/** Returns the fields that every entry takes from its event. */
export function entryBase(event: LogEvent): Pick<Entry, 'key' | 'id' | 'seq' | 'at'> {
  return { key: event.id, id: event.id, seq: event.seq, at: timeOf(event) };
}

/** Like `entryBase`, for output of the model, which has the position of its model request. */
export function outputBase(draft: StateDraft, event: LogEvent): ReturnType<typeof entryBase> {
  return { ...entryBase(event), seq: draft.memory.requestSeq || event.seq };
}

/** Applies a complete agent message or thinking, which replaces its preview. */
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

/** Removes the preview with this id, if there is one. */
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

/**
 * Shows all unfinished entries as ended while the conversation is closed or archived. When it is opened
 * again, for example after a reconnect, they continue.
 */
export function updateSuspension(draft: StateDraft): void {
  if (isSuspended(draft.state)) suspendEntries(draft);
  else resumeEntries(draft);
}

function suspendEntries(draft: StateDraft): void {
  const { previews, openTools, suspended } = draft.memory;
  const streaming = previews
    .map(({ id }) => draft.find(id, 'agent', 'thinking'))
    .filter((entry) => entry?.progress === 'streaming');
  const open = openTools
    .map((id) => draft.find(id, 'tool'))
    .filter((entry) => /^(?:running|approval|waiting)$/.test(entry?.progress ?? ''));
  const suspendedNow = [...streaming, ...open]
    .filter((entry) => entry !== undefined)
    .map((before): SuspendedEntry => {
      const after: SuspendedEntry['after'] =
        before.kind === 'tool'
          ? { ...before, progress: 'stopped' }
          : { ...before, progress: 'failed' };
      draft.replace(before.key, after);
      return { before, after };
    });
  if (suspendedNow.length > 0) draft.remember({ suspended: [...suspended, ...suspendedNow] });
}

/** Restores the suspended entries that have not changed since. */
function resumeEntries(draft: StateDraft): void {
  const { suspended } = draft.memory;
  if (suspended.length === 0) return;
  for (const { before, after } of suspended) {
    if (draft.find(after.key, after.kind) === after) draft.replace(before.key, before);
  }
  draft.remember({ suspended: [] });
}
