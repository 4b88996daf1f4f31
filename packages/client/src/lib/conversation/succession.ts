import { omitUndefined } from '../omit-undefined.ts';
import type { ConversationEvent } from './local-events.ts';
import type { Messages } from './messages.ts';
import type { Outbox } from './outbox.ts';
import type { Entry } from './state.ts';

/** One of several views of a session, as the others see it. */
export interface View {
  readonly outbox: () => Outbox;
  readonly messages: () => Messages;
  /** The entries of all branches. */
  readonly entries: () => readonly Entry[];
  readonly tell: (event: ConversationEvent) => void;
}

/** The views of one session, one after the other: the latest shows what the others have to send. */
export class Succession {
  readonly #view: View;
  /** An earlier view which has still something to send. */
  #former: Succession | null = null;
  #successor: Succession | null = null;

  constructor(view: View) {
    this.#view = view;
  }

  /** Whether a later view shows what becomes of what is sent here. */
  get succeeded(): boolean {
    return this.#successor !== null;
  }

  /** Settles when what was said in earlier views is sent; undefined where there is nothing. */
  get turn(): Promise<void> | undefined {
    return this.#former?.settled();
  }

  /** Shows what an earlier view has still to send, and what becomes of it. */
  follow(former: Succession): void {
    const { outbox, messages, entries } = former.#view;
    former.#successor = this;
    this.#former = outbox().empty ? former.#former : former;
    for (const entry of entries()) {
      if (entry.kind !== 'user' || entry.delivery === 'sent') continue;
      const { key, content, mode, mentions, at, delivery, error, retryAt } = entry;
      const parent = messages().parentOf(key);
      // What made the session is in its log by now.
      if (delivery !== 'failed' && !former.holds(key)) continue;
      const { tell } = this.#view;
      tell({ type: 'local.typed', key, content, mode, mentions, at, ...omitUndefined({ parent }) });
      tell({ type: 'local.delivery', key, delivery, error, retryAt });
    }
  }

  /** Tells the later view what becomes of a message, also when this one has ended. */
  pass(event: ConversationEvent): void {
    if (event.type !== 'local.delivery' && event.type !== 'local.accepted') return;
    const later = this.#successor;
    if (later) later.#view.tell(event);
  }

  /** Resolves when this view and those before it have nothing more to send. */
  async settled(): Promise<void> {
    await this.turn;
    await this.#view.outbox().settled;
  }

  /** Sends what waits in this view and in those before it now. */
  retryNow(): void {
    this.#former?.retryNow();
    this.#view.outbox().retryNow();
  }

  /** Takes back a message that waits. False where there is none, or it is just being sent. */
  discard(key: string): boolean {
    return this.#view.outbox().discard(key) || (this.#former?.discard(key) ?? false);
  }

  /** Whether it has a message still to send: this view, or one before it. */
  holds(key: string): boolean {
    return this.#view.outbox().holds(key) || (this.#former?.holds(key) ?? false);
  }
}
