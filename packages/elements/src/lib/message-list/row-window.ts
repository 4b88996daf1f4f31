import type { Entry } from '@inlay/client';
import { RowHeights } from './row-heights.ts';

/**
 * How far above and below the view rows are in the page, in heights of the view: what there has to
 * be, what is drawn when it is not there, and beyond what rows are given up.
 */
const needed = 0.5;
const drawn = 1;
const kept = 1.5;

/** The least that a view is taken for, in pixels: before it was measured, or where it is tiny. */
const smallestView = 240;

/** Where the reader is: at the end, or so many pixels below the top of the first row. */
export interface View {
  readonly top: number | 'end';
  /** In pixels; 0 while it is not known. */
  readonly height: number;
}

/** A row to draw, or the space that those which are not drawn take. */
export type Item =
  | { readonly key: string; readonly index: number; readonly entry: Entry }
  | { readonly key: string; readonly gap: number };

/**
 * Which rows of a list are in the page: those near the view and those that must not go. However
 * long the list is, these stay few.
 */
export class RowWindow {
  readonly heights = new RowHeights();
  #entries: readonly Entry[] = [];
  #from = 0;
  #to = 0;

  /** Takes another list and keeps the rows that are drawn. False where it has nothing in common. */
  update(entries: readonly Entry[]): boolean {
    const { heights } = this;
    const first = this.#entries[this.#from]?.key;
    const reachedEnd = this.#to === this.#entries.length;
    const continued =
      this.#entries.length === 0 ||
      entries.some(({ key }) => key === first || heights.indexOf(key) >= 0);
    this.#entries = entries;
    if (!continued) heights.reset();
    heights.update(entries);

    const at = first === undefined ? -1 : heights.indexOf(first);
    const moved = at === -1 ? 0 : at - this.#from;
    this.#from = Math.min(this.#from + moved, entries.length);
    this.#to = reachedEnd ? entries.length : Math.min(this.#to + moved, entries.length);
    return continued;
  }

  /** Moves with the reader. True where other rows are to be drawn. */
  look({ top, height }: View): boolean {
    const { heights } = this;
    const view = Math.max(height, smallestView);
    const { length } = this.#entries;
    const start = top === 'end' ? heights.topOf(length) - view : top;
    const reach = (margin: number) => ({
      from: heights.indexAt(start - margin * view),
      to: Math.min(length, heights.indexAt(start + (1 + margin) * view) + 1),
    });
    const least = reach(needed);
    const most = reach(kept);
    const isEnough = this.#from <= least.from && this.#to >= least.to;
    if (isEnough && this.#from >= most.from && this.#to <= most.to) return false;
    const { from, to } = reach(drawn);
    this.#from = from;
    this.#to = to;
    return true;
  }

  /** What to draw, in order. `held`: keys of rows that stay wherever the reader is. */
  items(held: ReadonlySet<string>, whole = false): Item[] {
    const indexes = new Set<number>();
    const from = whole ? 0 : this.#from;
    const to = whole ? this.#entries.length : this.#to;
    for (let index = from; index < to; index += 1) indexes.add(index);
    for (const key of held) {
      const index = this.heights.indexOf(key);
      if (index >= 0) indexes.add(index);
    }
    const items: Item[] = [];
    let next = 0;
    for (const index of [...indexes].sort((one, other) => one - other)) {
      const entry = this.#entries[index];
      if (!entry) continue;
      if (index > next) items.push(this.#gap(next, index, entry.key));
      items.push({ key: entry.key, index, entry });
      next = index + 1;
    }
    const { length } = this.#entries;
    return next < length ? [...items, this.#gap(next, length, '')] : items;
  }

  /** Named for the row that comes after it, which it keeps while it grows. */
  #gap(from: number, to: number, before: string): Item {
    return { key: `gap ${before}`, gap: this.heights.topOf(to) - this.heights.topOf(from) };
  }
}
