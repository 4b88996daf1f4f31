import type { Conversation, Entry, UserEntry } from '@inlay/client';
import type { CardValues } from '@inlay/protocol';
import type { FeedbackReason } from '../events.ts';

/** Actions of the user on entries of the conversation on screen. */
export class ConversationActions {
  readonly #current: () => Conversation | null;
  readonly #onError: (reason: unknown) => void;
  readonly #onUndecided: (key: string) => void;

  /**
   * @param onError - Called when an action fails.
   * @param onUndecided - Called when the decision about a tool call could not be sent.
   */
  constructor(
    current: () => Conversation | null,
    onError: (reason: unknown) => void,
    onUndecided: (key: string) => void,
  ) {
    this.#current = current;
    this.#onError = onError;
    this.#onUndecided = onUndecided;
  }

  /** Removes a failed message. */
  discard(key: string): void {
    this.#current()?.discard(key);
  }

  /** Sends a failed message again. */
  retry(key: string): void {
    this.#current()?.retry(key);
  }

  /** Replaces the text of a user message and keeps its files. */
  edit(key: string, text: string): void {
    const entry = this.entry(key);
    const files = entry?.kind === 'user' ? entry.content.filter(({ type }) => type !== 'text') : [];
    this.#try(this.#current()?.edit(key, [...files, { type: 'text', text }]));
  }

  /** Sends a user message again, for another agent message. */
  again(key: string): void {
    this.#try(this.#current()?.edit(key));
  }

  /** Returns the user message that an entry is or answers; without a key, the last user message. */
  questionOf(key?: string): UserEntry | undefined {
    const entries = this.#current()?.state.entries ?? [];
    const at = key === undefined ? entries.length : entries.findIndex((each) => each.key === key);
    return entries.slice(0, at + 1).findLast((entry) => entry.kind === 'user');
  }

  showVersion(key: string, at: number): void {
    this.#current()?.showVersion(key, at);
  }

  rate(
    key: string,
    rating: 'up' | 'down',
    { reasons, comment }: { reasons: readonly FeedbackReason[]; comment: string },
  ): void {
    const id = this.entry(key)?.id;
    if (!id) return;
    this.#try(
      this.#current()?.rate(id, rating, {
        ...(reasons.length > 0 && { reasons: [...reasons] }),
        ...(comment && { comment }),
      }),
    );
  }

  decide(key: string, result: 'allow' | 'deny', reason: string): void {
    const id = this.entry(key)?.id;
    if (!id) return;
    const sent = this.#current()?.confirmTool(id, result, ...(reason ? [reason] : []));
    sent?.catch(() => this.#onUndecided(key));
    this.#try(sent);
  }

  answerCard(key: string, action: string, values: CardValues): void {
    const id = this.entry(key)?.id;
    if (id) this.#try(this.#current()?.answerCard(id, action, values));
  }

  loadEarlier(): void {
    this.#try(this.#current()?.loadEarlier());
  }

  entry(key: string): Entry | undefined {
    return this.#current()?.state.entries.find((entry) => entry.key === key);
  }

  #try(done: Promise<unknown> | undefined): void {
    done?.catch((reason) => this.#onError(reason));
  }
}
