import type { LogEvent, UserContent } from '@inlay/protocol';
import { textOf } from '@inlay/protocol/text-of';
import type { Draft } from './draft.ts';
import type { LocalEvent } from './local-events.ts';
import type { UserEntry } from './state.ts';

/**
 * Shows an unsent message.
 *
 * @param parent Id or key of the message that it follows; null for none; undefined for the previous one.
 */
export function insertUnsent(
  draft: Draft,
  typed: LocalEvent & { type: 'local.typed' },
  parent: string | null | undefined,
): void {
  draft.addMessage(typed.key, parent);
  draft.set({ suggestions: [] });
  draft.insert(unsentEntry(typed));
}

/** Applies a change of delivery. A message that is in the log keeps its delivery. */
export function changeDelivery(
  draft: Draft,
  { key, delivery, error, retryAt = null }: LocalEvent & { type: 'local.delivery' },
): void {
  const entry = draft.find(key, 'user');
  if (!entry || entry.delivery === 'sent') return;
  draft.replace(key, { ...entry, delivery, error, retryAt });
  const { attempted, serverRunning } = draft.memory;
  // There will be no run to stop.
  if (delivery === 'failed' && !serverRunning) draft.set({ stopping: false });
  if (delivery !== 'sending' || attempted.some((attempt) => attempt.key === key)) return;
  draft.remember({ attempted: [...attempted, { key, id: null }] });
}

/**
 * Applies a message of the log. It replaces the unsent entry that the server's response assigned to
 * it, or else one with the same content; otherwise it was sent by another page.
 */
export function applyLoggedMessage(draft: Draft, event: LogEvent<'user.message'>): void {
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
    // After the response, the user may have selected another branch.
    if (match.id === null) placeSent(draft, match.key, event);
  } else {
    const isNew = draft.insert(loggedEntry(event, event.id));
    if (isNew) draft.addMessage(event.id, event.parent_id);
  }
}

/** Places a sent message. A failed message that it was to follow now follows it. */
export function placeSent(draft: Draft, key: string, event: LogEvent<'user.message'>): void {
  const before = draft.find(draft.parents.get(key) ?? '', 'user');
  draft.addMessage(key, event.parent_id);
  if (before && before.id === null) draft.addMessage(before.key, key);
}

/** Returns the entry of an unsent message. */
function unsentEntry({
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

/** Returns the entry of a message of the log. */
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

/** Returns the blocks that a user can send. Blocks of other types are not shown. */
function userContent({ content }: LogEvent<'user.message'>): UserContent {
  return content.filter(
    (block): block is UserContent[number] =>
      block.type === 'text' || block.type === 'image' || block.type === 'document',
  );
}
