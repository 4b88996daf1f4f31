import type { PageStore } from '../page-store.ts';

/** Session storage of a tab, which survives reloads. */
export class TabStore implements PageStore {
  readonly #values = new Map<string, string>();

  /** All keys and values. */
  get content(): string {
    return [...this.#values].flat().join('\n');
  }

  read(key: string): string | null {
    return this.#values.get(key) ?? null;
  }

  write(key: string, text: string): void {
    this.#values.set(key, text);
  }

  remove(key: string): void {
    this.#values.delete(key);
  }
}
