import type { Entry } from '@inlay/client';

const none: readonly Entry[] = [];

/** Tracks the agent messages that arrived since the user was last at the end. */
export class Unread {
  #seen: string | null = null;
  #unread = none;
  #first: string | null = null;

  /** Number of unread agent messages. */
  get count(): number {
    return this.#unread.length;
  }

  /** Key of the entry below the unread separator; null for none. */
  get first(): string | null {
    return this.#first;
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
    return true;
  }

  /** Marks all entries as read. */
  markRead(entries: readonly Entry[]) {
    this.#seen = entries.at(-1)?.key ?? null;
    this.#unread = none;
  }

  /** Removes the unread separator, because the user sent a message. */
  removeSeparator() {
    this.#first = null;
  }
}
