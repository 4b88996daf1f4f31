import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { accept, digestOf, hasAccepted, withdraw } from './consent-store.ts';

/** The terms that a user accepts, and the end user. */
export interface ConsentQuestion {
  readonly agentId: string;
  readonly externalUserId: string;
  /** Markdown. */
  readonly text: string;
}

/** Whether the user has accepted what they must before they write. */
export class ConsentController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #question: () => ConsentQuestion | null;
  #known: { readonly question: string; accepted: boolean } | null = null;

  /** @param question - What is asked now; null for nothing. */
  constructor(host: ReactiveControllerHost, question: () => ConsentQuestion | null) {
    this.#host = host;
    this.#question = question;
    host.addController(this);
  }

  hostConnected() {
    // Another page may have asked meanwhile.
    this.#known = null;
  }

  /** The text to accept before anything is said; null for none. */
  get wanted(): string | null {
    const question = this.#question();
    if (!question) return null;
    const digest = digestFor(question);
    if (this.#known?.question !== digest) {
      this.#known = { question: digest, accepted: hasAccepted(digest) };
    }
    return this.#known.accepted ? null : question.text;
  }

  accept(): void {
    const question = this.#question();
    if (!question) return;
    const digest = digestFor(question);
    accept(digest);
    this.#known = { question: digest, accepted: true };
    this.#host.requestUpdate();
  }

  /** The user is forgotten, and so is what they accepted: who they were is not known any more. */
  withdraw(): void {
    if (this.#known) withdraw(this.#known.question);
    this.#known = null;
    this.#host.requestUpdate();
  }
}

function digestFor({ agentId, externalUserId, text }: ConsentQuestion): string {
  return digestOf(agentId, externalUserId, text);
}
