import type { LogEvent, UserContent } from '@inlay/protocol';
import { textOf } from '@inlay/protocol/text-of';
import type { BranchChange, UserEntry } from '../state.ts';
import { headOf } from './branches.ts';
import type { LocalEvent } from './events.ts';
import { rankOf, type StateDraft } from './state-draft.ts';

/**
 * Inserts an unsent message, without selecting its branch.
 *
 * @param parent Id or key of its parent; null for none; undefined for the message before it.
 */
function insertMessage(
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
 * Applies a message of the log. It replaces the unsent entry to which the server's response assigned
 * the same id, or else one with the same content. If there is none, another page sent the message.
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
  const unsent = match && draft.find(match.key, 'user');
  if (match && unsent) {
    draft.remember({ attempted: attempted.filter((attempt) => attempt !== match) });
    const { versions } = unsent;
    draft.replace(match.key, { ...loggedEntry(event, match.key), versions });
    // If the response arrived first, `acceptUnsent` has set the parent, and the user may have selected
    // another branch since.
    if (match.id === null) placeSent(draft, match.key, event);
  } else {
    const isNew = draft.insert(loggedEntry(event, event.id));
    if (isNew) draft.addMessage(event.id, event.parent_id);
  }
}

/** Sets the parent of a sent message. A failed message that was its parent becomes its child. */
function placeSent(draft: StateDraft, key: string, event: LogEvent<'user.message'>): void {
  const before = draft.find(draft.parents.get(key) ?? '', 'user');
  draft.addMessage(key, event.parent_id);
  if (before && before.id === null) draft.addMessage(before.key, key);
}

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

/**
 * Adds an unsent message after its parent, by default at the end of the shown branch. Also shows its
 * branch, unless the message is from another view of the conversation.
 */
export function addUnsent(
  draft: StateDraft,
  event: LocalEvent & { type: 'local.message_added' },
): void {
  if (event.fromOtherView) {
    insertMessage(draft, event, event.parent);
    return;
  }
  draft.arrange();
  const { branches } = draft.memory;
  const isNewest = branches.leaf === null;
  const leaf = draft.find(branches.leaf ?? headOf(draft.entries, branches) ?? '', 'user');
  // The server appends a message without a parent to the log's current branch. An unsent leaf with a parent
  // will start another branch, which the message has to continue.
  const startsBranch = leaf?.id === null && draft.parents.has(leaf.key);
  const defaultParent = isNewest && !startsBranch ? undefined : leaf?.key;
  insertMessage(draft, event, event.parent === undefined ? defaultParent : event.parent);
  showBranchOf(draft, { key: event.key, at: null });
}

/** Removes a discarded message. The branch of its parent is shown again. */
export function discardUnsent(draft: StateDraft, key: string): void {
  const unsent = draft.find(key, 'user');
  if (unsent?.delivery !== 'failed' && unsent?.retryAt == null) return;
  const parent = draft.parents.get(key);
  draft.remove(key);
  detach(draft, key);
  if (typeof parent === 'string') showBranchOf(draft, { key: parent, at: null });
}

/** Assigns the event of the server's response to an unsent message. */
export function acceptUnsent(
  draft: StateDraft,
  { key, event }: LocalEvent & { type: 'local.accepted' },
): void {
  const unsent = draft.find(key, 'user');
  if (!unsent || unsent.id === event.id) return;
  const attempted = draft.memory.attempted.filter((attempt) => attempt.key !== key);
  const isAwaited = event.seq > draft.state.lastSeq;
  draft.remember({ attempted: isAwaited ? [...attempted, { key, id: event.id }] : attempted });
  // The key was assigned to another message with the same content, which gets its own key now.
  if (unsent.id !== null) {
    draft.replace(key, { ...unsent, key: unsent.id });
    draft.addMessage(unsent.id, draft.parents.get(key));
  } else {
    draft.remove(key);
  }
  if (!isAwaited) {
    draft.remove(event.id);
    detach(draft, event.id, key);
  }
  draft.insert(loggedEntry(event, key));
  placeSent(draft, key, event);
}

/** Shows the newest branch that contains a message: see `MessageChanges.wanted`. */
export function showBranchOf(
  draft: StateDraft,
  wanted: Parameters<StateDraft['rearrange']>[0],
): void {
  draft.arrange();
  draft.rearrange(wanted);
}

/** Removes a message from the branches. `newParent` becomes the parent of its children. */
export function detach(
  draft: StateDraft,
  key: string,
  newParent: string | null | undefined = draft.parents.get(key),
): void {
  for (const [other, parent] of draft.parents)
    if (parent === key) draft.setParent(other, newParent);
  draft.setParent(key, undefined);
  const { branches } = draft.memory;
  if (branches.leaf === key) draft.remember({ branches: { ...branches, leaf: newParent ?? null } });
  draft.rearrange();
}

/** Makes another branch the current branch of the log. */
export function changeBranch(draft: StateDraft, change: BranchChange): void {
  const { branches } = draft.memory;
  const before = draft.entries.findLast(
    (entry) => entry.kind === 'user' && rankOf(entry) < change.seq,
  );
  if (before?.id === change.to || branches.moves.some(({ seq }) => seq === change.seq)) return;
  const moves = [...branches.moves, change].sort((a, b) => a.seq - b.seq);
  draft.remember({ branches: { ...branches, moves } });
  draft.rearrange();
}
