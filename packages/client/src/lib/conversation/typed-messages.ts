import type { LogEvent, UserContent } from '@inlay/protocol';
import { textOf } from '../wire/text-of.ts';
import type { Draft } from './draft.ts';
import type { LocalEvent } from './local-events.ts';
import type { UserEntry } from './state.ts';

/** Shows what the person typed, at once. */
export function addTyped(draft: Draft, typed: LocalEvent & { type: 'local.typed' }): void {
  const { key, content, at } = typed;
  draft.insert({
    kind: 'user',
    key,
    id: null,
    seq: null,
    at,
    content,
    text: textOf(content),
    delivery: 'queued',
    error: null,
  });
}

/** What became of a typed message on its way. One that is known to be in the log stays so. */
export function changeDelivery(
  draft: Draft,
  { key, delivery, error }: LocalEvent & { type: 'local.delivery' },
): void {
  const index = draft.findLast((entry) => entry.key === key);
  const entry = draft.entries[index];
  if (entry?.kind !== 'user' || entry.delivery === 'sent') return;
  draft.replace(index, { ...entry, delivery, error });
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
    attempted.find(({ key, id }) => {
      const entry = id === null ? findTyped(draft, key)?.entry : undefined;
      return entry !== undefined && JSON.stringify(entry.content) === text;
    });
  const typed = match ? findTyped(draft, match.key) : undefined;
  const entry = loggedEntry(event, typed?.entry.key ?? event.id);
  if (!match || !typed) {
    draft.insert(entry);
    return;
  }
  draft.remember({ attempted: attempted.filter((attempt) => attempt !== match) });
  draft.update(typed.index, entry);
}

/** The server's answer says which event a typed message became. It knows best. */
export function acceptTyped(
  draft: Draft,
  { key, event }: LocalEvent & { type: 'local.accepted' },
): void {
  const typed = findTyped(draft, key);
  if (!typed || typed.entry.id === event.id) return;
  const { attempted } = draft.memory;
  const others = attempted.filter((attempt) => attempt.key !== key);
  const awaited = event.seq > draft.state.lastSeq;
  draft.remember({
    attempted: awaited ? [...others, { key, id: event.id }] : others,
  });
  if (typed.entry.id !== null) {
    // It was taken for a message of the same words from elsewhere, which now gets its own name.
    draft.replace(typed.index, { ...typed.entry, key: typed.entry.id });
  } else {
    draft.remove(typed.index);
  }
  const foreign = awaited ? -1 : draft.findLast((entry) => entry.id === event.id);
  if (foreign >= 0) draft.remove(foreign);
  draft.insert(loggedEntry(event, key));
}

function findTyped(draft: Draft, key: string): { index: number; entry: UserEntry } | undefined {
  const index = draft.findLast((entry) => entry.key === key);
  const entry = draft.entries[index];
  return entry?.kind === 'user' ? { index, entry } : undefined;
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
