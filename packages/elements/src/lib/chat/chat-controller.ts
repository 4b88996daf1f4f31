/**
 * Everything behind `inlay-chat` except its template. The controller reads the options of its host,
 * requests updates of it, and dispatches the public events on it (`emit`).
 *
 * ```text
 *  page ── options, methods ──► InlayChat (chat.ts) ── public events ──► page
 *                                │            ▲
 *                        methods │            │ requestUpdate, emit
 *                                ▼            │
 *  handleRequests ── calls ──► ChatController ┴── state ──► chatTemplate
 *  (actions.ts)                  │                          (chat-template.ts)
 *       ▲                        ├─ ClientController: token, agent's settings    │
 *       │                        ├─ ConversationController: entries, UI state    │
 *       │                        │    └─ Announcer: live region                  │ properties
 *       │                        ├─ LanguageController: strings                  │
 *       │                        ├─ ConsentController, DropController, Panels    │
 *       │                        └─ ToolsController: tools of the page           ▼
 *       └───────────────────────── internal events ─────────────────────── inner elements
 * ```
 *
 * `handleRequests` also calls public methods of `InlayChat`. Export, deletion and erasure are in a
 * lazy-loaded module (`data-rights.ts`).
 */
import {
  type AuthState,
  type Conversation,
  type ConversationState,
  type Entry,
  type InlayClient,
  InlayError,
  type UserEntry,
} from '@inlay/client';
import type { Allowance, EmbedConfig, UserContent } from '@inlay/protocol';
import type { TemplateResult } from 'lit';
import { Announcer } from '../announcer/announcer.ts';
import type { DropController } from '../attachments/drop-controller.ts';
import { attaching } from '../attachments/load-attaching.ts';
import type { Upload } from '../attachments/uploads.ts';
import type { InlayComposer } from '../composer/composer.ts';
import { ConsentController } from '../consent/consent-controller.ts';
import { unsent } from '../consent/consent-store.ts';
import { emit, type InlayRequestDetails } from '../events.ts';
import { LanguageController } from '../i18n/language-controller.ts';
import type { Strings } from '../i18n/strings.ts';
import { lazy } from '../lazy.ts';
import { waitForElement } from '../lazy-elements.ts';
import { currentQuotas } from '../quota/most-used-quota.ts';
import { type ChatStatus, composerModeFor, viewOf } from '../status/auth-views.ts';
import type { ChatOptions } from './chat-options.ts';
import { ClientController, inlayErrorOf } from './client-controller.ts';
import { ConversationController, isAgentRunning } from './conversation-controller.ts';
import { focusNextArea } from './focus.ts';
import { Panels } from './panels.ts';
import { sessionToResume } from './session-to-resume.ts';
import { attachmentPolicy, consentQuestion } from './settings.ts';
import type { ToolsController } from './tools-controller.ts';

/** Everything that is sent with the text of a message. */
type MessageDetails = Omit<InlayRequestDetails['inlay-submit-request'], 'text'>;

/** Everything that the template renders, apart from the options of the page. */
export interface ChatState {
  readonly strings: Strings;
  /** The agent's display name. */
  readonly agentName: string;
  /** The agent's settings; null until they are loaded. */
  readonly config: EmbedConfig | null;
  /** The text that says that an AI answers; a space until the settings are loaded, empty for none. */
  readonly disclosure: string;
  /** Why the settings could not be loaded; null while they are loading and once they are loaded. */
  readonly error: InlayError | null;
  /** The missing or invalid option; null if there is none or the page may still set it. */
  readonly setupError: InlayError | null;
  readonly auth: AuthState;
  /** `ok`, or what limits this conversation now. */
  readonly status: ChatStatus;
  /** Whether the user has no access at all: then only the reason is shown. */
  readonly noAccess: boolean;
  /** Whether no message can be sent now. */
  readonly locked: boolean;
  /** Consent text that the user has to accept first; null for none. */
  readonly consent: string | null;
  /** The id of the conversation on screen; null while it has none. */
  readonly sessionId: string | null;
  /** The current conversation; null without a client. */
  readonly conversation: ConversationState | null;
  /**
   * Entries to render. While a conversation loads, those of the previous one stay for a moment, so that
   * the list is not empty.
   */
  readonly entries: readonly Entry[];
  /** Whether the conversation or its history is loading. */
  readonly loading: boolean;
  /** Whether the user's conversation to resume is being looked up or loaded. */
  readonly resuming: boolean;
  readonly hasEarlier: boolean;
  /** Whether the agent is running and its messages can arrive. */
  readonly running: boolean;
  /** Whether there is something to stop: an agent message or a pending tool confirmation. */
  readonly stoppable: boolean;
  /** Whether `reconnect` is pending. */
  readonly reconnecting: boolean;
  /** When the exhausted quota resets, in milliseconds since the epoch; null if it does not or is unknown. */
  readonly resetsAt: number | null;
  readonly allowances: readonly Allowance[];
}

