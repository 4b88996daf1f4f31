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
  type ConversationState,
  type Entry,
  type InlayClient,
  InlayError,
} from '@inlay/client';
import type { Allowance, EmbedConfig, UserContent } from '@inlay/protocol';
import { Announcer } from '../announcer/announcer.ts';
import { DropController } from '../attachments/drop-controller.ts';
import type { Upload } from '../attachments/uploads.ts';
import type { InlayComposer } from '../composer/composer.ts';
import { ConsentController } from '../consent/consent-controller.ts';
import { ClientController, inlayErrorOf } from '../controllers/client-controller.ts';
import { ConversationController } from '../controllers/conversation-controller.ts';
import { LanguageController } from '../controllers/language-controller.ts';
import { LazyToolsController } from '../controllers/lazy-tools-controller.ts';
import { emit, type InlayRequestDetails } from '../events.ts';
import type { Strings } from '../i18n/strings.ts';
import { waitForElement } from '../lazy-elements.ts';
import { type ChatStatus, composerModeFor, viewOf } from '../status/auth-views.ts';
import type { ChatOptions } from './chat-options.ts';
import { Panels } from './panels.ts';
import { sessionToResume } from './session-to-resume.ts';
import { attachmentPolicy, consentQuestion } from './settings.ts';

/** Everything that is sent with the text of a message. */
type MessageDetails = Omit<InlayRequestDetails['inlay-submit-request'], 'text'>;

/** Everything that the template renders, apart from the options of the page. */
export interface ChatState {
  readonly strings: Strings;
  /** The agent's display name. */
  readonly agentName: string;
  /** The agent's settings; null until they are loaded. */
  readonly config: EmbedConfig | null;
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
  /** Whether it is still unknown if the user has a conversation to resume. */
  readonly resuming: boolean;
  readonly hasEarlier: boolean;
  /** Whether the agent is running and its messages can arrive. */
  readonly running: boolean;
  /** Whether there is something to stop: an agent message or a pending tool confirmation. */
  readonly stoppable: boolean;
  /** Whether `reconnect` is pending. */
  readonly reconnecting: boolean;
  /** When the exhausted daily quota resets, in milliseconds since the epoch; null if unknown. */
  readonly resetsAt: number | null;
  readonly allowances: readonly Allowance[];
}

const abandonedCodes = new Set<string>(['CLOSED', 'ABORTED', 'SUBJECT_CHANGED']);

const none: readonly never[] = [];

/** Connects the client, the conversation on screen and the actions of the user. */
export class ChatController {
  readonly host: ChatOptions;
  readonly language: LanguageController;
  readonly client: ClientController;
  readonly conversation: ConversationController;
  readonly consent: ConsentController;
  readonly announcer: Announcer;
  readonly panels: Panels;
  readonly drop: DropController;
  #resuming = false;
  #reconnecting = false;
  /** Draft written before there is a conversation to store it. */
  #earlyDraft = '';
  /** Functions that send the messages that were submitted before the agent's settings were known. */
  readonly #waiting: (() => void)[] = [];
  /**
   * Increased when the lookup of the conversation to resume ends or is no longer needed, for example
   * because a message is sent, so that a late result is dropped.
   */
  #lookupCount = 0;

