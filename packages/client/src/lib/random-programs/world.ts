import type { Entry } from '../conversation/state.ts';
import type { Conversation, InlayClient } from '../inlay-client.ts';
import type { TestBed, TestTab } from '../testing/test-bed.ts';
import { hostTokens } from '../tokens/sources/host.ts';
import type { TokenSource } from '../tokens/token-source.ts';
import type {
  Environment,
  Network,
  OpenEnvironment,
  Platform,
  StoredSession,
} from './environment.ts';
import { HostPage, type User } from './host-page.ts';
import { RequestMonitor } from './request-monitor.ts';
import { TabStore } from './tab-store.ts';

/** A message that the user sent. */
export interface SentMessage {
  readonly text: string;
  /** Result of the promise that `send` or `edit` returned; null while it is pending. */
  outcome: 'sent' | 'failed' | null;
  /** Whether the log may lack it: it was discarded, or lost in a reload before it was stored. */
  discarded: boolean;
}

/** Everything that a program acts on: a tab with a client, its host page and the platform. */
export class World {
  readonly bed: TestBed;
  readonly network: Network;
  readonly platform: Platform;
  /** Actions that only this environment supports. */
  readonly extraActions: Environment['actions'];
  readonly host: HostPage;
  readonly monitor: RequestMonitor;
  readonly store = new TabStore();
  readonly tokens: TokenSource;
  readonly messages: SentMessage[] = [];
  readonly failures: string[] = [];
  /** The text of each unfinished answer as last shown, by event id. */
  readonly streamed = new Map<string, string>();
  /** The last draft; null if there is none, or if it may have been deleted. */
  draft: { readonly text: string; sessionId: string } | null = null;
  /** Id of the session that the conversation was opened with; null for a new conversation. */
  #openedId: string | null = null;
  tab: TestTab;
  conversation: Conversation;

