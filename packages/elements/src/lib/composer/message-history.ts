/**
 * Walks through what the person said before, as the arrow keys do in a shell: from an empty field,
 * and on from what it has put there, but never over a text that somebody is writing.
 */
export class MessageHistory {
  #at: number | null = null;

  /**
   * What is to stand in the field: the message before (`-1`) or after (`1`); null to leave it.
   *
   * @param messages - What was said, oldest first.
   */
  step(messages: readonly string[], current: string, by: -1 | 1): string | null {
    const shown = this.#at === null ? undefined : messages[this.#at];
    if (current === '' || shown !== current) this.#at = null;
    if (current !== '' && this.#at === null) return null;

    const at = (this.#at ?? messages.length) + by;
    if (at < 0 || at > messages.length || (this.#at === null && by > 0)) return null;
    this.#at = at === messages.length ? null : at;
    return messages[at] ?? '';
  }
}
