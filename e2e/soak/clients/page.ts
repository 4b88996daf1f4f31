import {
  type Conversation,
  createInlayClient,
  hostTokens,
  type InlayClient,
  type PageStore,
} from '@inlay/client';
import type { Backend } from './backend.ts';
import type { Browser } from './browser.ts';
import type { Tally } from './tally.ts';

export interface PageOptions {
  person: string;
  /** The platform's address, behind the network. */
  baseUrl: string;
  backend: Backend;
  browser: Browser;
  tally: Tally;
}

/** A tab with the chat in it, showing one conversation, which may be loaded anew. */
export class Page {
  readonly #options: PageOptions;
  /** What the tab keeps over a page load. */
  readonly #kept = new Map<string, string>();
  #client: InlayClient;
  #conversation: Conversation;
  /** The one that is shown, also while it is being read. */
  #shown: string | undefined;

  constructor(options: PageOptions, session?: string) {
    this.#options = options;
    this.#client = this.#open();
    this.#conversation = this.#client.conversation(session);
    this.#shown = session;
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get session(): string | undefined {
    return this.#conversation.state.session?.id ?? this.#shown;
  }

  /** Shows another conversation; without a name, a new one. */
  show(session?: string): void {
    this.#conversation.close();
    this.#conversation = this.#client.conversation(session);
    this.#shown = session;
  }

  /**
   * Loads the page anew. What was not sent is kept, as in a tab's storage. Gives the texts that were
   * not: before the platform has said who the person is, there is nobody to keep them for.
   */
  reload(): string[] {
    const { session } = this;
    const kept = [...this.#kept.values()].join();
    const forgotten = this.#conversation.state.entries.flatMap((entry) =>
      entry.kind === 'user' && entry.id === null && !kept.includes(JSON.stringify(entry.text))
        ? entry.text
        : [],
    );
    this.#client.close();
    this.#client = this.#open();
    this.#conversation = this.#client.conversation(session);
    this.#shown = session;
    return forgotten;
  }

  close(): void {
    this.#client.close();
  }

  #open(): InlayClient {
    const { person, baseUrl, backend, browser, tally } = this.#options;
    const kept: PageStore = {
      read: (key) => this.#kept.get(key) ?? null,
      write: (key, text) => void this.#kept.set(key, text),
      remove: (key) => void this.#kept.delete(key),
    };
    return createInlayClient({
      baseUrl,
      tokens: hostTokens((current) => {
        if (current !== null) tally.refreshes += 1;
        return backend.issue(person);
      }),
      textStore: kept,
      ports: browser.ports(),
      onDiagnostic({ type }) {
        tally.diagnostics[type] = (tally.diagnostics[type] ?? 0) + 1;
      },
    });
  }
}