/** Longest timeout of browsers, in milliseconds. */
const maxTimeoutMs = 2 ** 31 - 1;

/** Error codes of reached limits: sending again does not help. */
const limitCodes = new Set<string>(['EMBED_BUDGET_EXCEEDED', 'EMBED_QUOTA_EXCEEDED']);

const abandonedCodes = new Set<string>(['CLOSED', 'ABORTED', 'SUBJECT_CHANGED']);

const none: readonly never[] = [];

const toolsModule = lazy(() => import('./tools-controller.ts'));
const consentModule = lazy(() => import('../consent/consent.ts'));

/** Connects the client, the conversation on screen and the actions of the user. */
export class ChatController {
  readonly host: ChatOptions;
  readonly language: LanguageController;
  readonly client: ClientController;
  readonly conversation: ConversationController;
  readonly consent: ConsentController;
  readonly announcer: Announcer;
  readonly panels: Panels;
  /** Undefined until the module for attachments has loaded. */
  drop: DropController | undefined;
  /** Renders the question about the conversations from before the sign-in; undefined without a question. */
  claim: ((strings: Strings) => TemplateResult) | undefined;
  #tools: ToolsController | undefined;
  /** Whether the conversation to resume is being looked up, or was found and opened. */
  #resuming: 'lookup' | 'load' | null = null;
  #reconnecting = false;
  /** Updates the host when the exhausted quota resets. */
  #resetTimer: ReturnType<typeof setTimeout> | undefined;
  /** Draft written before there is a conversation to store it. */
  #earlyDraft = '';
  /** Whether the page has set the draft before it was known which conversation is shown first. */
  #replacesStoredDraft = false;
  /** Functions that send the messages that were submitted before the agent's settings were known. */
  readonly #waiting: (() => void)[] = [];
  /**
   * Increased when the lookup of the conversation to resume ends or is no longer needed, for example
   * because a message is sent, so that a late result is dropped.
   */
  #lookupCount = 0;

  /** @param offerClaim - Called when a user may take over the conversations of a visitor. */
  constructor(host: ChatOptions, offerClaim: () => void) {
    this.host = host;
    this.language = new LanguageController(host, () => host);
    this.announcer = new Announcer({
      verbosity: () => host.announce ?? 'sentences',
      strings: () => this.language.strings,
      agentName: () => this.#agentName,
      onChange: () => host.requestUpdate(),
      loadExtras: () => waitForElement('markdown-extras'),
    });
    this.client = new ClientController(
      host,
      (reason) => this.restart(reason === 'client' ? host.sessionId || null : null),
      () => {
        if (this.onlySessionId) this.open(this.onlySessionId, true);
        this.#sendWaiting();
        if (unsent.items().length) void this.sendConsents();
        if (this.client.config?.features.visitor_claim) offerClaim();
      },
      () => this.announcer.clear(),
    );
    this.conversation = new ConversationController(host, this.announcer);
    host.addController({
      hostUpdate: () => {
        if (host.tools && !this.#tools) void this.#loadTools();
        if (attachmentPolicy(this.client.config) && !this.drop) void this.#loadDrop();
      },
      hostUpdated: () => {
        clearTimeout(this.#resetTimer);
        const { resetsAt } = this;
        if (resetsAt === null) return;
        const delay = Math.min(resetsAt - Date.now(), maxTimeoutMs);
        this.#resetTimer = setTimeout(() => host.requestUpdate(), delay);
      },
      hostDisconnected: () => clearTimeout(this.#resetTimer),
    });
    this.consent = new ConsentController(host, () => consentQuestion(this.client.config));
    this.panels = new Panels(host);
  }

  /**
   * Sends the consents that the platform has not recorded.
   *
   * @param language - See `sendConsents` of the module, which is loaded with the consent form.
   */
  async sendConsents(language: string | null = null): Promise<void> {
    const { client, config } = this.client;
    const module = await consentModule.load();
    if (client && config) module?.sendConsents(client, config, language);
  }

  /** Loads the module that runs client tools. If that fails, the next update retries; calls stay pending. */
  async #loadTools(): Promise<void> {
    const module = await toolsModule.load();
    if (!module || this.#tools) return;
    this.#tools = new module.ToolsController(this.host, {
      tools: () => this.host.tools,
      conversation: () => this.conversation.current,
      onError: (reason) => this.fail(reason),
    });
  }

  /** Loads the module that accepts dropped files. If that fails, the next update retries. */
  async #loadDrop(): Promise<void> {
    const module = await attaching.load();
    if (!module || this.drop) return;
    this.drop = new module.DropController(this.host, {
      enabled: () => attachmentPolicy(this.client.config) !== null,
      accepts: () =>
        composerModeFor(this.status) !== 'closed' && this.consent.requiredText === null,
      onFiles: (files) => this.composer?.addFiles(files),
    });
  }

