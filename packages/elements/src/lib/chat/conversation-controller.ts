import type { AgentEntry, Conversation, ConversationState, InlayClient } from '@inlay/client';
import type { LitElement, ReactiveController } from 'lit';
import type { Announcer } from '../announcer/announcer.ts';
import { type EntryUiState, type EntryUiStates, updateUiState } from '../entry-ui-state.ts';
import { emit } from '../events.ts';
import { waitForElement } from '../lazy-elements.ts';

/** How long the previous conversation stays on screen while the next one loads, in milliseconds. */
const maxPreviousMs = 300;

/** Maximum wait for the elements of a conversation before it is shown, in milliseconds. */
const maxElementsMs = 2_000;

/** Whether the agent is running. Unlike for `running`, a message that is being sent is not enough. */
export function isAgentRunning({ running, entries, memory }: ConversationState): boolean {
  const last = entries.at(-1);
  return running && (memory.serverRunning || last?.kind !== 'user' || last.delivery === 'sent');
}

/**
 * Owns the conversation on screen, requests an update when it changes, and announces and
 * reports agent messages that were completed while it was on screen.
 */
export class ConversationController implements ReactiveController {
  readonly #host: LitElement;
  readonly #announcer: Announcer;
  readonly #streaming = new Set<string>();
  readonly #finished = new Set<string>();
  /** `seq` of the last event before the conversation came on screen. */
  #openedAtSeq: number | null = null;
  #loaded = false;
  #conversation: Conversation | null = null;
  /** The session id with which the conversation was opened; null for a new conversation. */
  #openedId: string | null = null;
  #unsubscribe: (() => void) | null = null;
  #state: ConversationState | null = null;
  /** Whether the elements that render the end of the conversation are loading. */
  #isPreparing = false;
  /** State of the previous conversation, shown until the next one has content. */
  #previous: ConversationState | null = null;
  #previousTimer: ReturnType<typeof setTimeout> | undefined;
  #uiStates: EntryUiStates = new Map();

  constructor(host: LitElement, announcer: Announcer) {
    this.#host = host;
    this.#announcer = announcer;
    host.addController(this);
  }

  get current(): Conversation | null {
    return this.#conversation;
  }

  get state(): ConversationState | null {
    return this.#state;
  }

  /** The session id of the conversation; null while it has none. */
  get sessionId(): string | null {
    // Read from the conversation itself, which may be one frame ahead of the rendered state.
    return this.#openedId ?? this.#conversation?.state.session?.id ?? null;
  }

  /**
   * The state to render. While a conversation loads, the state of the previous conversation stays for a
   * moment, so that the list is not empty. Null until the elements that render the entries have loaded, so
   * that the end of the conversation appears at once and in place.
   */
  get shown(): ConversationState | null {
    return this.#previous ?? (this.#isPreparing ? null : this.#state);
  }

  /** Whether the entries of the conversation or their elements are loading. */
  get loading(): boolean {
    return this.#isPreparing || (this.shown?.loading ?? false);
  }

  /** UI state of the conversation's entries, such as unsent input. */
  get uiStates(): EntryUiStates {
    return this.#uiStates;
  }

