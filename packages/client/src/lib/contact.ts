/**
 * Whether the network lets requests through. Notifies what waits for a retry as soon as one succeeds
 * after others could not reach the platform.
 */
export class Contact {
  #lost = false;
  readonly #listeners = new Set<() => void>();

  /** A request got no answer. */
  lost(): void {
    this.#lost = true;
  }

  /** A request was answered. */
  made(): void {
    if (!this.#lost) return;
    this.#lost = false;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls back when contact is made again. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