  get state(): ChatState {
    const { status } = this;
    const { auth, config, error, setupError } = this.client;
    const { shown, loading, state: conversation } = this.conversation;
    const loaded = shown?.entries ?? none;
    const last = loaded.at(-1);
    // The status says that the limit is reached: the notice of the last run would repeat it.
    const isRepeated = status === 'over_budget' && last?.kind === 'notice' && !last.retryable;
    const entries = isRepeated ? loaded.slice(0, -1) : loaded;
    const isOk = status === 'ok' || status === 'disabled';
    const isConnected = isOk || status === 'refreshing';
    const running = conversation !== null && isAgentRunning(conversation);
    return {
      strings: this.language.strings,
      agentName: this.#agentName,
      config,
      disclosure: config ? (config.disclosure ?? this.language.strings.disclosure) : ' ',
      error,
      setupError,
      auth,
      status,
      noAccess: !config && entries.length === 0 && viewOf(status) !== null && !isOk,
      locked: this.#locked,
      consent: this.consent.requiredText,
      sessionId: this.sessionId,
      conversation,
      entries,
      loading,
      resuming: this.#resuming === 'lookup' || (this.#resuming === 'load' && loading),
      hasEarlier: shown?.hasEarlier ?? false,
      running: running && isOk,
      stoppable:
        isConnected &&
        conversation !== null &&
        (conversation.running ? running : conversation.stoppable),
      reconnecting: this.#reconnecting,
      resetsAt: this.resetsAt,
      allowances: this.#allowances,
    };
  }

  /** `ok`, or what limits this conversation now. */
  get status(): ChatStatus {
    const { status, error: authError, externalUserId } = this.client.auth;
    const { connection, error, session } = this.conversation.state ?? {};
    // A user who was never signed in can't have lost access.
    if (authError?.code === 'AUTH_DENIED' && externalUserId === null) return 'signed_out';
    if (status === 'expired' && externalUserId === null) return 'unavailable';
    const isReset = status === 'over_budget' && (this.client.resetsAt ?? Infinity) <= Date.now();
    if (status !== 'ok' && !isReset) return status;
    if (this.host.disabled) return 'disabled';
    if (error?.code === 'NOT_FOUND' || session?.status === 'terminated') return 'closed';
    if (connection === 'offline') return 'offline';
    if (this.#exhausted.length > 0) return 'over_budget';
    return connection === 'reconnecting' ? 'refreshing' : 'ok';
  }

  get #allowances(): readonly Allowance[] {
    const { allowances = none } = this.conversation.state ?? {};
    const { config } = this.client;
    return currentQuotas(allowances.length > 0 ? allowances : (config?.allowances ?? none));
  }

