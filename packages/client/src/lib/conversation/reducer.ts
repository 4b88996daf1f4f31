import type { LiveEvent, LogEvent } from '@inlay/protocol';
import { noBranches } from './branches.ts';
import { Draft } from './draft.ts';
import type { LocalEvent } from './local-events.ts';
import { reduceLive } from './reduce-live.ts';
import { reduceLocal } from './reduce-local.ts';
import { closeTools, isLogEvent, reduceLog, timeOf } from './reduce-log.ts';
import type { ConversationState } from './state.ts';
import { showWhatFollowed } from './typed-messages.ts';

/** Anything that changes a conversation: from the log, live from the stream, or from this side. */
export type ConversationEvent = LogEvent | LiveEvent | LocalEvent;

/** A conversation of which nothing is known. */
export const initialConversationState: ConversationState = {
  session: null,
  entries: [],
  running: false,
  stopReason: null,
  connection: 'idle',
  error: null,
  stoppable: false,
  stopping: false,
  loading: false,
  hasEarlier: false,
  suggestions: [],
  allowances: [],
  endReason: null,
  lastSeq: 0,
  memory: {
    serverRunning: false,
    requestSeq: 0,
    lastAt: 0,
    attempted: [],
    previews: [],
    branches: noBranches,
    ratings: new Map(),
    openTools: [],
    orphans: [],
    unplaced: [],
  },
};

/**
 * The state after an event, or after a batch of them. Pure. An event of the log counts once: a
 * repeat changes nothing. The cost does not grow with the length of the conversation, but for one
 * shallow copy of `entries` for each batch.
 */
export function reduce(
  state: ConversationState,
  events: ConversationEvent | readonly ConversationEvent[],
): ConversationState {
  const draft = new Draft(state);
  for (const event of [events].flat()) apply(draft, event);
  return draft.finish();
}

function apply(draft: Draft, event: ConversationEvent): void {
  if (isLogEvent(event)) {
    if (event.seq <= draft.state.lastSeq) return;
    reduceLog(draft, event);
    draft.set({ lastSeq: event.seq });
    draft.remember({ lastAt: timeOf(event) });
  } else if (event.type === 'local.history') {
    reduceHistory(draft, event);
  } else if (isLocal(event)) {
    reduceLocal(draft, event);
  } else {
    reduceLive(draft, event);
  }
}

/** A page of the log is told as a story of its own, and put before what is known. */
function reduceHistory(draft: Draft, page: LocalEvent & { type: 'local.history' }): void {
  const { ratings } = draft.memory;
  const story = new Draft({
    ...initialConversationState,
    memory: { ...initialConversationState.memory, ratings },
  });
  for (const event of page.events) reduceLog(story, event);
  for (const orphan of draft.memory.orphans) reduceLog(story, orphan);
  const placed = placeAccepted(draft, story);
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
  } else {
    // What ended their runs was read before them.
    if (!draft.memory.serverRunning) closeTools(story, draft.state.stopReason);
    draft.remember({
      openTools: [...story.memory.openTools, ...draft.memory.openTools],
      orphans: page.more ? orphans : [],
    });
  }
  draft.prepend(story);
  placeOutputs(draft, page.events, story.memory.requestSeq);
  draft.set({ loading: false, hasEarlier: page.more });
  for (const key of placed) showWhatFollowed(draft, key);
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

/**
 * What was sent while the page was being read, and is in it: its entry takes its place there. Gives
 * the keys of such entries.
 */
function placeAccepted(draft: Draft, story: Draft): string[] {
  const placed: string[] = [];
  // Of a copy: what is taken out would move the rest under the loop.
  for (const entry of [...draft.entries]) {
    if (entry.kind !== 'user' || entry.id === null || !story.find(entry.id, 'user')) continue;
    story.replace(entry.id, entry);
    story.say(entry.key, story.parents.get(entry.id));
    story.unsay(entry.id, entry.key);
    draft.remove(entry.key);
    const attempted = draft.memory.attempted.filter(({ id }) => id !== entry.id);
    draft.remember({ attempted });
    placed.push(entry.key);
  }
  return placed;
}

function isLocal(event: LiveEvent | LocalEvent): event is LocalEvent {
  return event.type.startsWith('local.');
}
