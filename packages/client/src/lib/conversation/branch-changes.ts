import { headOf } from './branches.ts';
import { type Draft, rankOf } from './draft.ts';
import type { LocalEvent } from './local-events.ts';
import type { Move } from './state.ts';
import { insertUnsent, loggedEntry, placeSent } from './user-entries.ts';

/** Shows an unsent message after its parent, by default on the branch that is shown. */
export function addUnsent(draft: Draft, typed: LocalEvent & { type: 'local.typed' }): void {
  if (typed.elsewhere) {
    insertUnsent(draft, typed, typed.parent);
    return;
  }
  draft.arrange();
  const { branches } = draft.memory;
  const isNewest = branches.leaf === null;
  const leaf = draft.find(branches.leaf ?? headOf(draft.entries, branches) ?? '', 'user');
  // After the newest message, it needs no parent: the server appends it to the newest branch.
  const isPlain = leaf?.id !== null || !draft.parents.has(leaf.key);
  const followed = isNewest && isPlain ? undefined : leaf?.key;
  insertUnsent(draft, typed, typed.parent === undefined ? followed : typed.parent);
  show(draft, { key: typed.key, at: null });
}

/** Removes a discarded message. The branch of its parent is shown again. */
export function discardUnsent(draft: Draft, key: string): void {
  const typed = draft.find(key, 'user');
  if (typed?.delivery !== 'failed' && typed?.retryAt == null) return;
  const parent = draft.parents.get(key);
  draft.remove(key);
  detach(draft, key);
  if (typeof parent === 'string') show(draft, { key: parent, at: null });
}

/** Assigns the event of the server's response to an unsent message. */
export function acceptUnsent(
  draft: Draft,
  { key, event }: LocalEvent & { type: 'local.accepted' },
): void {
  const typed = draft.find(key, 'user');
  if (!typed || typed.id === event.id) return;
  const attempted = draft.memory.attempted.filter((attempt) => attempt.key !== key);
  const awaited = event.seq > draft.state.lastSeq;
  draft.remember({ attempted: awaited ? [...attempted, { key, id: event.id }] : attempted });
  // It was matched with a message of the same content, which now gets a key of its own.
  if (typed.id !== null) {
    draft.replace(key, { ...typed, key: typed.id });
    draft.addMessage(typed.id, draft.parents.get(key));
  } else {
    draft.remove(key);
  }
  if (!awaited) {
    draft.remove(event.id);
    detach(draft, event.id, key);
  }
  draft.insert(loggedEntry(event, key));
  placeSent(draft, key, event);
}

/** Shows the newest branch with a message: see `Changes.wanted`. */
export function show(draft: Draft, wanted: Parameters<Draft['rearrange']>[0]): void {
  draft.arrange();
  draft.rearrange(wanted);
}

/** Removes a message from the branches. The messages that follow it get the parent `heir`. */
export function detach(
  draft: Draft,
  key: string,
  heir: string | null | undefined = draft.parents.get(key),
): void {
  for (const [other, parent] of draft.parents) if (parent === key) draft.setParent(other, heir);
  draft.setParent(key, undefined);
  const { branches } = draft.memory;
  if (branches.leaf === key) draft.remember({ branches: { ...branches, leaf: heir ?? null } });
  draft.rearrange();
}

/** Makes another branch the log's current one. */
export function moveTo(draft: Draft, move: Move): void {
  const { branches } = draft.memory;
  const before = draft.entries.findLast(
    (entry) => entry.kind === 'user' && rankOf(entry) < move.seq,
  );
  if (before?.id === move.to || branches.moves.some(({ seq }) => seq === move.seq)) return;
  const moves = [...branches.moves, move].sort((a, b) => a.seq - b.seq);
  draft.remember({ branches: { ...branches, moves } });
  draft.rearrange();
}
