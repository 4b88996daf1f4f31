import type { ConversationState, Entry, ReducerMemory } from './state.ts';

/**
 * A state that is being changed by a batch of events. The entries are copied at most once, however
 * many events there are, and an entry is found from the end, where all that happens happens.
 */
export class Draft {
  #state: ConversationState;
  #entries: Entry[] | null = null;

  constructor(state: ConversationState) {
    this.#state = state;
  }

  get state(): ConversationState {
    return this.#state;
  }

  get entries(): readonly Entry[] {
    return this.#entries ?? this.#state.entries;
  }

  get memory(): ReducerMemory {
    return this.#state.memory;
  }

  set(changes: Partial<Omit<ConversationState, 'entries' | 'memory'>>): void {
    this.#state = { ...this.#state, ...changes };
  }

  remember(changes: Partial<ReducerMemory>): void {
    this.#state = { ...this.#state, memory: { ...this.memory, ...changes } };
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

  remove(key: string): void {
    const index = this.#indexOf(key);
    if (index >= 0) this.#own().splice(index, 1);
  }

  /** Puts an entry where its `seq` says: after its equals, and before all that is not in the log. */
  insert(entry: Entry): void {
    const entries = this.#own();
    const rank = rankOf(entry);
    entries.splice(entries.findLastIndex((each) => rankOf(each) <= rank) + 1, 0, entry);
  }

  /** Puts an entry in the place of that of a key, or elsewhere if its `seq` says so. */
  replace(key: string, entry: Entry): void {
    const index = this.#indexOf(key);
    const [before, after] = [this.entries[index - 1], this.entries[index + 1]];
    const rank = rankOf(entry);
    if ((!before || rankOf(before) <= rank) && (!after || rank <= rankOf(after))) {
      this.#own()[index] = entry;
    } else {
      this.remove(key);
      this.insert(entry);
    }
  }

  prepend(entries: readonly Entry[]): void {
    this.#entries = [...entries, ...this.entries];
  }

  finish(): ConversationState {
    if (this.#entries) this.#state = { ...this.#state, entries: this.#entries };
    const { connection } = this.#state;
    const running = connection !== 'closed' && (this.memory.serverRunning || this.#onItsWay());
    if (running !== this.#state.running) this.set({ running });
    // The run that was to be stopped may have ended in a part of the log that was read as a page.
    if (this.#state.stopping && !running && !this.#waits()) this.set({ stopping: false });
    return this.#state;
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
    this.#entries ??= [...this.#state.entries];
    return this.#entries;
  }
}

function rankOf(entry: Entry): number {
  return entry.seq ?? Infinity;
}
