import type { PageStore } from '../page-store.ts';

/** Storage that survives page loads, for the client's `draftStore` or a visitor's `store`. */
export class FakeStore implements PageStore {
  /** The stored values by key. */
  readonly content = new Map<string, string>();
  /**
   * Whether each access throws, as when storage is forbidden or full.
   *
   * @default false
   */
  forbidden = false;

  read(key: string): string | null {
    this.#assertAllowed();
    return this.content.get(key) ?? null;
  }

  write(key: string, text: string): void {
    this.#assertAllowed();
    this.content.set(key, text);
  }

  remove(key: string): void {
    this.#assertAllowed();
    this.content.delete(key);
  }

  #assertAllowed(): void {
    if (this.forbidden) throw new DOMException('Storage is forbidden.', 'SecurityError');
  }
}
