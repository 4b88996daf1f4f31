import type { Entry } from '@inlay/client';

const noNews: readonly Entry[] = [];

/** Tracks the entries that arrived since the user was last at the end. */
export class Unread {
  #seen: string | null = null;
  #news = noNews;
  #first: string | null = null;

  /** Number of unread agent messages. */
  get count(): number {
    return this.#news.length;
  }

  /** Key of the entry below the unread separator; null for none. */
  get first(): string | null {
    return this.#first;
  }

  /** Updates the list. Returns true when the first unread message arrives. */
  update(entries: readonly Entry[], atEnd: boolean): boolean {
    if (atEnd) this.read(entries);
    const seen = entries.findLastIndex(({ key }) => key === this.#seen);
    const before = this.#news.length;
    this.#news =
      seen === -1 ? noNews : entries.slice(seen + 1).filter(({ kind }) => kind === 'agent');
    if (before > 0 || !this.#news[0]) return false;
    this.#first = this.#news[0].key;
    return true;
  }

  /** Marks all entries as read. */
  read(entries: readonly Entry[]) {
    this.#seen = entries.at(-1)?.key ?? null;
    this.#news = noNews;
  }

  /** Removes the unread separator, because the user sent a message. */
  unmark() {
    this.#first = null;
  }
}
