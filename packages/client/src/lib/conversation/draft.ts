import type { Allowance } from '@inlay/protocol';
import type { ConversationState, Entry, Move, ReducerMemory } from './state.ts';

/** What happened to the messages since the branches were arranged. */
export interface Changes {
  readonly parents: ReadonlyMap<string, string | null>;
  /** Keys of what was said, in its order. */
  readonly said: readonly string[];
  readonly moves: readonly Move[];
  /**
   * The newest branch is to be shown that holds a message, by its key or id; or another of those
   * that were said in its place, by its number.
   */
  readonly wanted: { readonly key: string; readonly at: number | null } | null;
}

/** Decides what is shown of all entries; null for messages of which none came, went or moved. */
export type Arrange = (
  state: ConversationState,
  entries: readonly Entry[],
  changes: Changes | null,
) => ConversationState;

/** Whether nothing can come or be sent: the stream is closed for good, or the session archived. */
export function isSuspended({ connection, session }: ConversationState): boolean {
  return connection === 'closed' || session?.archived_at != null;
}

/** What is not in the log stands after all that is. */
export function rankOf(entry: Entry): number {
  return entry.seq ?? Infinity;
}

/**
 * A state that is being changed by a batch of events. The entries are copied at most once, however
 * many events there are, and an entry is found from the end, where all that happens happens.
 *
 * Its entries are those of all branches: which of them are shown is decided at the end.
 */
export class Draft {
  readonly #arrange: Arrange;
  #state: ConversationState;
  #entries: Entry[] | null = null;
  /** Keys of all entries, once a new one has to be compared with them. */
  #keys: Set<string> | null = null;
  #parents: Map<string, string | null> | null = null;
  /** Keys of what was said in this batch; null where the branches need no look. */
  #said: string[] | null = null;
  #wanted: Changes['wanted'] = null;

  constructor(state: ConversationState, arrange: Arrange) {
    this.#state = state;
    this.#arrange = arrange;
  }

  get state(): ConversationState {
    return this.#state;
  }

  get entries(): readonly Entry[] {
    return this.#entries ?? this.memory.branches.all ?? this.#state.entries;
  }

  get parents(): ReadonlyMap<string, string | null> {
    return this.#parents ?? this.memory.branches.parents;
  }

  get memory(): ReducerMemory {
    return this.#state.memory;
  }

  set(changes: Partial<Omit<ConversationState, 'memory'>>): void {
    this.#state = { ...this.#state, ...changes };
  }

  remember(changes: Partial<ReducerMemory>): void {
    this.#state = { ...this.#state, memory: { ...this.memory, ...changes } };
  }

  /** Takes in what is used up, of what is named. */
  allow(allowances: readonly Allowance[]): void {
    const told = new Map(
      [...this.#state.allowances, ...allowances].map((each) => [each.type, each]),
    );
    if (allowances.length > 0) this.set({ allowances: [...told.values()] });
  }

  /** The last entry of this key, if it is of one of these kinds. */
  find<Kind extends Entry['kind']>(
    key: string,
    ...kinds: Kind[]
  ): Extract<Entry, { kind: Kind }> | undefined {
    const entry = this.entries[this.#indexOf(key)];
    return kinds.some((kind) => kind === entry?.kind)
      ? (entry as Extract<Entry, { kind: Kind }>)
      : undefined;
  }

  /** Whether an entry has this key. */
  has(key: string): boolean {
    this.#keys ??= new Set(this.entries.map((entry) => entry.key));
    return this.#keys.has(key);
  }

  remove(key: string): void {
    const index = this.#indexOf(key);
    if (index < 0) return;
    this.#own().splice(index, 1);
    this.#keys?.delete(key);
  }

  /**
   * Puts an entry where its `seq` says: after its equals, and before all that is not in the log. Keys
   * are unique, so an entry whose key is in use is dropped. Returns whether it was inserted.
   */
  insert(entry: Entry): boolean {
    if (this.has(entry.key)) return false;
    this.#keys?.add(entry.key);
    const entries = this.#own();
    const rank = rankOf(entry);
    entries.splice(entries.findLastIndex((each) => rankOf(each) <= rank) + 1, 0, entry);
    return true;
  }

  /** Puts an entry in the place of that of a key, or elsewhere if its `seq` says so. */
  replace(key: string, entry: Entry): void {
    const index = this.#indexOf(key);
    if (index < 0 || key !== entry.key) {
      this.remove(key);
      this.insert(entry);
      return;
    }
    const [before, after] = [this.entries[index - 1], this.entries[index + 1]];
    const rank = rankOf(entry);
    if ((!before || rankOf(before) <= rank) && (!after || rank <= rankOf(after))) {
      this.#own()[index] = entry;
    } else {
      this.remove(key);
      this.insert(entry);
    }
  }

  /** Puts the entries of an earlier part of the log before these. */
  prepend(entries: readonly Entry[]): void {
    this.#entries = [...entries.filter(({ key }) => !this.has(key)), ...this.entries];
    this.#keys = null;
    this.look();
  }

  /**
   * A message was said, after another one: the id or key of that, null for none; undefined for the
   * one that stands before it.
   */
  say(key: string, parent: string | null | undefined): void {
    this.place(key, parent);
    this.look();
    this.#said?.push(key);
  }

  /** Notes what a message follows; undefined for the one that stands before it. */
  place(key: string, parent: string | null | undefined): void {
    this.#parents ??= new Map(this.parents);
    if (parent === undefined) this.#parents.delete(key);
    else this.#parents.set(key, parent);
  }

  /** Messages came, went or moved: what is shown is decided anew, with what is wanted. */
  look(wanted = this.#wanted): void {
    this.#said ??= [];
    this.#wanted = wanted;
  }

  finish(): ConversationState {
    this.arrange();
    const { stopReason } = this.#state;
    const isOpen = !isSuspended(this.#state);
    const running = isOpen && (this.memory.serverRunning || this.#onItsWay());
    const stoppable = running || (isOpen && stopReason?.type === 'requires_action');
    if (running !== this.#state.running || stoppable !== this.#state.stoppable) {
      this.set({ running, stoppable });
    }
    // The run that was to be stopped may have ended in a part of the log that was read as a page.
    if (this.#state.stopping && !stoppable && !this.#waits()) this.set({ stopping: false });
    return this.#state;
  }

  /** Decides what is shown, as far as things have come. */
  arrange(): void {
    const { entries, parents } = this;
    const { moves } = this.memory.branches;
    const said = this.#said;
    if (said || this.#entries) {
      const changes = said && { parents, said, wanted: this.#wanted, moves };
      this.#state = this.#arrange(this.#state, entries, changes);
    }
    this.#entries = null;
    this.#parents = null;
    this.#said = null;
    this.#wanted = null;
  }

  /** Whether the person waits for something that the server has not begun to answer. */
  #onItsWay(): boolean {
    const { lastSeq } = this.#state;
    return this.entries.some(
      (entry) =>
        entry.kind === 'user' &&
        (entry.delivery === 'sending' || (entry.delivery === 'sent' && rankOf(entry) > lastSeq)),
    );
  }

  /** Whether something that the person said has still to be sent. */
  #waits(): boolean {
    return this.entries.some((entry) => entry.kind === 'user' && entry.delivery === 'queued');
  }

  #indexOf(key: string): number {
    return this.entries.findLastIndex((entry) => entry.key === key);
  }

  #own(): Entry[] {
    this.#entries ??= [...this.entries];
    return this.#entries;
  }
}
