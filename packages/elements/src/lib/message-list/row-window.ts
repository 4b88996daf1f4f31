import type { Entry } from '@inlay/client';

/** Maximum number of rendered rows around the view. Rows further away are removed. */
const maxRows = 200;

/** Number of rows that are rendered first, and added at a time. */
const step = 20;

/**
 * Selects the rows to render: at first the last rows, then more around the view while the browser is
 * idle. A list of at most 200 rows is rendered completely, so that the browser's search and screen
 * readers find every row.
 */
export class RowWindow {
  #entries: readonly Entry[] = [];
  #from = 0;
  #to = 0;

  /** Index of the first row that is rendered. */
  get from(): number {
    return this.#from;
  }

  /** Whether there are rows below those that are rendered. */
  get hasMoreBelow(): boolean {
    return this.#to < this.#entries.length;
  }

  /**
   * Updates the list and keeps the rendered rows. Returns false if the previous list was not empty and
   * shares no entry with the new one.
   */
  update(entries: readonly Entry[]): boolean {
    const before = this.#entries;
    const first = before[this.#from]?.key;
    const reachedEnd = !this.hasMoreBelow;
    const { length } = entries;
    this.#entries = entries;
    const newFrom =
      entries[this.#from]?.key === first
        ? this.#from
        : entries.findIndex(({ key }) => key === first);
    if (newFrom >= 0) {
      const moved = newFrom - this.#from;
      this.#from = newFrom;
      this.#to = reachedEnd ? length : Math.min(this.#to + moved, length);
      return true;
    }
    this.#to = 0;
    this.showEnd();
    const known = new Set(before.map(({ key }) => key));
    return before.length === 0 || entries.some(({ key }) => known.has(key));
  }

  /** Renders the last rows, unless the last one is rendered. */
  showEnd(): void {
    if (this.hasMoreBelow) this.show(this.#entries.length - 1);
  }

  /** Renders a row and those around it. Returns false if it is rendered already. */
  show(index: number): boolean {
    if (index >= this.#from && index < this.#to) return false;
    const { length } = this.#entries;
    this.#from = Math.max(0, Math.min(index - step / 2, length - step));
    this.#to = Math.min(length, this.#from + step);
    return true;
  }

  /**
   * Renders more rows around the view.
   *
   * @param index - Index of a row in the view.
   * @param isFixed - Whether no row may be removed.
   * @returns Whether the rows have changed.
   */
  grow(index: number, isFixed: boolean): boolean {
    const { length } = this.#entries;
    const lowest = Math.max(0, Math.min(index - maxRows / 2, length - maxRows));
    const highest = Math.min(length, lowest + maxRows);
    const [from, to] = [this.#from, this.#to];
    if (from > lowest) this.#from = Math.max(lowest, from - step);
    if (to < highest) this.#to = Math.min(highest, to + step);
    if (!isFixed && from < lowest - step) this.#from = lowest;
    if (!isFixed && to > highest + step) this.#to = highest;
    return from !== this.#from || to !== this.#to;
  }

  /** Returns the rendered entries, or all for printing. */
  entries(all: boolean): readonly Entry[] {
    return all ? this.#entries : this.#entries.slice(this.#from, this.#to);
  }
}
