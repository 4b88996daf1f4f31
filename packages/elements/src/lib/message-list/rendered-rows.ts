import type { LitElement } from 'lit';

/** Finds the rows in the DOM. */
export class RenderedRows {
  readonly #host: LitElement;

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** Returns the row of an entry; null if it is not rendered. */
  withKey(key: string): HTMLElement | null {
    return this.#all().find((row) => row.dataset.key === key) ?? null;
  }

  /** Returns the first row that ends below an edge, in CSS pixels from the top of the viewport. */
  below(edge: number): HTMLElement | null {
    return this.#all().find((row) => row.getBoundingClientRect().bottom > edge + 4) ?? null;
  }

  #all(): HTMLElement[] {
    return [...this.#host.renderRoot.querySelectorAll<HTMLElement>('.row')];
  }
}
