import type { Entry } from '@inlay/client';

const noNews: readonly Entry[] = [];

/** What has come since the reader was last at the end. */
export class Unread {
  #seen: string | null = null;
  #news = noNews;
  #first: string | null = null;

  /** How many answers are new. */
  get count(): number {
    return this.#news.length;
  }

  /** Key of the first of those that are new, or were when the reader came back; null without. */
  get first(): string | null {
    return this.#first;
  }

  /** Takes another list. True where there are news, and were none before. */
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

  /** The reader has seen all there is. */
  read(entries: readonly Entry[]) {
    this.#seen = entries.at(-1)?.key ?? null;
    this.#news = noNews;
  }

  /** The user goes on talking: nothing is marked as new any more. */
  unmark() {
    this.#first = null;
  }
}
