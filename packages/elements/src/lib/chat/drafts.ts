/**
 * What the person has written and not sent, by conversation. In memory alone: it survives every
 * state of the connection, and no page load.
 */
export class Drafts {
  readonly #texts = new Map<string, string>();

  /** The unsent text of a conversation; empty without one. Null is the one that has no id yet. */
  of(sessionId: string | null): string {
    return this.#texts.get(sessionId ?? '') ?? '';
  }

  keep(sessionId: string | null, text: string) {
    if (text) this.#texts.set(sessionId ?? '', text);
    else this.#texts.delete(sessionId ?? '');
  }

  clear() {
    this.#texts.clear();
  }
}
