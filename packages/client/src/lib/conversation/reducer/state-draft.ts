import type { Allowance } from '@inlay/protocol';
import type { BranchChange, ConversationState, Entry, ReducerMemory } from '../state.ts';

/** Changes to the user's messages since the branches were last arranged. */
export interface MessageChanges {
  readonly parents: ReadonlyMap<string, string | null>;
  /** Keys of added messages, in order. */
  readonly added: readonly string[];
  readonly moves: readonly BranchChange[];
  /**
   * The message whose newest branch is to be shown: the message with this key or id, or its version
   * with the index `at`. Null to keep the shown branch.
   */
  readonly wanted: { readonly key: string; readonly at: number | null } | null;
}

/** Selects the entries to show. `changes` is null if no message was added, removed or moved. */
export type BranchArranger = (
  state: ConversationState,
  entries: readonly Entry[],
  changes: MessageChanges | null,
) => ConversationState;

/** Whether unfinished entries are shown as ended, because the connection is closed or the session archived. */
export function isSuspended({ connection, session }: ConversationState): boolean {
  return connection === 'closed' || session?.archived_at != null;
}

/** Returns the sort rank of an entry. Entries that are not in the log are last. */
export function rankOf(entry: Entry): number {
  return entry.seq ?? Infinity;
}

/**
 * Mutable copy of a state, to which a batch of events is applied. The entries are copied at most once
 * for each batch, and searched from the end, because most events change the last entries.
 *
 * `entries` contains the entries of all branches. `arrange` selects the entries to show.
 */
export class StateDraft {
  readonly #arrange: BranchArranger;
  #state: ConversationState;
  #entries: Entry[] | null = null;
  /** Keys of all entries, built when they are first needed. */
  #keys: Set<string> | null = null;
  #parents: Map<string, string | null> | null = null;
  /** Keys of the added messages; null if no message was added, removed or moved. */
  #added: string[] | null = null;
  #wanted: MessageChanges['wanted'] = null;

  constructor(state: ConversationState, arrange: BranchArranger) {
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

  /** Changes the public state. */
  set(changes: Partial<Omit<ConversationState, 'memory'>>): void {
    this.#state = { ...this.#state, ...changes };
  }

  /** Changes the internal state. */
  remember(changes: Partial<ReducerMemory>): void {
    this.#state = { ...this.#state, memory: { ...this.memory, ...changes } };
  }

  /** Replaces the allowances of the given types. */
  setAllowances(allowances: readonly Allowance[]): void {
    const byType = new Map(
      [...this.#state.allowances, ...allowances].map((each) => [each.type, each]),
    );
    if (allowances.length > 0) this.set({ allowances: [...byType.values()] });
  }

  /** Returns the entry with this key if it is of one of these kinds. */
  find<Kind extends Entry['kind']>(
    key: string,
    ...kinds: Kind[]
  ): Extract<Entry, { kind: Kind }> | undefined {
    const entry = this.entries[this.#indexOf(key)];
    return kinds.some((kind) => kind === entry?.kind)
      ? (entry as Extract<Entry, { kind: Kind }>)
      : undefined;
  }

  /** Whether there is an entry with this key. */
  has(key: string): boolean {
    this.#keys ??= new Set(this.entries.map((entry) => entry.key));
    return this.#keys.has(key);
  }

  remove(key: string): void {
    const index = this.#indexOf(key);
    if (index < 0) return;
    this.#ownEntries().splice(index, 1);
    this.#keys?.delete(key);
  }

  /**
   * Inserts an entry in stable `seq` order; unsent entries sort last. Keys are unique: an entry whose
   * key is in use is dropped.
   *
   * @returns Whether the entry was inserted.
   */
  insert(entry: Entry): boolean {
    if (this.has(entry.key)) return false;
    this.#keys?.add(entry.key);
    const entries = this.#ownEntries();
    const rank = rankOf(entry);
    entries.splice(entries.findLastIndex((each) => rankOf(each) <= rank) + 1, 0, entry);
    return true;
  }

  /** Replaces the entry with this key. The new entry is moved to the position that its `seq` requires. */
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
      this.#ownEntries()[index] = entry;
    } else {
      this.remove(key);
      this.insert(entry);
    }
  }

  /** Adds the entries of an earlier page of the log. */
  prepend(entries: readonly Entry[]): void {
    this.#entries = [...entries.filter(({ key }) => !this.has(key)), ...this.entries];
    this.#keys = null;
    this.rearrange();
  }

  /**
   * Records a new message.
   *
   * @param parent Id or key of its parent; null for none; undefined for the message before it.
   */
  addMessage(key: string, parent: string | null | undefined): void {
    this.setParent(key, parent);
    this.rearrange();
    this.#added?.push(key);
  }

  /** Sets the parent of a message; undefined for the message before it. */
  setParent(key: string, parent: string | null | undefined): void {
    this.#parents ??= new Map(this.parents);
    if (parent === undefined) this.#parents.delete(key);
    else this.#parents.set(key, parent);
  }

  /** Records that messages were added, removed or moved, so that `arrange` selects the branch again. */
  rearrange(wanted = this.#wanted): void {
    this.#added ??= [];
    this.#wanted = wanted;
  }

  /** Returns the new state. */
  finish(): ConversationState {
    this.arrange();
    const { lastSeq, stopReason, welcome } = this.#state;
    if (welcome && lastSeq > 0) this.set({ welcome: null });
    const isOpen = !isSuspended(this.#state);
    const running = isOpen && (this.memory.serverRunning || this.#awaitsRun());
    const stoppable = running || (isOpen && stopReason?.type === 'requires_action');
    if (running !== this.#state.running || stoppable !== this.#state.stoppable) {
      this.set({ running, stoppable });
    }
    // A page of the log may contain the end of the run that the user stopped.
    if (this.#state.stopping && !stoppable && !this.#hasQueued()) this.set({ stopping: false });
    return this.#state;
  }

  /** Selects the entries to show. */
  arrange(): void {
    const { entries, parents } = this;
    const { moves } = this.memory.branches;
    const added = this.#added;
    if (added || this.#entries) {
      const changes = added && { parents, added, wanted: this.#wanted, moves };
      this.#state = this.#arrange(this.#state, entries, changes);
    }
    this.#entries = null;
    this.#parents = null;
    this.#added = null;
    this.#wanted = null;
  }

  /** Whether a message is being sent, or was sent and has not arrived by the stream. */
  #awaitsRun(): boolean {
    const { lastSeq } = this.#state;
    return this.entries.some(
      (entry) =>
        entry.kind === 'user' &&
        (entry.delivery === 'sending' || (entry.delivery === 'sent' && rankOf(entry) > lastSeq)),
    );
  }

  #hasQueued(): boolean {
    return this.entries.some((entry) => entry.kind === 'user' && entry.delivery === 'queued');
  }

  #indexOf(key: string): number {
    return this.entries.findLastIndex((entry) => entry.key === key);
  }

  /** Returns the entries as a copy that can be changed. */
  #ownEntries(): Entry[] {
    this.#entries ??= [...this.entries];
    return this.#entries;
  }
}
