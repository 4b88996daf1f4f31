import type { Entry } from '../conversation/state.ts';
import type { Conversation, InlayClient } from '../inlay-client.ts';
import type { ScriptedSession } from '../testing/platform/session.ts';
import { createTestBed, type TestBed, type TestTab } from '../testing/test-bed.ts';
import { hostTokens } from '../tokens/sources/host.ts';
import type { TokenSource } from '../tokens/token-source.ts';
import { script } from './agent.ts';
import { Door } from './door.ts';
import { HostPage, type Person } from './host-page.ts';
import { TabStore } from './tab-store.ts';

/** Something that a person typed. */
export interface Said {
  readonly text: string;
  /** What its promise came to; null while it is open. */
  outcome: 'sent' | 'failed' | null;
  /** Whether the person gave it up, or the page was left before it could be kept. */
  given: boolean;
}

/** A page with a chat, the people before it, and the platform behind it. */
export class World {
  readonly bed: TestBed;
  readonly host: HostPage;
  readonly door: Door;
  readonly store = new TabStore();
  readonly tokens: TokenSource;
  readonly said: Said[] = [];
  readonly faults: string[] = [];
  /** The draft that the person left in this conversation; null where it may be gone. */
  draft: { readonly text: string; sessionId: string } | null = null;
  /** The session that the conversation was opened with; null for none. */
  #opened: string | null = null;
  tab: TestTab;
  conversation: Conversation;

  constructor() {
    const platform = () => this.bed.platform;
    this.host = new HostPage(platform, () => this.bed.clock.elsewhere);
    this.door = new Door(this.host, platform);
    this.tokens = hostTokens(this.host.getToken);
    this.bed = createTestBed({ answer: script, client: this.#options() });
    this.tab = this.bed;
    this.conversation = this.client.conversation();
  }

  get client(): InlayClient {
    return this.tab.client;
  }

  /** Who the client believes to be there; null while it does not know. */
  get known(): Person | null {
    return this.client.auth.externalUserId as Person | null;
  }

  /** The session that is shown; null for one that is not made yet. */
  get sessionId(): string | null {
    return this.conversation.state.session?.id ?? this.#opened;
  }

  /** Whether the conversation was opened with a session of somebody else. */
  get foreign(): boolean {
    const session = this.bed.platform.sessions.find(({ id }) => id === this.#opened);
    return session !== undefined && session.user !== (this.known ?? this.host.person);
  }

  /** The sessions of a person, oldest first. */
  sessionsOf(person: string | null): readonly ScriptedSession[] {
    return this.bed.platform.sessions.filter(({ user }) => user === person);
  }

  /** `key`: of the entry in whose place it is said; a further message by default. */
  say(text: string, key?: string): void {
    // What is said while the client still takes the person for the former one is dropped with them.
    const given = this.known !== null && this.known !== this.host.person;
    const said: Said = { text, outcome: null, given };
    this.said.push(said);
    const { conversation } = this;
    const sent = key === undefined ? conversation.send(text) : conversation.edit(key, text);
    sent.then(
      () => {
        said.outcome = 'sent';
      },
      () => {
        said.outcome = 'failed';
      },
    );
  }

  /** Shows another conversation: a session, or a new one. */
  open(sessionId?: string): void {
    this.conversation.close();
    this.#show(sessionId);
  }

  /** The page is loaded anew, in the same tab, and shows the same conversation. */
  async reload(): Promise<void> {
    const { sessionId } = this;
    // Until the client knows who the person is, nothing of theirs is written down.
    for (const said of this.said) {
      if (!this.store.content.includes(JSON.stringify(said.text)))
        said.given ||= said.outcome !== 'sent';
    }
    if (this.draft && !this.store.content.includes(this.draft.text)) this.draft = null;
    this.client.close();
    await this.bed.clock.settle();
    if (this.bed.clock.pending > 0) this.faults.push('a client that was closed left timers');
    if (this.tab.page.watchers > 0) this.faults.push('a client that was closed left listeners');
    const { page } = this.tab;
    this.host.startOver();
    this.tab = this.bed.openTab(this.#options());
    if (!page.online()) this.tab.page.goOffline();
    if (page.hidden()) this.tab.page.hide();
    const isOwn = this.sessionsOf(this.host.person).some(({ id }) => id === sessionId);
    this.#show(isOwn && sessionId !== null ? sessionId : undefined);
  }

  /** Another person signs in. `told`: the page tells the client at once; else the tokens will. */
  signIn(person: Person, told: boolean): void {
    const other = person !== this.host.person;
    this.host.signIn(person);
    for (const said of this.said) said.given ||= other || told;
    this.draft = null;
    if (!told) return;
    this.door.forget();
    this.host.startOver();
    this.client.reset();
    if (this.store.content !== '') this.faults.push('text of the former person is kept');
    this.#lookAtFormer();
    this.#show();
  }

  /** Looks whether everything is as it must be at every moment. */
  look(): void {
    if (this.conversation.state.error?.code === 'SUBJECT_CHANGED') {
      this.#lookAtFormer();
      this.open();
    }
    const { entries, session } = this.conversation.state;
    const owner = this.bed.platform.sessions.find(({ id }) => id === session?.id)?.user;
    const person = this.known ?? owner ?? null;
    if (owner !== undefined && owner !== person)
      this.faults.push(`${person} sees what is ${owner}’s`);
    for (const entry of entries) this.#lookAt(entry, person);
    // The draft of a conversation without a session is that of the session which it gets.
    if (this.#opened === null && session && this.draft?.sessionId === '')
      this.draft.sessionId = session.id;
    if (this.host.mostAtOnce > 1) this.faults.push('getToken was asked twice at once');
    this.faults.push(...this.door.faults.splice(0));
    if (this.faults.length > 0) throw new Error(this.faults.join('\n'));
  }

  #show(sessionId?: string): void {
    this.#opened = sessionId ?? null;
    this.conversation = this.client.conversation(sessionId);
  }

  /** Nothing is left of what the former person saw. */
  #lookAtFormer(): void {
    const { entries, session } = this.conversation.state;
    if (entries.length > 0 || session) this.faults.push('the former conversation is still there');
  }

  #lookAt(entry: Entry, person: string | null): void {
    const { session } = this.conversation.state;
    if (!('text' in entry) || person === null) return;
    const begins = `${person}: `.startsWith(entry.text) || entry.text.startsWith(`${person}: `);
    if (!begins) this.faults.push(`${person} sees ${entry.text}`);
    const owner = this.bed.platform.sessions.find(({ log }) =>
      log.some(({ id }) => id === entry.id),
    );
    if (owner && session && owner.id !== session.id) {
      this.faults.push(`${session.id} shows what was said in ${owner.id}`);
    }
  }

  #options() {
    return {
      tokens: this.tokens,
      draftStore: this.store,
      ports: { fetch: (...args: Parameters<typeof fetch>) => this.door.fetch(...args) },
    };
  }
}
