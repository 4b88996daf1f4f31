import { type Arrange, type Changes, rankOf } from './draft.ts';
import type { Branches, ConversationState, Entry, UserEntry } from './state.ts';

/** The last message of the branch that the log is on: its key or id; null before the first. */
export function headOf(
  entries: readonly Entry[],
  { moves }: Pick<Branches, 'moves'>,
): string | null {
  const newest = entries.findLast(isUser);
  const move = moves.at(-1);
  const isLatest = move && (!newest || move.seq > rankOf(newest));
  return isLatest ? move.to : (newest?.key ?? null);
}

/** Decides what is shown. An entry belongs to the branch of the message that stands before it. */
export const inBranches: Arrange = (state, entries, changes) => {
  if (changes) return arrange(state, entries, changes);
  const { branches } = state.memory;
  const next = { ...state, entries: shown(entries, branches) };
  if (!branches.path) return next;
  return { ...next, memory: { ...state.memory, branches: { ...branches, all: entries } } };
};

function arrange(
  state: ConversationState,
  entries: readonly Entry[],
  { parents, said, wanted, moves }: Changes,
): ConversationState {
  const tree = new MessageTree(entries, parents);
  const head = headOf(entries, { moves });
  const leaf = tree.choose(state.memory.branches.leaf, head, said, wanted);
  const all = tree.withVersions(entries);
  const prelude = !state.hasEarlier || tree.followsUnread(leaf);
  const path = prelude && tree.isLine(leaf) ? null : tree.pathTo(leaf);
  const branches: Branches = {
    all: path && all,
    parents,
    leaf: leaf === head ? null : leaf,
    path,
    prelude,
    moves,
  };
  return { ...state, entries: shown(all, branches), memory: { ...state.memory, branches } };
}

/** The entries of the branch that is shown. */
function shown(all: readonly Entry[], branches: Branches): readonly Entry[] {
  const { path, prelude, moves } = branches;
  if (!path) return all;
  let on = prelude;
  let next = 0;
  return all.filter((entry) => {
    for (let move = moves[next]; move && move.seq <= rankOf(entry); move = moves[next]) {
      on = path.has(move.to);
      next += 1;
    }
    if (isUser(entry)) on = path.has(entry.key);
    return on;
  });
}

/** What follows no message that was read: the beginning, or something before the part that was read. */
const beginning = -1;

/** The messages of a conversation in the order of the log, by their places in it. */
class MessageTree {
  readonly #messages: readonly UserEntry[];
  readonly #places = new Map<string, number>();
  readonly #parents: ReadonlyMap<string, string | null>;

  constructor(entries: readonly Entry[], parents: ReadonlyMap<string, string | null>) {
    this.#messages = entries.filter(isUser);
    this.#parents = parents;
    for (const [place, { key, id }] of this.#messages.entries()) {
      this.#places.set(key, place);
      if (id !== null) this.#places.set(id, place);
    }
  }

  /**
   * Key of the last message of the branch to be shown; the id of one that was not read yet. It is
   * the branch that the log is on, until the person looks at another one. `former`: null for `head`.
   */
  choose(
    former: string | null,
    head: string | null,
    said: readonly string[],
    wanted: Changes['wanted'],
  ): string | null {
    const top = wanted ? this.#find(wanted.key, wanted.at) : undefined;
    let leaf = top === undefined ? (former ?? head) : this.#newestUnder(top);
    if (leaf === head) return head;
    let path = this.pathTo(leaf);
    for (const key of said) {
      const place = this.#places.get(key);
      if (place === undefined || path.has(key)) continue;
      // What somebody says elsewhere on a branch that is not shown does not take this one away.
      const parent = this.#parentOf(place);
      if (parent !== beginning && !path.has(this.#keyOf(parent))) continue;
      path = this.#keyOf(parent) === leaf ? path.add(key) : this.pathTo(key);
      leaf = key;
    }
    return leaf;
  }

  pathTo(leaf: string | null): Set<string> {
    const path = new Set(leaf === null ? [] : [leaf]);
    for (let at = this.#places.get(leaf ?? '') ?? beginning; at >= 0; at = this.#parentOf(at)) {
      path.add(this.#keyOf(at)).add(this.#messages[at]?.id ?? this.#keyOf(at));
    }
    return path;
  }

  /** Whether there is one branch only. */
  isLine(leaf: string | null): boolean {
    if (leaf !== (this.#messages.at(-1)?.key ?? null)) return false;
    return this.#messages.every((_, place) => this.#parentOf(place) === place - 1);
  }

  /** Whether the branch begins with a message that follows whatever was said before the first one. */
  followsUnread(leaf: string | null): boolean {
    const [first] = this.#messages;
    if (!first) return leaf === null;
    return !this.#parents.has(first.key) && this.pathTo(leaf).has(first.key);
  }

  /** Tells the messages that were said in the same place from each other. */
  withVersions(entries: readonly Entry[]): readonly Entry[] {
    const groups = new Map<string | number, UserEntry[]>();
    for (const [place, message] of this.#messages.entries()) {
      const name = this.#groupOf(place);
      groups.set(name, [...(groups.get(name) ?? []), message]);
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

  #find(key: string, at: number | null): number | undefined {
    const place = this.#places.get(key);
    if (place === undefined || at === null) return place;
    const group = this.#groupOf(place);
    return [...this.#messages.keys()].filter((each) => this.#groupOf(each) === group)[at];
  }

  #keyOf(place: number): string {
    return this.#messages[place]?.key ?? '';
  }

  /** What the message at a place follows, also where that was not read. */
  #groupOf(place: number): string | number {
    const parent = this.#parentOf(place);
    return parent === beginning ? (this.#parents.get(this.#keyOf(place)) ?? '') : parent;
  }

  #parentOf(place: number): number {
    const parent = this.#parents.get(this.#keyOf(place));
    if (parent === undefined) return place - 1;
    const found = parent === null ? beginning : (this.#places.get(parent) ?? beginning);
    // A message that would follow a later one, or itself, is not the work of a server.
    return found < place ? found : place - 1;
  }

  #newestUnder(top: number): string {
    const under = new Set([top]);
    let newest = top;
    for (let place = top + 1; place < this.#messages.length; place += 1) {
      if (!under.has(this.#parentOf(place))) continue;
      under.add(place);
      newest = place;
    }
    return this.#keyOf(newest);
  }
}

function isUser(entry: Entry): entry is UserEntry {
  return entry.kind === 'user';
}
