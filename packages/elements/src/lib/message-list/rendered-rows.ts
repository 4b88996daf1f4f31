import type { LitElement } from 'lit';
import type { RowHeights } from './row-heights.ts';

/** The rows in the DOM: finds them, and stores their measured heights. */
export class RenderedRows {
  readonly #host: LitElement;
  readonly #heights: RowHeights;

  constructor(host: LitElement, heights: RowHeights) {
    this.#host = host;
    this.#heights = heights;
  }

  /** Returns the row of an entry; null if it is not rendered. */
  withKey(key: string): HTMLElement | null {
    return this.#all().find((row) => row.dataset.key === key) ?? null;
  }

  /** Returns the first row that ends below an edge, in CSS pixels from the top of the viewport. */
  below(edge: number): HTMLElement | null {
    return this.#all().find((row) => row.getBoundingClientRect().bottom > edge + 4) ?? null;
  }

  /** Returns the distance of the view from the top of the first row, by the known row heights. */
  topOf(scroller: Element): number {
    const edge = scroller.getBoundingClientRect().top;
    const row = this.below(edge);
    const below = row ? row.getBoundingClientRect().top - edge : Number.POSITIVE_INFINITY;
    // A gap may still have an estimated height, so a rendered row is measured if there is one.
    if (row && below < scroller.clientHeight) {
      return this.#heights.topOf(this.#heights.indexOf(row.dataset.key ?? '')) - below;
    }
    const first = this.#host.renderRoot.querySelector('.row, .gap');
    return edge - (first?.getBoundingClientRect().top ?? edge);
  }

  /** Stores measured row heights. Returns whether the estimates of other rows changed. */
  measure(changes: readonly ResizeObserverEntry[]): boolean {
    const { width: before } = this.#heights;
    for (const { target } of changes) {
      const width = target.clientWidth;
      if (!target.matches('.scroller') || width === this.#heights.width) continue;
      this.#heights.reset(width);
      for (const row of this.#all()) this.#measureRow(row);
    }
    for (const { target } of changes) {
      if (target instanceof HTMLElement && target.matches('.row')) this.#measureRow(target);
    }
    return this.#heights.width !== before;
  }

  #all(): HTMLElement[] {
    return [...this.#host.renderRoot.querySelectorAll<HTMLElement>('.row')];
  }

  #measureRow(row: HTMLElement) {
    const { height } = row.getBoundingClientRect();
    if (height > 0) this.#heights.measured(row.dataset.key ?? '', height);
  }
}