  /** Changes the UI state of an entry. A new map is created, so that the elements update. */
  setUiState(key: string, changes: EntryUiState) {
    this.#uiStates = new Map(this.#uiStates);
    updateUiState(this.#uiStates, key, changes);
    this.#host.requestUpdate();
  }

  hostConnected() {
    // An element that was moved keeps its conversation.
    if (this.#conversation) this.#subscribe(this.#conversation);
  }

  hostDisconnected() {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  /**
   * Closes the conversation on screen and opens another one of the same user.
   *
   * @param sessionId - Null for a new conversation.
   */
  open(client: InlayClient, sessionId: string | null) {
    const previous = this.shown;
    this.close();
    if (sessionId && previous?.entries.length) {
      this.#previous = previous;
      this.#previousTimer = setTimeout(() => this.#hidePrevious(), maxPreviousMs);
    }
    const conversation = sessionId ? client.conversation(sessionId) : client.conversation();
    this.#conversation = conversation;
    this.#openedId = sessionId;
    this.#subscribe(conversation);
  }

  /** Closes the conversation on screen and discards its state. */
  close() {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#conversation?.close();
    this.#conversation = null;
    this.#openedId = null;
    this.#state = null;
    this.#previous = null;
    this.#isPreparing = false;
    clearTimeout(this.#previousTimer);
    this.#uiStates = new Map();
    this.#openedAtSeq = null;
    this.#loaded = false;
    this.#streaming.clear();
    this.#finished.clear();
    this.#host.requestUpdate();
  }

  #hidePrevious() {
    if (!this.#previous) return;
    this.#previous = null;
    clearTimeout(this.#previousTimer);
    this.#host.requestUpdate();
  }

  #subscribe(conversation: Conversation) {
    this.#unsubscribe?.();
    this.#unsubscribe = conversation.subscribe(() => this.#take(conversation.state));
    this.#take(conversation.state);
  }

  #take(state: ConversationState) {
    const before = this.#state;
    // The draft is not part of the state, so an update is needed even if the state is the same.
    this.#host.requestUpdate();
    if (state === before) return;
    this.#state = state;
    this.#moveWelcomeState(state);
    if (!state.loading || state.entries.length > 0) {
      if (this.#openedAtSeq === null) void this.#prepare(state);
      this.#openedAtSeq ??= state.lastSeq;
    }
    // The start of a run is not announced if the run was in progress when the conversation was opened.
    const wasShown = before !== null && (before.entries.length > 0 || !before.loading);
    if (wasShown && isAgentRunning(state) && !isAgentRunning(before)) this.#announcer.start();
    if (!state.loading && !this.#loaded) {
      this.#loaded = true;
      if (state.entries.length > 0) this.#emitLoad(state);
    }
    const last = state.entries.at(-1);
    if (last?.kind === 'agent' && last.progress === 'streaming') this.#announcer.update(last);
    for (const entry of this.#takeFinished(state)) this.#handleAnswer(entry);
    if (before?.running && !state.running && state.stoppable) this.#announcer.wait();
    if (before?.stoppable && !state.stoppable) this.#announcer.idle();
  }

  /** Moves the UI state of the welcome card to its entry, once the log has it. */
  #moveWelcomeState({ welcome, entries: [first] }: ConversationState) {
    const uiState = this.#uiStates.get('welcome');
    if (!uiState || welcome || first?.kind !== 'card') return;
    this.#uiStates.delete('welcome');
    this.#uiStates.set(first.key, uiState);
  }

  /** Shows the conversation once the elements that render its end have loaded. */
  async #prepare({ entries }: ConversationState) {
    if (this.#openedId !== null) {
      const conversation = this.#conversation;
      this.#isPreparing = true;
      await Promise.race([
        waitForElement('inlay-message-list').then(() =>
          this.#host.renderRoot.querySelector('inlay-message-list')?.loadElements?.(entries),
        ),
        new Promise((resolve) => setTimeout(resolve, maxElementsMs)),
      ]);
      if (conversation !== this.#conversation) return;
      this.#isPreparing = false;
    }
    this.#hidePrevious();
    this.#host.requestUpdate();
  }

  /** Dispatches `inlay-conversation-load`, unless the conversation is new. */
  #emitLoad({ session, running, entries }: ConversationState) {
    if (!session) return;
    const sinceLastMessage = entries.slice(entries.map(({ kind }) => kind).lastIndexOf('user') + 1);
    const answers = sinceLastMessage.filter(
      (entry) => entry.kind === 'agent' && entry.progress !== 'streaming',
    ).length;
    emit(this.#host, 'inlay-conversation-load', { sessionId: session.id, running, answers });
  }

  #handleAnswer(entry: AgentEntry) {
    const { id, text, progress } = entry;
    if (progress === 'streaming') return;
    this.#announcer.finish(entry);
    emit(this.#host, 'inlay-answer', { id, text, progress, sessionId: this.sessionId });
  }

  /** Returns newly finished agent messages. Searches back to the last known finished one. */
  #takeFinished({ entries }: ConversationState): AgentEntry[] {
    const finished: AgentEntry[] = [];
    for (let index = entries.length - 1; index >= 0; index -= 1) {
      const entry = entries[index];
      if (entry?.kind !== 'agent') continue;
      if (entry.progress === 'streaming') {
        this.#streaming.add(entry.key);
        continue;
      }
      if (this.#finished.has(entry.key)) break;
      this.#finished.add(entry.key);
      const isPast =
        entry.seq !== null && this.#openedAtSeq !== null && entry.seq <= this.#openedAtSeq;
      if (this.#streaming.delete(entry.key) || !isPast) finished.unshift(entry);
    }
    return finished;
  }
}
