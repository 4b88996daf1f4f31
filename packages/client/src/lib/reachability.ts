/**
 * Records whether requests reach the platform. Notifies listeners of the first response after a
 * request failed without a response.
 */
export class Reachability {
  #isUnreachable = false;
  readonly #listeners = new Set<() => void>();

  /** Records that a request got no response. */
  reportFailure(): void {
    this.#isUnreachable = true;
  }

  /** Records that a request got a response. */
  reportResponse(): void {
    if (!this.#isUnreachable) return;
    this.#isUnreachable = false;
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * Calls `listener` when the platform is reachable again.
   *
   * @returns The unsubscribe function.
   */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