  get #exhausted(): readonly Allowance[] {
    return this.#allowances.filter(({ used }) => used >= 1);
  }

  /** See `ChatState.resetsAt`. */
  get resetsAt(): number | null {
    if (this.status !== 'over_budget') return null;
    const resetTime = this.#exhausted.find(({ resets_at }) => resets_at)?.resets_at;
    return this.client.resetsAt ?? (Date.parse(resetTime ?? '') || null);
  }

  /** The only conversation that the token opens; null if it opens all of the user. */
  get onlySessionId(): string | null {
    return this.client.config?.token.session_id ?? null;
  }

  /** The id of the conversation on screen; null while it has none. */
  get sessionId(): string | null {
    return this.conversation.sessionId;
  }

  get composer(): InlayComposer | null {
    return this.host.renderRoot.querySelector('inlay-composer');
  }

  /** Text in the composer. It is stored with the conversation and survives a page load. */
  get draft(): string {
    return this.conversation.current?.draft ?? this.#earlyDraft;
  }

  set draft(text: string) {
    if (this.conversation.current) this.conversation.current.setDraft(text);
    else this.#earlyDraft = text;
    this.host.requestUpdate();
  }

  /** Sets the draft, also of the conversation that is resumed. */
  replaceDraft(text: string): void {
    this.#replacesStoredDraft = !this.conversation.current || this.#resuming === 'lookup';
    this.draft = text;
  }

  get #agentName(): string {
    return this.host.heading || this.client.config?.agent.name || this.language.strings.agent;
  }

  get #locked(): boolean {
    // Until the settings are known, they may require consent.
    return (
      composerModeFor(this.status) !== 'open' ||
      !this.client.config ||
      this.consent.requiredText !== null
    );
  }

  /**
   * Opens a conversation. The draft of the previous one is kept.
   *
   * @param sessionId - Null for a new conversation. Ignored if the token opens only one.
   * @param withDraft - Whether to move draft and files to the conversation.
   * @returns False if there is no client.
   */
  open(sessionId: string | null, withDraft = false): boolean {
    const { client } = this.client;
    if (!client) return false;
    sessionId = this.onlySessionId ?? sessionId;
    this.#stopResuming();
    const { draft, sessionId: previous } = this;
    if (withDraft) this.draft = '';
    if (previous && this.conversation.state?.running) this.panels.unfinished.add(previous);
    this.panels.unfinished.delete(sessionId ?? '');
    this.conversation.open(client, sessionId);
    if (withDraft) {
      this.#addToDraft(draft);
      this.composer?.moveFiles(previous ?? '', sessionId ?? '');
    }
    return true;
  }

  /** Restarts the chat for another client or user, and discards the state of the previous one. */
  restart(sessionId: string | null): void {
    this.#stopResuming();
    // Messages for the previous client or user fail, because the settings are unknown now. Those that were
    // submitted before there was a client are kept.
    if (this.conversation.current) {
      this.#sendWaiting();
      this.#replacesStoredDraft = false;
    }
    this.conversation.close();
    this.announcer.clear();
    this.panels.forget();
    this.claim = undefined;
    this.composer?.forget();
    const { client } = this.client;
    if (!client) return;

    this.conversation.open(client, sessionId);
    this.#addToDraft(this.#earlyDraft);
    this.#earlyDraft = '';
    if (!sessionId && !this.host.noResume) void this.resume(client);
  }

  /** Discards the token, the conversation and the draft of the current user, and starts again. */
  reset(): void {
    const { client } = this.client;
    if (!client) return;
    client.reset();
    this.restart(null);
    this.client.load();
  }

  /**
   * Sends a message.
   *
   * @returns Null if the message can't be sent or was prevented; otherwise whether it arrived.
   */
  send(
    text: string,
    { attached = [], mode, mentions }: MessageDetails = {},
  ): Promise<boolean> | null {
    const { current } = this.conversation;
    if (!current || (text === '' && attached.length === 0) || this.#locked) return null;
    if (!emit(this.host, 'inlay-message-request', { text })) return null;
    const content: UserContent = [...attached, ...(text ? [{ type: 'text' as const, text }] : [])];

    // Resuming another conversation now would remove this message from the screen.
    this.#stopResuming();
    return current
      .send(content, {
        ...(mode && { mode }),
        ...(mentions && { mentions }),
      })
      .then(
        () => {
          emit(this.host, 'inlay-message', { text, sessionId: this.sessionId });
          return true;
        },
        (reason: unknown) => {
          if (limitCodes.has(inlayErrorOf(reason).code)) this.#returnToDraft(current, text);
          this.fail(reason);
          return false;
        },
      );
  }

  /** Moves the text of an unsent message back to the draft. A message with files stays in the conversation. */
  #returnToDraft(conversation: Conversation, text: string) {
    const entry = conversation.state.entries.find(
      (each): each is UserEntry =>
        each.kind === 'user' && each.delivery === 'failed' && each.text === text,
    );
    if (!entry || entry.content.length > 1) return;
    conversation.discard(entry.key);
    conversation.setDraft([conversation.draft, text].filter(Boolean).join('\n'));
  }

  /** Sends a message as soon as the agent's settings are known. */
  async sendWhenReady(text: string): Promise<boolean | null> {
    // The first render creates the client.
    if (!this.client.client) await this.host.updateComplete;
    const { client, config } = this.client;
    if (!client || config || composerModeFor(this.status) !== 'open') return this.send(text);
    return new Promise((resolve) => this.#waiting.push(() => resolve(this.send(text))));
  }

  /**
   * Sends the text of the composer. Until the agent's settings are known, the text stays in the composer,
   * and is then sent, unless the user has changed it or has to consent first.
   *
   * @param typed - The text in the composer, such as a slash command whose prompt is `text`.
   * @returns False if the text must stay in the composer.
   */
  submit(text: string, typed: string, details: MessageDetails): boolean {
    if (this.client.config) return this.send(text, details) !== null;
    this.#waiting.push(() => {
      if (typed.trim() === this.draft.trim() && this.send(text, details) !== null) this.draft = '';
    });
    return false;
  }

  /** Sends the messages that waited for the agent's settings. */
  #sendWaiting() {
    for (const send of this.#waiting.splice(0)) send();
  }

  /** Returns the texts of the user's messages in the conversation, oldest first. */
  readonly sentMessages = (): readonly string[] =>
    (this.conversation.state?.entries ?? []).flatMap((entry) =>
      entry.kind === 'user' && entry.text ? [entry.text] : [],
    );

  /** Moves focus to the last message on Alt+Page Up. In the message list, the same keys move to the previous message. */
  readonly handleComposerKey = (event: KeyboardEvent): void => {
    const list = this.host.renderRoot.querySelector('inlay-message-list');
    if (!event.altKey || event.key !== 'PageUp' || !list?.hasUpdated) return;
    event.preventDefault();
    void list.focusMessage('previous');
  };

  /** Moves between areas on F6, and makes each message one tab stop. */
  readonly handleKey = (event: KeyboardEvent): void => {
    const { key, code, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (altKey || ctrlKey || metaKey || event.defaultPrevented) return;
    if (key === 'F6') {
      event.preventDefault();
      focusNextArea(this.host, shiftKey);
    }
    const list = this.host.renderRoot.querySelector('inlay-message-list');
    // In WebKitGTK, Shift+Tab has no key.
    if (code === 'Tab' && list?.hasUpdated) list.skipContent(event);
  };

  /** Uploads a file for the message that is being written. */
  readonly upload: Upload = (file, options) => {
    const { client } = this.client;
    return client ? client.files.upload(file, options) : Promise.reject(noClientError());
  };

  /** Loads the content of a file of the conversation. */
  readonly loadFile = (fileId: string): Promise<Blob> => {
    const { client } = this.client;
    return client ? client.files.content(fileId) : Promise.reject(noClientError());
  };

  /**
   * Retries pending requests without waiting for the backoff. Also requests a new token, unless the
   * client is already refreshing the token or reconnecting.
   *
   * @returns Whether a token was received.
   */
  async reconnect(): Promise<boolean> {
    const { client } = this.client;
    if (!client || this.#reconnecting) return false;
    this.conversation.current?.reconnect();
    if (this.status === 'refreshing') return false;
    this.#reconnecting = true;
    this.host.requestUpdate();
    try {
      await client.reconnect();
      return true;
    } catch (reason) {
      this.fail(reason);
      return false;
    } finally {
      this.#reconnecting = false;
      this.host.requestUpdate();
    }
  }

  /** Leaves a conversation that was deleted. */
  handleDeleted(sessionId: string): void {
    emit(this.host, 'inlay-delete', { sessionId });
    if (sessionId === this.sessionId) this.open(null);
  }

  /** Reports a failed action of the user by `inlay-error`. */
  fail(reason: unknown): void {
    const { code, message } = inlayErrorOf(reason);
    // An action that was abandoned on purpose is not a failure.
    if (!abandonedCodes.has(code)) emit(this.host, 'inlay-error', { code, message });
  }

  /** Opens the conversation that the user was in last, if there is one. */
  async resume(client: InlayClient): Promise<void> {
    const lookupCount = this.#lookupCount;
    this.#resuming = 'lookup';
    const sessionId = await sessionToResume(client);
    if (lookupCount !== this.#lookupCount) return;
    this.#stopResuming();
    // Moves the text and the files that the user added during the lookup.
    if (sessionId && this.open(sessionId, true)) this.#resuming = 'load';
    this.#replacesStoredDraft = false;
  }

  /** Appends text to the stored draft, so that neither is lost, unless the page replaces the draft. */
  #addToDraft(text: string) {
    if (this.#replacesStoredDraft) this.draft = text;
    else if (text) this.draft = [this.draft, text].filter(Boolean).join('\n');
  }

  #stopResuming() {
    this.#lookupCount += 1;
    this.#resuming = null;
    this.host.requestUpdate();
  }
}

function noClientError(): InlayError {
  return new InlayError(
    'INVALID_OPTION',
    'The chat is not on the page, or a required option is missing.',
  );
}
