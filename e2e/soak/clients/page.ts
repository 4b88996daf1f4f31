import {
  type Conversation,
  createInlayClient,
  hostTokens,
  type InlayClient,
  type PageStore,
  type UserEntry,
} from '@inlay/client';
import type { Backend } from './backend.ts';
import type { Browser } from './browser.ts';
import { countIn, type Tally } from './tally.ts';
import { pause } from './wait.ts';

export interface PageOptions {
  user: string;
  /** URL of the fault proxy in front of the platform. */
  baseUrl: string;
  backend: Backend;
  browser: Browser;
  tally: Tally;
  /** Records an action or a diagnostic for the analysis of a finding. */
  note: (text: string) => void;
}

/** Minimum milliseconds between two reconnects by the user. */
const minReconnectIntervalMs = 5000;

/** A tab that shows one conversation, and can be reloaded. */
export class Page {
  readonly #options: PageOptions;
  /** Content of `sessionStorage`. */
  readonly #storage = new Map<string, string>();
  #client: InlayClient;
  #conversation: Conversation;
  #reconnectedAt = Number.NEGATIVE_INFINITY;
  /** Id of the conversation that is shown or being loaded. */
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

  /** Shows another conversation; without an id, a new one. */
  show(session?: string): void {
    this.#conversation.close();
    this.#conversation = this.#client.conversation(session);
    this.#shown = session;
  }

  /**
   * Reloads the page. Unsent messages are kept in the storage of the tab.
   *
   * @returns Messages that were lost, because nothing is stored before the user is known.
   */
  reload(): string[] {
    const { session } = this;
    const notStored = this.unsent.map(({ text }) => text).filter((text) => !this.keeps(text));
    this.#client.close();
    this.#client = this.#open();
    this.#conversation = this.#client.conversation(session);
    this.#shown = session;
    return notStored;
  }

  /** Messages that are not in the log yet. */
  get unsent(): UserEntry[] {
    return this.#conversation.state.entries
      .filter((entry) => entry.kind === 'user')
      .filter(({ delivery }) => delivery !== 'sent');
  }

  /** Whether a message is shown, sent or not. */
  has(text: string): boolean {
    const { entries } = this.#conversation.state;
    return entries.some((entry) => entry.kind === 'user' && entry.text === text);
  }

  /** Whether these messages are sent and the agent is idle. */
  shows(texts: readonly string[]): boolean {
    const { running, loading, session } = this.#conversation.state;
    if (running || loading || !session || this.unsent.length > 0) return false;
    return texts.every((text) => this.has(text));
  }

  /** Reconnects if the client offers it, and otherwise opens a conversation again that an error closed. */
  recover(): void {
    const { tally, note } = this.#options;
    const { status, error: denial, canReconnect } = this.#client.auth;
    if (
      canReconnect &&
      denial &&
      performance.now() - this.#reconnectedAt > minReconnectIntervalMs
    ) {
      this.#reconnectedAt = performance.now();
      countIn(tally.reconnects, `${status} ${denial.code}`);
      note(`reconnects after ${status} ${denial.code}`);
      this.#client.reconnect().catch(() => {});
    }
    const { connection, error } = this.#conversation.state;
    if (connection !== 'closed' || !error || canReconnect || !this.session) return;
    countIn(tally.recovered, error.code);
    note(`opens the conversation again after ${error.code}`);
    this.show(this.session);
  }

  /** Whether there are unsent messages that no conversation of this page has taken over. */
  async hasUnclaimedMessages(): Promise<boolean> {
    // Reading drafts needs a token, and there may be none for a long time.
    const unsent = await Promise.race<readonly (string | null)[]>([
      this.#client.unsent(),
      pause(1000).then(() => []),
    ]);
    return unsent.includes(null);
  }

  /** Whether a message is still in the storage of the tab. */
  keeps(text: string): boolean {
    return [...this.#storage.values()].join().includes(JSON.stringify(text));
  }

  get auth(): string {
    return JSON.stringify(this.#client.auth);
  }

  close(): void {
    this.#client.close();
  }

  #open(): InlayClient {
    const { user, baseUrl, backend, browser, tally, note } = this.#options;
    const storage: PageStore = {
      read: (key) => this.#storage.get(key) ?? null,
      write: (key, text) => void this.#storage.set(key, text),
      remove: (key) => void this.#storage.delete(key),
    };
    return createInlayClient({
      baseUrl,
      tokens: hostTokens((current) => {
        if (current !== null) tally.refreshes += 1;
        return backend.issue(user);
      }),
      draftStore: storage,
      ports: browser.ports(),
      onDiagnostic(diagnostic) {
        countIn(tally.diagnostics, diagnostic.type);
        note(JSON.stringify(diagnostic));
      },
    });
  }
}
