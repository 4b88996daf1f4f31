import type { Entry, PageStoreKind } from '@inlay/client';

const none: readonly Entry[] = [];

const storageKey = 'inlay:unread';

/** Tracks the agent messages that arrived since the user was last at the end. */
export class Unread {
  #seen: string | null = null;
  #unread = none;
  #first: string | null = null;
  readonly #kind: () => PageStoreKind;

  /** @param kind - Where the unread separator is stored for the next page load. */
  constructor(kind: () => PageStoreKind) {
    this.#kind = kind;
  }

  /** Number of unread agent messages. */
  get count(): number {
    return this.#unread.length;
  }

  /** Key of the entry below the unread separator, which the previous page may have set; empty for none. */
  get first(): string {
    this.#first ??= this.#store() ?? '';
    return this.#first;
  }

  /** Stores a key, and returns the stored one. */
  #store(key?: string): string | null {
    const kind = this.#kind();
    try {
      const storage = kind === 'memory' ? null : globalThis[`${kind}Storage`];
      if (key !== undefined) storage?.setItem(storageKey, key);
      return storage?.getItem(storageKey) ?? null;
    } catch {
      // The storage is blocked or full.
      return null;
    }
  }

  /** Updates the list. Returns true when the first unread message arrives. */
  update(entries: readonly Entry[], atEnd: boolean): boolean {
    if (atEnd) this.markRead(entries);
    const seenIndex = entries.findLastIndex(({ key }) => key === this.#seen);
    const before = this.#unread.length;
    this.#unread =
      seenIndex === -1 ? none : entries.slice(seenIndex + 1).filter(({ kind }) => kind === 'agent');
    if (before > 0 || !this.#unread[0]) return false;
    this.#first = this.#unread[0].key;
    this.#store(this.#first);
    return true;
  }

  /** Marks all entries as read. */
  markRead(entries: readonly Entry[]) {
    this.#seen = entries.at(-1)?.key ?? null;
    this.#unread = none;
  }

  /** Removes the unread separator, because the user sent a message. */
  removeSeparator() {
    this.#first = '';
    this.#store('');
  }
}
