import type { Entry } from '@inlay/client';
import { RowHeights } from './row-heights.ts';

/**
 * Overscan in multiples of the view's height: the minimum that has to be rendered, the amount that is
 * rendered when the minimum is not, and the distance beyond which rows are removed.
 */
const minOverscan = 0.5;
const targetOverscan = 1;
const maxOverscan = 1.5;

/** Minimum assumed height of the view, in CSS pixels. */
const minViewHeight = 240;

/** Position of the view: at the end, or the distance from the top of the first row in CSS pixels. */
export interface View {
  readonly top: number | 'end';
  /** Height in CSS pixels; 0 while unknown. */
  readonly height: number;
}

/** A row to render, or the gap in place of rows that are not rendered. */
export type Item =
  | { readonly key: string; readonly index: number; readonly entry: Entry }
  | { readonly key: string; readonly gap: number };

/** Virtualization: selects the rows to render, those near the view and those that must stay. */
export class RowWindow {
  readonly heights = new RowHeights();
  #entries: readonly Entry[] = [];
  #from = 0;
  #to = 0;

  /** Updates the list and keeps the rendered range. Returns false if no entry is in both lists. */
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

  /** Updates the range for a view. Returns whether other rows have to be rendered. */
  setView({ top, height }: View): boolean {
    const { heights } = this;
    const view = Math.max(height, minViewHeight);
    const { length } = this.#entries;
    const start = top === 'end' ? heights.topOf(length) - view : top;
    const rangeWithMargin = (margin: number) => ({
      from: heights.indexAt(start - margin * view),
      to: Math.min(length, heights.indexAt(start + (1 + margin) * view) + 1),
    });
    const minimum = rangeWithMargin(minOverscan);
    const maximum = rangeWithMargin(maxOverscan);
    const isEnough = this.#from <= minimum.from && this.#to >= minimum.to;
    if (isEnough && this.#from >= maximum.from && this.#to <= maximum.to) return false;
    const { from, to } = rangeWithMargin(targetOverscan);
    this.#from = from;
    this.#to = to;
    return true;
  }

  /**
   * Returns the rows and gaps to render, in order.
   *
   * @param retained - Keys of rows that must stay rendered.
   * @param whole - Whether to render all rows, for printing.
   */
  items(retained: ReadonlySet<string>, whole = false): Item[] {
    const indexes = new Set<number>();
    const from = whole ? 0 : this.#from;
    const to = whole ? this.#entries.length : this.#to;
    for (let index = from; index < to; index += 1) indexes.add(index);
    for (const key of retained) {
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

  /** Creates a gap. Its key is derived from the row after it, so that it is stable while it grows. */
  #gap(from: number, to: number, before: string): Item {
    return { key: `gap ${before}`, gap: this.heights.topOf(to) - this.heights.topOf(from) };
  }
}
