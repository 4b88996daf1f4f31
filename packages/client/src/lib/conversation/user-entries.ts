import type { LogEvent, UserContent } from '@inlay/protocol';
import { textOf } from '@inlay/protocol/text-of';
import type { LocalEvent } from './local-events.ts';
import type { UserEntry } from './state.ts';
import type { StateDraft } from './state-draft.ts';

/**
 * Shows an unsent message.
 *
 * @param parent Id or key of its parent; null for none; undefined for the message before it.
 */
export function insertUnsent(
  draft: StateDraft,
  message: LocalEvent & { type: 'local.message_added' },
  parent: string | null | undefined,
): void {
  draft.addMessage(message.key, parent);
  draft.set({ suggestions: [] });
  draft.insert(unsentEntry(message));
}

/** Applies a change of delivery. A message that is in the log keeps its delivery. */
export function changeDelivery(
  draft: StateDraft,
  { key, delivery, error, retryAt = null }: LocalEvent & { type: 'local.delivery' },
): void {
  const entry = draft.find(key, 'user');
  if (!entry || entry.delivery === 'sent') return;
  draft.replace(key, { ...entry, delivery, error, retryAt });
  const { attempted, serverRunning } = draft.memory;
  // A failed message starts no run that could be stopped.
  if (delivery === 'failed' && !serverRunning) draft.set({ stopping: false });
  if (delivery !== 'sending' || attempted.some((attempt) => attempt.key === key)) return;
  draft.remember({ attempted: [...attempted, { key, id: null }] });
}

/**
 * Applies a message of the log. It replaces the unsent entry that has its id according to the server's
 * response, or else one with the same content. Without such an entry, another page sent it.
 */
export function applyLoggedMessage(draft: StateDraft, event: LogEvent<'user.message'>): void {
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

/** Sets the parent of a sent message. If it was to follow a failed message, that one follows it instead. */
export function placeSent(draft: StateDraft, key: string, event: LogEvent<'user.message'>): void {
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
}: LocalEvent & { type: 'local.message_added' }): UserEntry {
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

/** Returns the blocks of the types that a user can send. Others are not shown. */
function userContent({ content }: LogEvent<'user.message'>): UserContent {
  return content.filter(
    (block): block is UserContent[number] =>
      block.type === 'text' || block.type === 'image' || block.type === 'document',
  );
}
