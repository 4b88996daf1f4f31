import type { PageStore } from '../page-store.ts';

/** The session storage of a tab: it outlives a reload. */
export class TabStore implements PageStore {
  readonly #values = new Map<string, string>();

  /** Everything that is in it. */
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
