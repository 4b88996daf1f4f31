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
import { pause } from './patience.ts';
import { countIn, type Tally } from './tally.ts';

export interface PageOptions {
  person: string;
  /** The platform's address, behind the network. */
  baseUrl: string;
  backend: Backend;
  browser: Browser;
  tally: Tally;
  /** Told what happens, for whoever looks into a finding. */
  note: (text: string) => void;
}

/** Milliseconds after which a person tries again what did not help. */
const reconnectPause = 5000;

/** A tab with the chat in it, showing one conversation, which may be loaded anew. */
export class Page {
  readonly #options: PageOptions;
  /** What the tab keeps over a page load. */
  readonly #kept = new Map<string, string>();
  #client: InlayClient;
  #conversation: Conversation;
  #reconnectedAt = Number.NEGATIVE_INFINITY;
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
    const forgotten = this.unsent.map(({ text }) => text).filter((text) => !this.keeps(text));
    this.#client.close();
    this.#client = this.#open();
    this.#conversation = this.#client.conversation(session);
    this.#shown = session;
    return forgotten;
  }

  /** Messages that are not in the log yet. */
  get unsent(): UserEntry[] {
    return this.#conversation.state.entries
      .filter((entry) => entry.kind === 'user')
      .filter(({ delivery }) => delivery !== 'sent');
  }

  /** Whether a message is on the screen, sent or not. */
  has(text: string): boolean {
    const { entries } = this.#conversation.state;
    return entries.some((entry) => entry.kind === 'user' && entry.text === text);
  }

  /** Whether these are sent, and nothing is awaited. */
  shows(texts: readonly string[]): boolean {
    const { running, loading, session } = this.#conversation.state;
    if (running || loading || !session || this.unsent.length > 0) return false;
    return texts.every((text) => this.has(text));
  }

  /** Does what a person does about a chat that asks for it: reconnects, opens the conversation again. */
  revive(): void {
    const { tally, note } = this.#options;
    const { status, error: denial, canReconnect } = this.#client.auth;
    if (canReconnect && denial && performance.now() - this.#reconnectedAt > reconnectPause) {
      this.#reconnectedAt = performance.now();
      countIn(tally.reconnects, `${status} ${denial.code}`);
      note(`reconnects after ${status} ${denial.code}`);
      this.#client.reconnect().catch(() => {});
    }
    const { connection, error } = this.#conversation.state;
    if (connection !== 'closed' || !error || canReconnect || !this.session) return;
    countIn(tally.revived, error.code);
    note(`opens the conversation again after ${error.code}`);
    this.show(this.session);
  }

  /** Whether a message waits that no conversation of this page took. */
  async hasLeft(): Promise<boolean> {
    // Without a token it is not known, and nobody knows for how long.
    const unsent = await Promise.race<readonly (string | null)[]>([
      this.#client.unsent(),
      pause(1000).then(() => []),
    ]);
    return unsent.includes(null);
  }

  /** Whether a text still waits in the tab's storage for a conversation that takes it. */
  keeps(text: string): boolean {
    return [...this.#kept.values()].join().includes(JSON.stringify(text));
  }

  get auth(): string {
    return JSON.stringify(this.#client.auth);
  }

  close(): void {
    this.#client.close();
  }

  #open(): InlayClient {
    const { person, baseUrl, backend, browser, tally, note } = this.#options;
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
      draftStore: kept,
      ports: browser.ports(),
      onDiagnostic(diagnostic) {
        countIn(tally.diagnostics, diagnostic.type);
        note(JSON.stringify(diagnostic));
      },
    });
  }
}
