/**
 * History of the user's messages, browsed with the arrow keys as in a shell. Browsing starts from an
 * empty field and never replaces text that the user has typed or edited.
 */
export class MessageHistory {
  #index: number | null = null;

  /**
   * Returns the previous (`-1`) or next (`1`) message for the field; null to leave the field as it is.
   *
   * @param messages - The user's messages, oldest first.
   */
  step(messages: readonly string[], current: string, offset: -1 | 1): string | null {
    const shownMessage = this.#index === null ? undefined : messages[this.#index];
    if (current === '' || shownMessage !== current) this.#index = null;
    if (current !== '' && this.#index === null) return null;

    const index = (this.#index ?? messages.length) + offset;
    if (index < 0 || index > messages.length || (this.#index === null && offset > 0)) return null;
    this.#index = index === messages.length ? null : index;
    return messages[index] ?? '';
  }
}
