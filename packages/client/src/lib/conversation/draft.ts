import type { ConversationState, Entry, ReducerMemory } from './state.ts';

/**
 * A state that is being changed by a batch of events. The entries are copied at most once, however
 * many events there are, and an entry is found from the end, where all that happens happens.
 */
export class Draft {
  readonly #before: ConversationState;
  #state: ConversationState;
  #entries: Entry[] | null = null;

  constructor(state: ConversationState) {
    this.#before = state;
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

  /** The last entry that fits, as its index; -1 for none. */
  findLast(fits: (entry: Entry) => boolean): number {
    return this.entries.findLastIndex(fits);
  }

  replace(index: number, entry: Entry): void {
    this.#own()[index] = entry;
  }

  remove(index: number): void {
    this.#own().splice(index, 1);
  }

  /** Puts an entry where its `seq` says: after its equals, and before all that is not in the log. */
  insert(entry: Entry): void {
    const entries = this.#own();
    const rank = rankOf(entry);
    let index = entries.length;
    while (index > 0 && rankOf(entries[index - 1]) > rank) index -= 1;
    entries.splice(index, 0, entry);
  }

  /** Changes an entry, and moves it if its place in the log became another. */
  update(index: number, entry: Entry): void {
    const rank = rankOf(entry);
    const inOrder =
      rankOf(this.entries[index - 1]) <= rank &&
      (index === this.entries.length - 1 || rank <= rankOf(this.entries[index + 1]));
    if (inOrder) {
      this.replace(index, entry);
    } else {
      this.remove(index);
      this.insert(entry);
    }
  }

  prepend(entries: readonly Entry[]): void {
    this.#entries = [...entries, ...this.entries];
  }

  finish(): ConversationState {
    if (this.#entries) this.#state = { ...this.#state, entries: this.#entries };
    const running = this.memory.serverRunning || this.#onItsWay();
    if (running !== this.#state.running) this.#state = { ...this.#state, running };
    return this.#state === this.#before ? this.#before : this.#state;
  }

  /** Whether the person waits for something that the server has not begun to answer. */
  #onItsWay(): boolean {
    const { entries } = this;
    const { lastSeq } = this.#state;
    for (let index = entries.length - 1; index >= 0; index -= 1) {
      const entry = entries[index];
      if (entry?.kind !== 'user' || (entry.seq !== null && entry.seq <= lastSeq)) return false;
      if (entry.delivery === 'sending' || entry.delivery === 'sent') return true;
    }
    return false;
  }

  #own(): Entry[] {
    this.#entries ??= [...this.#state.entries];
    return this.#entries;
  }
}

function rankOf(entry: Entry | undefined): number {
  return entry === undefined ? Number.NEGATIVE_INFINITY : (entry.seq ?? Number.POSITIVE_INFINITY);
}
