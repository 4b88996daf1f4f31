import type { LogEvent, UserContent } from '@inlay/protocol';
import { textOf } from '../wire/text-of.ts';
import { headOf } from './branches.ts';
import type { Draft } from './draft.ts';
import type { LocalEvent } from './local-events.ts';
import type { UserEntry } from './state.ts';

/** Shows what the person typed, at once. */
export function addTyped(draft: Draft, typed: LocalEvent & { type: 'local.typed' }): void {
  const { key, content, at, mode = null, mentions = [] } = typed;
  draft.arrange();
  const { branches } = draft.memory;
  const leaf = draft.find(branches.leaf ?? '', 'user');
  // What follows the newest message follows whatever is said before it gets there.
  const isNewest = leaf?.key === headOf(draft.entries, branches);
  const isPlain = leaf?.id !== null || !draft.parents.has(leaf.key);
  const followed = isNewest && isPlain ? undefined : leaf?.key;
  draft.say(key, typed.parent === undefined ? followed : typed.parent);
  draft.set({ suggestions: [] });
  draft.insert({
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
  });
}

/** What became of a typed message on its way. One that is known to be in the log stays so. */
export function changeDelivery(
  draft: Draft,
  { key, delivery, error }: LocalEvent & { type: 'local.delivery' },
): void {
  const entry = draft.find(key, 'user');
  if (!entry || entry.delivery === 'sent') return;
  draft.replace(key, { ...entry, delivery, error });
  const { attempted, serverRunning } = draft.memory;
  // A stop that was pressed for an answer that will not come is done with.
  if (delivery === 'failed' && !serverRunning) draft.set({ stopping: false });
  if (delivery !== 'sending' || attempted.some((attempt) => attempt.key === key)) return;
  draft.remember({ attempted: [...attempted, { key, id: null }] });
}

/**
 * A message of the log. It is one that was typed here if the server said so, or if one of the same
 * content is on its way; otherwise it was typed in another tab or at another time.
 */
export function adoptTyped(draft: Draft, event: LogEvent<'user.message'>): void {
  const content = userContent(event);
  const text = JSON.stringify(content);
  const { attempted } = draft.memory;
  const match =
    attempted.find((attempt) => attempt.id === event.id) ??
    attempted.find(
      ({ key, id }) => id === null && JSON.stringify(draft.find(key, 'user')?.content) === text,
    );
  draft.set({ suggestions: [] });
  if (match && draft.find(match.key, 'user')) {
    draft.remember({ attempted: attempted.filter((attempt) => attempt !== match) });
    draft.replace(match.key, loggedEntry(event, match.key));
    settle(draft, match.key, event);
  } else {
    draft.insert(loggedEntry(event, event.id));
    draft.say(event.id, event.parent_id);
  }
}

/** A typed message has its place in the log. What was to stand before it and failed comes after it. */
function settle(draft: Draft, key: string, event: LogEvent<'user.message'>): void {
  const before = draft.find(draft.parents.get(key) ?? '', 'user');
  draft.say(key, event.parent_id);
  if (before && before.id === null) draft.say(before.key, key);
}

/** The person gave up a message that failed. What it was said in place of is shown again. */
export function discardTyped(draft: Draft, key: string): void {
  if (draft.find(key, 'user')?.delivery !== 'failed') return;
  const parent = draft.parents.get(key);
  draft.remove(key);
  draft.unsay(key);
  if (typeof parent === 'string') draft.show({ key: parent, at: null });
}

/** The server's answer says which event a typed message became. It knows best. */
export function acceptTyped(
  draft: Draft,
  { key, event }: LocalEvent & { type: 'local.accepted' },
): void {
  const typed = draft.find(key, 'user');
  if (!typed || typed.id === event.id) return;
  const attempted = draft.memory.attempted.filter((attempt) => attempt.key !== key);
  const awaited = event.seq > draft.state.lastSeq;
  draft.remember({ attempted: awaited ? [...attempted, { key, id: event.id }] : attempted });
  // It was taken for a message of the same words from elsewhere, which now gets its own name.
  if (typed.id !== null) {
    draft.replace(key, { ...typed, key: typed.id });
    draft.say(typed.id, draft.parents.get(key));
  } else {
    draft.remove(key);
  }
  if (!awaited) {
    draft.remove(event.id);
    draft.unsay(event.id, key);
  }
  draft.insert(loggedEntry(event, key));
  settle(draft, key, event);
  if (!awaited) showWhatFollowed(draft, key);
}

/** A message was there before this page load: the conversation may have gone on, also elsewhere. */
export function showWhatFollowed(draft: Draft, key: string): void {
  draft.arrange();
  const { branches } = draft.memory;
  if (branches.leaf === key) draft.show({ key: headOf(draft.entries, branches) ?? key, at: null });
}

function loggedEntry(event: LogEvent<'user.message'>, key: string): UserEntry {
  return {
    kind: 'user',
    key,
    id: event.id,
    seq: event.seq,
    at: Date.parse(event.processed_at) || 0,
    content: userContent(event),
    text: textOf(event.content),
    mode: event.mode ?? null,
    mentions: event.mentions ?? [],
    versions: null,
    delivery: 'sent',
    error: null,
  };
}

/** What a person can have sent: blocks of other kinds are not theirs to show. */
function userContent({ content }: LogEvent<'user.message'>): UserContent {
  return content.filter(
    (block): block is UserContent[number] =>
      block.type === 'text' || block.type === 'image' || block.type === 'document',
  );
}
