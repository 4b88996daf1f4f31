import type { LogEvent, UserContent } from '@inlay/protocol';
import { textOf } from '../wire/text-of.ts';
import { type Draft, rankOf } from './draft.ts';
import type { LocalEvent } from './local-events.ts';
import type { UserEntry } from './state.ts';

/** Shows what the person typed, at once. `parent`: what it follows, if it has to be named. */
export function addTyped(
  draft: Draft,
  { key, content, at, mode = null, mentions = [] }: LocalEvent & { type: 'local.typed' },
  parent?: string | null,
): void {
  draft.say(key, parent);
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
    // Where the server's answer told of it before, the person may look at another branch by now.
    if (match.id === null) settle(draft, match.key, event);
  } else {
    draft.insert(loggedEntry(event, event.id));
    draft.say(event.id, event.parent_id);
  }
}

/** A typed message has its place in the log. What was to stand before it and failed comes after it. */
export function settle(draft: Draft, key: string, event: LogEvent<'user.message'>): void {
  const before = draft.find(draft.parents.get(key) ?? '', 'user');
  draft.say(key, event.parent_id);
  if (before && before.id === null) draft.say(before.key, key);
}

/**
 * The server's answer says which event a typed message became. False where more has to be known than
 * that it is the next one.
 */
export function acceptNext(
  draft: Draft,
  { key, event }: LocalEvent & { type: 'local.accepted' },
): boolean {
  const typed = draft.find(key, 'user');
  if (!typed || typed.id === event.id) return true;
  if (typed.id !== null || event.seq <= draft.state.lastSeq || !isNext(draft, event)) return false;
  const others = draft.memory.attempted.filter((attempt) => attempt.key !== key);
  draft.remember({ attempted: [...others, { key, id: event.id }] });
  draft.replace(key, loggedEntry(event, key));
  settle(draft, key, event);
  return true;
}

/** Whether a message of the log follows the one that stands before it. */
export function isNext(
  { entries }: Draft,
  { seq, parent_id: parent }: LogEvent<'user.message'>,
): boolean {
  const before = entries.findLast((entry) => entry.kind === 'user' && rankOf(entry) < seq);
  return parent === undefined || parent === (before?.id ?? null);
}

export function loggedEntry(event: LogEvent<'user.message'>, key: string): UserEntry {
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
