import type { LogEvent } from '@inlay/protocol';
import { inBranches } from './branches.ts';
import { Draft } from './draft.ts';
import { initialConversationState } from './initial-state.ts';
import type { LocalEvent } from './local-events.ts';
import { closeTools, reduceLog } from './reduce-log.ts';
import { moveTo, unsay } from './typed-in-branches.ts';

/** A page of the log is told as a story of its own, and put before what is known. */
export function reduceHistory(draft: Draft, page: LocalEvent & { type: 'local.history' }): void {
  const { ratings } = draft.memory;
  const story = new Draft(
    {
      ...initialConversationState,
      memory: { ...initialConversationState.memory, ratings },
    },
    inBranches,
  );
  for (const event of page.events) reduceLog(story, event);
  for (const orphan of draft.memory.orphans) reduceLog(story, orphan);
  placeAccepted(draft, story);
  const { orphans } = story.memory;
  if (page.first) {
    const told = page.events.some((event) => event.type.startsWith('session.status_'));
    const { serverRunning } = told ? story.memory : draft.memory;
    const { attempted, branches } = draft.memory;
    const { stopReason, suggestions, allowances, endReason } = story.state;
    draft.remember({ ...story.memory, serverRunning, attempted, branches });
    draft.set({ stopReason, lastSeq: page.lastSeq, endReason: endReason ?? draft.state.endReason });
    const typed = draft.entries.some((entry) => entry.kind === 'user');
    if (!typed) draft.set({ suggestions });
    draft.allow(allowances);
    // Also where the run waits for something now: what was stopped is what went before.
    if (!serverRunning && isStopDone(page.events)) draft.set({ stopping: false });
  } else {
    // What ended their runs was read before them.
    if (!draft.memory.serverRunning) closeTools(story, draft.state.stopReason);
    draft.remember({
      openTools: [...story.memory.openTools, ...draft.memory.openTools],
      orphans: page.more ? orphans : [],
    });
  }
  draft.prepend(story.entries);
  for (const [key, parent] of story.parents) draft.place(key, parent);
  for (const move of story.memory.branches.moves) moveTo(draft, move);
  placeOutputs(draft, page.events, story.memory.requestSeq);
  draft.set({ loading: false, hasEarlier: page.more });
}

/** Whether a stop is in a part of the log, and the end of what it stopped. */
function isStopDone(events: readonly LogEvent[]): boolean {
  const stop = events.findLastIndex(({ type }) => type === 'user.interrupt');
  return stop >= 0 && events.slice(stop).some(({ type }) => type === 'session.status_idle');
}

/**
 * What a page begins with may be the end of a request that an older page begins: it stands where
 * that one was made, like all that an agent says.
 */
function placeOutputs(draft: Draft, events: readonly LogEvent[], openRequest: number): void {
  const edge = events.findIndex(({ type }) => /^(span\.model_request|session\.status)_/.test(type));
  const outputs = events
    .slice(0, edge === -1 ? undefined : edge)
    .filter(({ type }) => /^agent\.(message|thinking|(custom_)?tool_use|card)$/.test(type));
  const { unplaced } = draft.memory;
  for (const id of openRequest === 0 ? [] : unplaced) {
    const entry = draft.find(id, 'agent', 'thinking', 'tool', 'card');
    if (entry) draft.replace(id, { ...entry, seq: openRequest });
  }
  const older = edge === -1 && openRequest === 0 ? unplaced : [];
  draft.remember({ unplaced: [...outputs.map(({ id }) => id), ...older] });
}

/** What was sent while the page was being read, and is in it: its entry takes its place there. */
function placeAccepted(draft: Draft, story: Draft): void {
  // Of a copy: what is taken out would move the rest under the loop.
  for (const entry of [...draft.entries]) {
    if (entry.kind !== 'user' || entry.id === null || !story.find(entry.id, 'user')) continue;
    story.replace(entry.id, entry);
    story.say(entry.key, story.parents.get(entry.id));
    unsay(story, entry.id, entry.key);
    draft.remove(entry.key);
    const attempted = draft.memory.attempted.filter(({ id }) => id !== entry.id);
    draft.remember({ attempted });
  }
}
