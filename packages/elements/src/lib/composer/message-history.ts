/**
 * History of the user's messages, browsed with the arrow keys as in a shell. Browsing starts from an
 * empty field and never replaces text that the user has typed or edited.
 */
export class MessageHistory {
  #at: number | null = null;

  /**
   * Returns the previous (`-1`) or next (`1`) message for the field; null to leave the field as it is.
   *
   * @param messages - The user's messages, oldest first.
   */
  step(messages: readonly string[], current: string, by: -1 | 1): string | null {
    const shownMessage = this.#at === null ? undefined : messages[this.#at];
    if (current === '' || shownMessage !== current) this.#at = null;
    if (current !== '' && this.#at === null) return null;

    const at = (this.#at ?? messages.length) + by;
    if (at < 0 || at > messages.length || (this.#at === null && by > 0)) return null;
    this.#at = at === messages.length ? null : at;
    return messages[at] ?? '';
  }
}
