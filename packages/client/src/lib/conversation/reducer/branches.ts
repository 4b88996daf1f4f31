import type { Branches, ConversationState, Entry, UserEntry } from '../state.ts';
import { type BranchArranger, type MessageChanges, rankOf } from './state-draft.ts';

/** Returns the key or id of the last message of the log's current branch; null without messages. */
export function headOf(
  entries: readonly Entry[],
  { moves }: Pick<Branches, 'moves'>,
): string | null {
  const newest = entries.findLast(isUser);
  const move = moves.at(-1);
  const isLatest = move && (!newest || move.seq > rankOf(newest));
  return isLatest ? move.to : (newest?.key ?? null);
}

/** Selects the entries to show. An entry belongs to the branch of the user message before it. */
export const arrangeBranches: BranchArranger = (state, entries, changes) => {
  if (changes) return arrange(state, entries, changes);
  const { branches } = state.memory;
  const next = { ...state, entries: shownEntries(entries, branches) };
  if (!branches.path) return next;
  return { ...next, memory: { ...state.memory, branches: { ...branches, all: entries } } };
};

function arrange(
  state: ConversationState,
  entries: readonly Entry[],
  { parents, added, wanted, moves }: MessageChanges,
): ConversationState {
  const tree = new MessageTree(entries, parents);
  const head = headOf(entries, { moves });
  const leaf = tree.chooseLeaf(state.memory.branches.leaf, head, added, wanted);
  const all = tree.withVersions(entries);
  const prelude = !state.hasEarlier || tree.hasUnloadedParent(leaf);
  const path = prelude && tree.isLinear(leaf) ? null : tree.pathTo(leaf);
  const branches: Branches = {
    all: path && all,
    parents,
    leaf: leaf === head ? null : leaf,
    path,
    prelude,
    moves,
  };
  return { ...state, entries: shownEntries(all, branches), memory: { ...state.memory, branches } };
}

/** Returns the entries of the branch that is shown. */
function shownEntries(all: readonly Entry[], branches: Branches): readonly Entry[] {
  const { path, prelude, moves } = branches;
  if (!path) return all;
  let isShown = prelude;
  let nextMove = 0;
  return all.filter((entry) => {
    for (let move = moves[nextMove]; move && move.seq <= rankOf(entry); move = moves[nextMove]) {
      isShown = path.has(move.to);
      nextMove += 1;
    }
    if (isUser(entry)) isShown = path.has(entry.key);
    return isShown;
  });
}

/** Index of a parent that does not exist or is not loaded. */
const noParent = -1;

/** The tree of the user's messages. A message is identified by its index in the order of the log. */
class MessageTree {
  readonly #messages: readonly UserEntry[];
  readonly #indexes = new Map<string, number>();
  readonly #parents: ReadonlyMap<string, string | null>;

  constructor(entries: readonly Entry[], parents: ReadonlyMap<string, string | null>) {
    this.#messages = entries.filter(isUser);
    this.#parents = parents;
    for (const [index, { key, id }] of this.#messages.entries()) {
      this.#indexes.set(key, index);
      if (id !== null) this.#indexes.set(id, index);
    }
  }

  /**
   * Returns the key of the last message of the branch to show, or its id if it is not loaded. The log's
   * current branch is shown until the user selects another branch.
   *
   * @param previous The last message of the branch that was shown; null if that was `head`.
   * @param head The last message of the log's current branch.
   */
  chooseLeaf(
    previous: string | null,
    head: string | null,
    added: readonly string[],
    wanted: MessageChanges['wanted'],
  ): string | null {
    const root = wanted ? this.#find(wanted.key, wanted.at) : undefined;
    let leaf = root === undefined ? (previous ?? head) : this.#newestDescendant(root);
    if (leaf === head) return head;
    let path = this.pathTo(leaf);
    for (const key of added) {
      const index = this.#indexes.get(key);
      if (index === undefined || path.has(key)) continue;
      // A message that another tab adds to a hidden branch does not change the shown branch.
      const parent = this.#parentOf(index);
      if (parent !== noParent && !path.has(this.#keyOf(parent))) continue;
      path = this.#keyOf(parent) === leaf ? path.add(key) : this.pathTo(key);
      leaf = key;
    }
    return leaf;
  }

  /** Returns the keys and ids of a message and its ancestors. */
  pathTo(leaf: string | null): Set<string> {
    const path = new Set(leaf === null ? [] : [leaf]);
    const start = this.#indexes.get(leaf ?? '') ?? noParent;
    for (let index = start; index >= 0; index = this.#parentOf(index)) {
      path.add(this.#keyOf(index)).add(this.#messages[index]?.id ?? this.#keyOf(index));
    }
    return path;
  }

  /** Whether there is only one branch, and `leaf` is its last message. */
  isLinear(leaf: string | null): boolean {
    if (leaf !== (this.#messages.at(-1)?.key ?? null)) return false;
    return this.#messages.every((_, index) => this.#parentOf(index) === index - 1);
  }

  /** Whether the branch begins with a message whose parent is not loaded. */
  hasUnloadedParent(leaf: string | null): boolean {
    const [first] = this.#messages;
    if (!first) return leaf === null;
    return !this.#parents.has(first.key) && this.pathTo(leaf).has(first.key);
  }

  /** Sets `versions` of the messages that have alternatives. */
  withVersions(entries: readonly Entry[]): readonly Entry[] {
    const groups = new Map<string | number, UserEntry[]>();
    for (const [index, message] of this.#messages.entries()) {
      const group = this.#groupOf(index);
      groups.set(group, [...(groups.get(group) ?? []), message]);
    }
    const changed = new Map<Entry, Entry>();
    for (const group of groups.values()) {
      for (const [at, message] of group.entries()) {
        const { versions } = message;
        const of = group.length;
        if (of === 1 ? versions === null : versions?.at === at && versions.of === of) continue;
        changed.set(message, { ...message, versions: of === 1 ? null : { at, of } });
      }
    }
    return changed.size === 0 ? entries : entries.map((entry) => changed.get(entry) ?? entry);
  }

  /** Returns the index of a message, or of its version with the index `at`. */
  #find(key: string, at: number | null): number | undefined {
    const index = this.#indexes.get(key);
    if (index === undefined || at === null) return index;
    const group = this.#groupOf(index);
    return [...this.#messages.keys()].filter((each) => this.#groupOf(each) === group)[at];
  }

  #keyOf(index: number): string {
    return this.#messages[index]?.key ?? '';
  }

  /** Identifies the versions of one message: they have the same parent, which may not be loaded. */
  #groupOf(index: number): string | number {
    const parent = this.#parentOf(index);
    return parent === noParent ? (this.#parents.get(this.#keyOf(index)) ?? '') : parent;
  }

  #parentOf(index: number): number {
    const parent = this.#parents.get(this.#keyOf(index));
    if (parent === undefined) return index - 1;
    const found = parent === null ? noParent : (this.#indexes.get(parent) ?? noParent);
    // A later message, or the message itself, is an invalid parent.
    return found < index ? found : index - 1;
  }

  /** Returns the key of the newest message in a subtree. */
  #newestDescendant(root: number): string {
    const subtree = new Set([root]);
    let newest = root;
    for (let index = root + 1; index < this.#messages.length; index += 1) {
      if (!subtree.has(this.#parentOf(index))) continue;
      subtree.add(index);
      newest = index;
    }
    return this.#keyOf(newest);
  }
}

function isUser(entry: Entry): entry is UserEntry {
  return entry.kind === 'user';
}
