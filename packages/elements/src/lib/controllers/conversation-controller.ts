import type { AgentEntry, Conversation, ConversationState, InlayClient } from '@inlay/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type EntryMemo, type EntryMemory, remember } from '../entry-memory.ts';

export interface ConversationControllerOptions {
  /** What was said before the conversation came on screen is there. */
  readonly onLoad: (state: ConversationState) => void;
  /** An answer that was not there, or not complete, is complete, stopped or broken off. */
  readonly onAnswer: (entry: AgentEntry) => void;
  /** An answer has grown. */
  readonly onGrowth: (entry: AgentEntry) => void;
  /** The agent began to work. */
  readonly onRun: () => void;
  /** The agent waits for the person, or for the page. */
  readonly onWait: () => void;
  /** The agent works no more, and waits for nobody. */
  readonly onRest: () => void;
}

/** How long the former conversation stays on screen while the next one is read, in milliseconds. */
const patience = 300;

/**
 * Brings the conversation on screen, asks for an update whenever it changed, and tells which
 * answers were finished while it was on screen.
 */
export class ConversationController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: ConversationControllerOptions;
  readonly #growing = new Set<string>();
  readonly #finished = new Set<string>();
  /** `seq` up to which everything was said before the conversation came on screen. */
  #past: number | null = null;
  #loaded = false;
  #conversation: Conversation | null = null;
  #unsubscribe: (() => void) | null = null;
  #state: ConversationState | null = null;
  /** The former conversation, as it stands on screen until there is something of the next. */
  #former: ConversationState | null = null;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #memory: EntryMemory = new Map();

  constructor(host: ReactiveControllerHost, options: ConversationControllerOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  get current(): Conversation | null {
    return this.#conversation;
  }

  get state(): ConversationState | null {
    return this.#state;
  }

  /** What is on screen: for a moment still the former conversation, so that nothing flashes. */
  get shown(): ConversationState | null {
    return this.#former ?? this.#state;
  }

  /** What the person did to entries of it and has not sent. */
  get memory(): EntryMemory {
    return this.#memory;
  }

  /** Notes something about an entry for its element, which hears of it by a memory of its own. */
  note(key: string, changes: EntryMemo) {
    this.#memory = new Map(this.#memory);
    remember(this.#memory, key, changes);
    this.#host.requestUpdate();
  }

  hostConnected() {
    // An element that was moved still has its conversation, and goes on with it.
    if (this.#conversation) this.#subscribe(this.#conversation);
  }

  hostDisconnected() {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  /**
   * Leaves the conversation on screen and opens another of the same person: one that exists, or a
   * new one.
   */
  open(client: InlayClient, sessionId: string | null) {
    const former = this.shown;
    this.leave();
    if (sessionId && former?.entries.length) {
      this.#former = former;
      this.#patience = setTimeout(() => this.#showLatter(), patience);
    }
    const conversation = sessionId ? client.conversation(sessionId) : client.conversation();
    this.#conversation = conversation;
    this.#subscribe(conversation);
  }

  /** Closes the conversation on screen and forgets it. */
  leave() {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#conversation?.close();
    this.#conversation = null;
    this.#state = null;
    this.#former = null;
    clearTimeout(this.#patience);
    this.#memory = new Map();
    this.#past = null;
    this.#loaded = false;
    this.#growing.clear();
    this.#finished.clear();
    this.#host.requestUpdate();
  }

  #showLatter() {
    if (!this.#former) return;
    this.#former = null;
    clearTimeout(this.#patience);
    this.#host.requestUpdate();
  }

  #subscribe(conversation: Conversation) {
    this.#unsubscribe?.();
    this.#unsubscribe = conversation.subscribe(() => this.#take(conversation.state));
    this.#take(conversation.state);
  }

  #take(state: ConversationState) {
    const before = this.#state;
    // Also for a draft, which is no part of the state.
    this.#host.requestUpdate();
    if (state === before) return;
    this.#state = state;
    if (!state.loading || state.entries.length > 0) this.#showLatter();
    if (!state.loading || state.entries.length > 0) this.#past ??= state.lastSeq;
    // A run that goes on already where the conversation comes on screen is no beginning.
    const wasThere = before !== null && (before.entries.length > 0 || !before.loading);
    if (wasThere && state.running && !before.running) this.#options.onRun();
    if (!state.loading && !this.#loaded) {
      this.#loaded = true;
      if (state.entries.length > 0) this.#options.onLoad(state);
    }
    const last = state.entries.at(-1);
    if (last?.kind === 'agent' && last.progress === 'streaming') this.#options.onGrowth(last);
    for (const entry of this.#takeFinished(state)) this.#options.onAnswer(entry);
    if (before?.running && !state.running && state.stoppable) this.#options.onWait();
    if (before?.stoppable && !state.stoppable) this.#options.onRest();
  }

  /** Looks back only as far as the last answer that is known to be finished. */
  #takeFinished({ entries }: ConversationState): AgentEntry[] {
    const news: AgentEntry[] = [];
    for (let index = entries.length - 1; index >= 0; index -= 1) {
      const entry = entries[index];
      if (entry?.kind !== 'agent') continue;
      if (entry.progress === 'streaming') {
        this.#growing.add(entry.key);
        continue;
      }
      if (this.#finished.has(entry.key)) break;
      this.#finished.add(entry.key);
      const isPast = entry.seq !== null && this.#past !== null && entry.seq <= this.#past;
      if (this.#growing.delete(entry.key) || !isPast) news.unshift(entry);
    }
    return news;
  }
}
