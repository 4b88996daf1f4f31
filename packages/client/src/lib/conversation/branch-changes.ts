import { headOf } from './branches.ts';
import type { LocalEvent } from './local-events.ts';
import type { Move } from './state.ts';
import { rankOf, type StateDraft } from './state-draft.ts';
import { insertUnsent, loggedEntry, placeSent } from './user-entries.ts';

/** Shows an unsent message after its parent, by default on the branch that is shown. */
export function addUnsent(
  draft: StateDraft,
  event: LocalEvent & { type: 'local.message_added' },
): void {
  if (event.fromOtherView) {
    insertUnsent(draft, event, event.parent);
    return;
  }
  draft.arrange();
  const { branches } = draft.memory;
  const isNewest = branches.leaf === null;
  const leaf = draft.find(branches.leaf ?? headOf(draft.entries, branches) ?? '', 'user');
  // By default the server appends a message to the newest branch.
  const isPlain = leaf?.id !== null || !draft.parents.has(leaf.key);
  const defaultParent = isNewest && isPlain ? undefined : leaf?.key;
  insertUnsent(draft, event, event.parent === undefined ? defaultParent : event.parent);
  show(draft, { key: event.key, at: null });
}

/** Removes a discarded message. The branch of its parent is shown again. */
export function discardUnsent(draft: StateDraft, key: string): void {
  const unsent = draft.find(key, 'user');
  if (unsent?.delivery !== 'failed' && unsent?.retryAt == null) return;
  const parent = draft.parents.get(key);
  draft.remove(key);
  detach(draft, key);
  if (typeof parent === 'string') show(draft, { key: parent, at: null });
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

/** Shows the newest branch that contains a message: see `Changes.wanted`. */
export function show(draft: StateDraft, wanted: Parameters<StateDraft['rearrange']>[0]): void {
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
export function moveTo(draft: StateDraft, move: Move): void {
  const { branches } = draft.memory;
  const before = draft.entries.findLast(
    (entry) => entry.kind === 'user' && rankOf(entry) < move.seq,
  );
  if (before?.id === move.to || branches.moves.some(({ seq }) => seq === move.seq)) return;
  const moves = [...branches.moves, move].sort((a, b) => a.seq - b.seq);
  draft.remember({ branches: { ...branches, moves } });
  draft.rearrange();
}