  constructor(host: ChatOptions) {
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
      () => this.#sendWaiting(),
      () => this.announcer.clear(),
    );
    this.conversation = new ConversationController(host, this.announcer);
    new LazyToolsController(host, {
      tools: () => host.tools,
      conversation: () => this.conversation.current,
      onError: (reason) => this.fail(reason),
    });
    this.consent = new ConsentController(host, () => consentQuestion(this.client.config));
    this.drop = new DropController(host, {
      enabled: () => attachmentPolicy(this.client.config) !== null,
      accepts: () =>
        composerModeFor(this.status) !== 'closed' && this.consent.requiredText === null,
      onFiles: (files) => this.composer?.addFiles(files),
    });
    this.panels = new Panels(host);
  }

  get state(): ChatState {
    const { status } = this;
    const { auth, config, error, setupError, resetsAt } = this.client;
    const { shown, state: conversation } = this.conversation;
    const entries = shown?.entries ?? none;
    const isConnected = status === 'ok' || status === 'refreshing';
    const allowances = conversation?.allowances ?? none;
    return {
      strings: this.language.strings,
      agentName: this.#agentName,
      config,
      error,
      setupError,
      auth,
      status,
      noAccess: !config && entries.length === 0 && viewOf(status) !== null,
      locked: this.#locked,
      consent: this.consent.requiredText,
      sessionId: this.sessionId,
      conversation,
      entries,
      loading: shown?.loading ?? false,
      resuming: this.#resuming,
      hasEarlier: shown?.hasEarlier ?? false,
      running: isConnected && (conversation?.running ?? false),
      stoppable: isConnected && (conversation?.stoppable ?? false),
      reconnecting: this.#reconnecting,
      resetsAt,
      allowances: allowances.length > 0 ? allowances : (config?.allowances ?? none),
    };
  }

  /** `ok`, or what limits this conversation now. */
  get status(): ChatStatus {
    const { status, error: authError, externalUserId } = this.client.auth;
    const { connection, error, session } = this.conversation.state ?? {};
    // A user who was never signed in can't have lost access.
    if (authError?.code === 'AUTH_DENIED' && externalUserId === null) return 'signed_out';
    if (status === 'expired' && externalUserId === null) return 'unavailable';
    if (status !== 'ok') return status;
    if (error?.code === 'NOT_FOUND' || session?.status === 'terminated') return 'closed';
    if (connection === 'offline') return 'offline';
    return connection === 'reconnecting' ? 'refreshing' : 'ok';
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
   * @param sessionId - Null for a new conversation.
   * @param withDraft - Whether to move draft and files to the conversation.
   * @returns False if there is no client.
   */
  open(sessionId: string | null, withDraft = false): boolean {
    const { client } = this.client;
    if (!client) return false;
    this.#stopResuming();
    const { draft, sessionId: previous } = this;
    if (withDraft) this.draft = '';
    this.conversation.open(client, sessionId);
    if (withDraft) {
      this.#appendToDraft(draft);
      this.composer?.moveFiles(previous ?? '', sessionId ?? '');
    }
    return true;
  }

  /** Restarts the chat for another client or user, and discards the state of the previous one. */
  restart(sessionId: string | null): void {
    this.#stopResuming();
    // Messages for the previous client or user fail, because the settings are unknown now. Those that were
    // submitted before there was a client are kept.
    if (this.conversation.current) this.#sendWaiting();
    this.conversation.close();
    this.announcer.clear();
    this.panels.forget();
    this.composer?.forget();
    const { client } = this.client;
    if (!client) return;

    this.conversation.open(client, sessionId);
    this.#appendToDraft(this.#earlyDraft);
    this.#earlyDraft = '';
    if (!sessionId && !this.host.noResume) void this.#resume(client);
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
          this.fail(reason);
          return false;
        },
      );
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
   * @returns False if the text must stay in the composer.
   */
  submit(text: string, details: MessageDetails): boolean {
    if (this.client.config) return this.send(text, details) !== null;
    this.#waiting.push(() => {
      if (text === this.draft.trim() && this.send(text, details) !== null) this.draft = '';
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

  async #resume(client: InlayClient) {
    const lookupCount = this.#lookupCount;
    this.#resuming = true;
    const sessionId = await sessionToResume(client);
    if (lookupCount !== this.#lookupCount) return;
    this.#stopResuming();
    // Moves the text and the files that the user added during the lookup.
    if (sessionId) this.open(sessionId, true);
  }

  /** Appends text to the stored draft, so that neither is lost. */
  #appendToDraft(text: string) {
    if (text) this.draft = [this.draft, text].filter(Boolean).join('\n');
  }

  #stopResuming() {
    this.#lookupCount += 1;
    this.#resuming = false;
    this.host.requestUpdate();
  }
}

function noClientError(): InlayError {
  return new InlayError(
    'INVALID_OPTION',
    'The chat is not on the page, or a required option is missing.',
  );
}
