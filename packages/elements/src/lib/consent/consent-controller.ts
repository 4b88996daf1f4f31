import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { accepted, digestOf } from './consent-store.ts';

/** A consent text with the agent and the end user it is for. */
export interface ConsentQuestion {
  readonly agentId: string;
  readonly externalUserId: string;
  /** Markdown. */
  readonly text: string;
}

/** Tracks whether the user has given the required consent. */
export class ConsentController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #question: () => ConsentQuestion | null;
  #cached: { readonly question: string; accepted: boolean } | null = null;

  /** @param question - Returns the required consent; null for none. */
  constructor(host: ReactiveControllerHost, question: () => ConsentQuestion | null) {
    this.#host = host;
    this.#question = question;
    host.addController(this);
  }

  hostConnected() {
    // The consent may have changed in another tab.
    this.#cached = null;
  }

  /** Consent text that the user has to accept before writing; null for none. */
  get requiredText(): string | null {
    const question = this.#question();
    if (!question) return null;
    const digest = digestFor(question);
    if (this.#cached?.question !== digest) {
      this.#cached = { question: digest, accepted: accepted.items().includes(digest) };
    }
    return this.#cached.accepted ? null : question.text;
  }

  accept(): void {
    const question = this.#question();
    if (!question) return;
    const digest = digestFor(question);
    accepted.add(digest);
    this.#cached = { question: digest, accepted: true };
    this.#host.requestUpdate();
  }

  /** Withdraws the consent, because the user's data was erased. */
  withdraw(): void {
    if (this.#cached) accepted.remove(this.#cached.question);
    this.#cached = null;
    this.#host.requestUpdate();
  }
}

function digestFor({ agentId, externalUserId, text }: ConsentQuestion): string {
  return digestOf(agentId, externalUserId, text);
}
