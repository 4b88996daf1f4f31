import type { LogEvent, UserContent } from '@inlay/protocol';
import { textOf } from '@inlay/protocol/text-of';
import type { Draft } from './draft.ts';
import type { LocalEvent } from './local-events.ts';
import type { UserEntry } from './state.ts';

/** Shows what the person typed, at once. `parent`: what it follows, if it has to be named. */
export function addTyped(
  draft: Draft,
  typed: LocalEvent & { type: 'local.typed' },
  parent: string | null | undefined,
): void {
  draft.say(typed.key, parent);
  draft.set({ suggestions: [] });
  draft.insert(typedEntry(typed));
}

/** What became of a typed message on its way. One that is known to be in the log stays so. */
export function changeDelivery(
  draft: Draft,
  { key, delivery, error, retryAt = null }: LocalEvent & { type: 'local.delivery' },
): void {
  const entry = draft.find(key, 'user');
  if (!entry || entry.delivery === 'sent') return;
  draft.replace(key, { ...entry, delivery, error, retryAt });
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
    const isNew = draft.insert(loggedEntry(event, event.id));
    if (isNew) draft.say(event.id, event.parent_id);
  }
}

/** A typed message has its place in the log. What was to stand before it and failed comes after it. */
export function settle(draft: Draft, key: string, event: LogEvent<'user.message'>): void {
  const before = draft.find(draft.parents.get(key) ?? '', 'user');
  draft.say(key, event.parent_id);
  if (before && before.id === null) draft.say(before.key, key);
}

/** The entry of a message that was just typed. */
function typedEntry({
  key,
  content,
  at,
  mode = null,
  mentions = [],
}: LocalEvent & { type: 'local.typed' }): UserEntry {
  return {
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
    retryAt: null,
  };
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
    retryAt: null,
  };
}

/** What a person can have sent: blocks of other kinds are not theirs to show. */
function userContent({ content }: LogEvent<'user.message'>): UserContent {
  return content.filter(
    (block): block is UserContent[number] =>
      block.type === 'text' || block.type === 'image' || block.type === 'document',
  );
}
