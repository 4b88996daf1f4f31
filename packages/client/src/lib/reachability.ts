/**
 * Whether requests reach the platform. Notifies pending retries as soon as one does after others
 * did not.
 */
export class Reachability {
  #isLost = false;
  readonly #listeners = new Set<() => void>();

  /** Records that a request got no response. */
  reportFailure(): void {
    this.#isLost = true;
  }

  /** Records that a request got a response. */
  reportResponse(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * Calls back when the platform is reachable again.
   *
   * @returns The unsubscribe function.
   */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
