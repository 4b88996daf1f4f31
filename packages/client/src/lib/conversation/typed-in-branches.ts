import { headOf } from './branches.ts';
import { type Draft, rankOf } from './draft.ts';
import type { LocalEvent } from './local-events.ts';
import type { Move } from './state.ts';
import { addTyped, loggedEntry, settle } from './typed-messages.ts';

/** Shows what the person typed, on the branch that is shown or in place of what they name. */
export function addTypedTo(draft: Draft, typed: LocalEvent & { type: 'local.typed' }): void {
  if (typed.elsewhere) {
    addTyped(draft, typed, typed.parent);
    return;
  }
  draft.arrange();
  const { branches } = draft.memory;
  const isNewest = branches.leaf === null;
  const leaf = draft.find(branches.leaf ?? headOf(draft.entries, branches) ?? '', 'user');
  // What follows the newest message follows whatever is said before it gets there.
  const isPlain = leaf?.id !== null || !draft.parents.has(leaf.key);
  const followed = isNewest && isPlain ? undefined : leaf?.key;
  addTyped(draft, typed, typed.parent === undefined ? followed : typed.parent);
  // Also what was typed before a reload, on a branch that the log is not on.
  show(draft, { key: typed.key, at: null });
}

/**
 * The person gave up a message that failed, or that waits for long. What it was said in place of is
 * shown again.
 */
export function discardTyped(draft: Draft, key: string): void {
  const typed = draft.find(key, 'user');
  if (typed?.delivery !== 'failed' && typed?.retryAt == null) return;
  const parent = draft.parents.get(key);
  draft.remove(key);
  unsay(draft, key);
  if (typeof parent === 'string') show(draft, { key: parent, at: null });
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
    unsay(draft, event.id, key);
  }
  draft.insert(loggedEntry(event, key));
  settle(draft, key, event);
}

/** Shows another branch. */
export function show(draft: Draft, wanted: Parameters<Draft['look']>[0]): void {
  draft.arrange();
  draft.look(wanted);
}

/** A message has another key, or is not there any more. What followed it follows `heir`. */
export function unsay(
  draft: Draft,
  key: string,
  heir: string | null | undefined = draft.parents.get(key),
): void {
  for (const [other, parent] of draft.parents) if (parent === key) draft.place(other, heir);
  draft.place(key, undefined);
  const { branches } = draft.memory;
  if (branches.leaf === key) draft.remember({ branches: { ...branches, leaf: heir ?? null } });
  draft.look();
}

/** The log goes on with another branch, if it was not on that. */
export function moveTo(draft: Draft, move: Move): void {
  const { branches } = draft.memory;
  const before = draft.entries.findLast(
    (entry) => entry.kind === 'user' && rankOf(entry) < move.seq,
  );
  if (before?.id === move.to || branches.moves.some(({ seq }) => seq === move.seq)) return;
  const moves = [...branches.moves, move].sort((a, b) => a.seq - b.seq);
  draft.remember({ branches: { ...branches, moves } });
  draft.look();
}