  constructor(openEnvironment: OpenEnvironment) {
    this.host = new HostPage(this);
    this.monitor = new RequestMonitor(this.host, this);
    this.tokens = hostTokens(this.host.getToken);
    const { bed, network, platform, actions } = openEnvironment(this.#options());
    this.bed = bed;
    this.network = network;
    this.platform = platform;
    this.extraActions = actions;
    this.tab = this.bed;
    this.conversation = this.client.conversation();
  }

  get client(): InlayClient {
    return this.tab.client;
  }

  /** The user as known to the client; null while unknown. */
  get knownUser(): User | null {
    return this.client.auth.externalUserId as User | null;
  }

  /** Id of the shown session; null before it is created. */
  get sessionId(): string | null {
    return this.conversation.state.session?.id ?? this.#openedId;
  }

  /** Whether the conversation was opened with another user's session. */
  get isForeign(): boolean {
    const session = this.platform.sessions.find(({ id }) => id === this.#openedId);
    return session !== undefined && session.user !== (this.knownUser ?? this.host.user);
  }

  /** Returns a user's sessions, oldest first. */
  sessionsOf(owner: string | null): readonly StoredSession[] {
    return this.platform.sessions.filter(({ user }) => user === owner);
  }

  /**
   * Sends a message.
   *
   * @param key Key of the entry that it replaces; none by default.
   */
  send(text: string, key?: string): void {
    // Messages that are sent before the client notices a change of user are dropped.
    const discarded = this.knownUser !== null && this.knownUser !== this.host.user;
    const message: SentMessage = { text, outcome: null, discarded };
    this.messages.push(message);
    const { conversation } = this;
    const sent = key === undefined ? conversation.send(text) : conversation.edit(key, text);
    sent.then(
      () => {
        message.outcome = 'sent';
      },
      () => {
        message.outcome = 'failed';
      },
    );
  }

  /** Shows another conversation: a session, or a new one. */
  open(sessionId?: string): void {
    this.conversation.close();
    this.#openConversation(sessionId);
  }

  /** Reloads the page, and shows the same conversation. */
  async reload(): Promise<void> {
    const { sessionId } = this;
    // Nothing is stored before the user is known.
    for (const message of this.messages) {
      if (!this.store.content.includes(JSON.stringify(message.text)))
        message.discarded ||= message.outcome !== 'sent';
    }
    if (this.draft && !this.store.content.includes(this.draft.text)) this.draft = null;
    this.client.close();
    await this.bed.clock.settle();
    if (this.bed.clock.pending > 0) this.failures.push('a closed client left timers');
    if (this.tab.page.watchers > 0) this.failures.push('a closed client left listeners');
    const { page } = this.tab;
    this.host.abandonCalls();
    this.tab = this.bed.openTab(this.#options());
    if (!page.online()) this.tab.page.goOffline();
    if (page.hidden()) this.tab.page.hide();
    const isOwn = this.sessionsOf(this.host.user).some(({ id }) => id === sessionId);
    this.#openConversation(isOwn && sessionId !== null ? sessionId : undefined);
  }

  /**
   * Signs a user in.
   *
   * @param isReset Whether the host page calls `reset()`; otherwise the next token reveals the user.
   */
  signIn(user: User, isReset: boolean): void {
    const isOtherUser = user !== this.host.user;
    this.host.signIn(user);
    for (const message of this.messages) message.discarded ||= isOtherUser || isReset;
    this.draft = null;
    if (!isReset) return;
    this.monitor.expectNewUser();
    this.host.abandonCalls();
    this.client.reset();
    if (this.store.content !== '') this.failures.push('text of the previous user is stored');
    this.#checkCleared();
    this.#openConversation();
  }

  /** Checks what must be true after every action. */
  async check(): Promise<void> {
    await this.platform.refresh();
    if (this.conversation.state.error?.code === 'SUBJECT_CHANGED') {
      this.#checkCleared();
      this.open();
    }
    const { entries, session } = this.conversation.state;
    const owner = this.platform.sessions.find(({ id }) => id === session?.id)?.user;
    const user = this.knownUser ?? owner ?? null;
    if (owner !== undefined && owner !== user)
      this.failures.push(`${user} sees a session of ${owner}`);
    for (const entry of entries) this.#checkEntry(entry, user);
    // The draft moves to the session when it is created.
    if (this.#openedId === null && session && this.draft?.sessionId === '')
      this.draft.sessionId = session.id;
    if (this.host.maxConcurrent > 1) this.failures.push('getToken was called concurrently');
    this.failures.push(...this.monitor.failures.splice(0));
    if (this.failures.length > 0) throw new Error(this.failures.join('\n'));
  }

  #openConversation(sessionId?: string): void {
    this.#openedId = sessionId ?? null;
    this.conversation = this.client.conversation(sessionId);
  }

  /** Checks that the previous user's conversation is cleared. */
  #checkCleared(): void {
    const { entries, session } = this.conversation.state;
    if (entries.length > 0 || session)
      this.failures.push('the previous conversation is still shown');
  }

  #checkEntry(entry: Entry, user: string | null): void {
    const { session } = this.conversation.state;
    if (!('text' in entry) || user === null) return;
    if ('progress' in entry && entry.progress === 'streaming')
      this.streamed.set(entry.key, entry.text);
    const hasUserPrefix = `${user}: `.startsWith(entry.text) || entry.text.startsWith(`${user}: `);
    if (!hasUserPrefix) this.failures.push(`${user} sees ${entry.text}`);
    const owner = this.platform.sessions.find(({ log }) => log.some(({ id }) => id === entry.id));
    if (owner && session && owner.id !== session.id) {
      this.failures.push(`${session.id} shows a message of ${owner.id}`);
    }
  }

  #options() {
    return {
      tokens: this.tokens,
      draftStore: this.store,
      ports: { fetch: (...args: Parameters<typeof fetch>) => this.monitor.fetch(...args) },
    };
  }
}
