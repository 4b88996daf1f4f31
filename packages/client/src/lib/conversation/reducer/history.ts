import type { LogEvent } from '@inlay/protocol';
import { arrangeBranches } from './branches.ts';
import type { LocalEvent } from './events.ts';
import { initialConversationState } from './initial-state.ts';
import { timeOf } from './live.ts';
import { closeTools, reduceLog } from './log.ts';
import { StateDraft } from './state-draft.ts';
import { changeBranch, detach } from './user-messages.ts';

/** Applies a page of the log: reduces it to separate entries, and prepends them to the state. */
export function reduceHistory(
  draft: StateDraft,
  page: LocalEvent & { type: 'local.history' },
): void {
  const { ratings } = draft.memory;
  const loaded = new StateDraft(
    {
      ...initialConversationState,
      memory: { ...initialConversationState.memory, ratings },
    },
    arrangeBranches,
  );
  for (const event of page.events) reduceLog(loaded, event);
  for (const orphan of draft.memory.orphans) reduceLog(loaded, orphan);
  placeAccepted(draft, loaded);
  const { orphans } = loaded.memory;
  if (page.first) {
    const hasStatus = page.events.some((event) => event.type.startsWith('session.status_'));
    const { serverRunning } = hasStatus ? loaded.memory : draft.memory;
    const { attempted, branches } = draft.memory;
    const { stopReason, suggestions, allowances, endReason } = loaded.state;
    const last = page.events.at(-1);
    const lastAt = last ? timeOf(last) : 0;
    draft.remember({ ...loaded.memory, lastAt, serverRunning, attempted, branches });
    draft.set({ stopReason, lastSeq: page.lastSeq, endReason: endReason ?? draft.state.endReason });
    const hasMessage = draft.entries.some((entry) => entry.kind === 'user');
    if (!hasMessage) draft.set({ suggestions });
    draft.setAllowances(allowances);
    // The stopped run is over, even if a later run waits for the user.
    if (!serverRunning && hasStoppedRunEnded(page.events)) draft.set({ stopping: false });
  } else {
    // Open tool calls of this page belong to runs that ended in a page loaded before.
    if (!draft.memory.serverRunning) closeTools(loaded, draft.state.stopReason);
    draft.remember({
      openTools: [...loaded.memory.openTools, ...draft.memory.openTools],
      orphans: page.more ? orphans : [],
    });
  }
  draft.prepend(loaded.entries);
  for (const [key, parent] of loaded.parents) draft.setParent(key, parent);
  for (const move of loaded.memory.branches.moves) changeBranch(draft, move);
  placeOutputs(draft, page.events, loaded.memory.requestSeq);
  draft.set({ loading: false, hasEarlier: page.more });
}

/** Whether a page contains an interrupt and the end of the interrupted run. */
function hasStoppedRunEnded(events: readonly LogEvent[]): boolean {
  const stop = events.findLastIndex(({ type }) => type === 'user.interrupt');
  return stop >= 0 && events.slice(stop).some(({ type }) => type === 'session.status_idle');
}

/**
 * Moves the output at the start of a page to the position of its model request when the earlier page
 * with this request is loaded.
 *
 * @param openRequest `seq` of the request whose output continues in the page loaded before; 0 for none.
 */
function placeOutputs(draft: StateDraft, events: readonly LogEvent[], openRequest: number): void {
  const firstBoundary = events.findIndex(({ type }) =>
    /^(span\.model_request|session\.status)_/.test(type),
  );
  const outputs = events
    .slice(0, firstBoundary === -1 ? undefined : firstBoundary)
    .filter(({ type }) => /^agent\.(message|thinking|(custom_)?tool_use|card)$/.test(type));
  const { unplaced } = draft.memory;
  for (const id of openRequest === 0 ? [] : unplaced) {
    const entry = draft.find(id, 'agent', 'thinking', 'tool', 'card');
    if (entry) draft.replace(id, { ...entry, seq: openRequest });
  }
  const older = firstBoundary === -1 && openRequest === 0 ? unplaced : [];
  draft.remember({ unplaced: [...outputs.map(({ id }) => id), ...older] });
}

/** Moves messages that were sent while the page was loading to their position in the page. */
function placeAccepted(draft: StateDraft, loaded: StateDraft): void {
  // Iterates over a copy, because entries are removed.
  for (const entry of [...draft.entries]) {
    if (entry.kind !== 'user' || entry.id === null || !loaded.find(entry.id, 'user')) continue;
    loaded.replace(entry.id, entry);
    loaded.addMessage(entry.key, loaded.parents.get(entry.id));
    detach(loaded, entry.id, entry.key);
    draft.remove(entry.key);
    const attempted = draft.memory.attempted.filter(({ id }) => id !== entry.id);
    draft.remember({ attempted });
  }
}
