import {
  type AgentEntry,
  type AuthState,
  type ConversationState,
  type Diagnostic,
  type InlayClient,
  InlayError,
} from '@inlay/client';
import type { EmbedConfig, UserContent } from '@inlay/protocol';
import type { ReactiveControllerHost } from 'lit';
import type { Upload } from '../attachments/uploads.ts';
import {
  ClientController,
  type ClientSettings,
  inlayErrorOf,
} from '../controllers/client-controller.ts';
import { ConversationController } from '../controllers/conversation-controller.ts';
import { LazyToolsController } from '../controllers/lazy-tools-controller.ts';
import type { ClientTools } from '../controllers/tools-controller.ts';
import type { InlayRequestDetails } from '../events.ts';
import { type ChatStatus, writingIn } from '../status/auth-views.ts';
import { latestSession } from './latest-session.ts';

/** Settings and callbacks that the surrounding element provides. */
export interface ChatControllerOptions {
  readonly settings: () => ClientSettings;
  /** Resolves once the composer has rendered. */
  readonly rendered: () => Promise<unknown>;
  /** Session id of the conversation to open first; null for none. */
  readonly initialSessionId: () => string | null;
  /** Whether to resume the latest conversation if `initialSessionId` returns null. */
  readonly shouldResume: () => boolean;
  /** Client tools of the page; null until the page sets them. */
  readonly tools: () => ClientTools | null;
  /** Whether sending is blocked, for example by a consent that is still missing. */
  readonly sendingBlocked: () => boolean;
  /** Returns false to prevent a message from being sent. */
  readonly onRequest: (text: string) => boolean;
  readonly onSent: (text: string) => void;
  /** Called when the client or the user changes. Content of the previous one must be discarded. */
  readonly onChange: () => void;
  readonly onAuthChange: (auth: AuthState) => void;
  readonly onConfig: (config: EmbedConfig) => void;
  readonly onLoad: (state: ConversationState) => void;
  readonly onAnswer: (entry: AgentEntry) => void;
  readonly onStream: (entry: AgentEntry) => void;
  readonly onRun: () => void;
  readonly onWait: () => void;
  readonly onIdle: () => void;
  readonly onError: (error: InlayError) => void;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

/** Everything that is sent with the text of a message. */
type MessageDetails = Omit<InlayRequestDetails['inlay-submit-request'], 'text'>;

const abandoned = new Set<string>(['CLOSED', 'ABORTED', 'SUBJECT_CHANGED']);

/** Connects the client, the conversation on screen and the actions of the user. */
export class ChatController {
  readonly client: ClientController;
  readonly conversation: ConversationController;
  readonly #host: ReactiveControllerHost;
  readonly #options: ChatControllerOptions;
  #resetsAt: number | null = null;
  #resuming = false;
  #reconnecting = false;
  /** Draft written before there is a conversation to store it. */
  #earlyDraft = '';
  /** Number of conversations opened so far: a late result for an earlier one is dropped. */
  #openCount = 0;

  constructor(host: ReactiveControllerHost & Element, options: ChatControllerOptions) {
    this.#host = host;
    this.#options = options;
    this.client = new ClientController(host, {
      settings: options.settings,
      rendered: options.rendered,
      onClientChange: () => this.#restart(options.initialSessionId()),
      onUserChange: () => this.#restart(null),
      onAuthChange: (auth) => {
        this.#resetsAt = resetAfter(auth);
        options.onAuthChange(auth);
      },
      onConfig: options.onConfig,
      onError: options.onError,
      onDiagnostic: options.onDiagnostic,
    });
    this.conversation = new ConversationController(host, options);
    new LazyToolsController(host, {
      tools: options.tools,
      conversation: () => this.conversation.current,
      onError: (reason) => this.fail(reason),
    });
  }

  /** Discards the token, the conversation and the draft of the current user, and starts again. */
  reset(): void {
    const { client } = this.client;
    if (!client) return;
    client.reset();
    this.#restart(null);
    this.client.load();
  }

  /** Text in the composer. It is stored with the conversation and survives a page load. */
  get draft(): string {
    return this.conversation.current?.draft ?? this.#earlyDraft;
  }

  set draft(text: string) {
    if (this.conversation.current) this.conversation.current.setDraft(text);
    else this.#earlyDraft = text;
    this.#host.requestUpdate();
  }

  /** Whether the user can write in this conversation now, and if not, why. */
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

  /** When the exhausted quota resets, in milliseconds since the epoch; null if unknown. */
  get resetsAt(): number | null {
    return this.#resetsAt;
  }

  /** Whether the agent is running and its messages can arrive. */
  get running(): boolean {
    return this.#isConnected && (this.conversation.state?.running ?? false);
  }

  /** Whether there is something to stop: an agent message or a pending tool confirmation. */
  get stoppable(): boolean {
    return this.#isConnected && (this.conversation.state?.stoppable ?? false);
  }

  get #isConnected(): boolean {
    return this.status === 'ok' || this.status === 'refreshing';
  }

  /** Whether the latest conversation is being looked up. */
  get resuming(): boolean {
    return this.#resuming;
  }

  get reconnecting(): boolean {
    return this.#reconnecting;
  }

  /** The id of the conversation on screen; null while it has none. */
  get sessionId(): string | null {
    // Read from the conversation itself, which may be one frame ahead of the rendered state.
    return this.conversation.current?.state.session?.id ?? null;
  }

  /**
   * Opens a conversation. The draft of the previous one is kept.
   *
   * @param sessionId - Null for a new conversation.
   * @returns False if there is no client.
   */
  open(sessionId: string | null): boolean {
    const { client } = this.client;
    if (!client) return false;
    this.#stopResuming();
    this.conversation.open(client, sessionId);
    return true;
  }

  /** Whether no message can be sent now. */
  get locked(): boolean {
    return writingIn(this.status) !== 'open' || this.#options.sendingBlocked();
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
    if (!current || (text === '' && attached.length === 0) || this.locked) return null;
    if (!this.#options.onRequest(text)) return null;
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
          this.#options.onSent(text);
          return true;
        },
        (reason: unknown) => {
          this.fail(reason);
          return false;
        },
      );
  }

  /** Sends a message after the first render, which creates the client. */
  async sendAfterFirstRender(text: string, details?: MessageDetails): Promise<boolean | null> {
    if (!this.client.client) await this.#host.updateComplete;
    return this.send(text, details);
  }

  /** Sends the text of the composer. Returns false if it can't be sent. */
  submit(text: string, details: MessageDetails): boolean {
    if (this.client.client || !this.client.start) return this.send(text, details) !== null;
    // The text field is rendered before the client exists.
    void this.sendAfterFirstRender(text, details).then((sent) => {
      if (sent === null) this.draft ||= text;
    });
    return true;
  }

  /** Returns the texts of the user's messages in the conversation, oldest first. */
  readonly sentMessages = (): readonly string[] =>
    (this.conversation.state?.entries ?? []).flatMap((entry) =>
      entry.kind === 'user' && entry.text ? [entry.text] : [],
    );

  /** Uploads a file for the message that is being written. */
  readonly upload: Upload = (file, options) => {
    const { client } = this.client;
    return client ? client.files.upload(file, options) : Promise.reject(noClient());
  };

  /** Loads the content of a file of the conversation. */
  readonly loadFile = (fileId: string): Promise<Blob> => {
    const { client } = this.client;
    return client ? client.files.content(fileId) : Promise.reject(noClient());
  };

  /** Exports the conversation on screen. Resolves with null on failure. */
  export(format: 'markdown' | 'json'): Promise<Blob | null> {
    return this.#callForSession((client, id) => client.sessions.export(id, format));
  }

  /** Deletes the conversation on screen and starts a new one. Resolves with the deleted id, or null. */
  async delete(): Promise<string | null> {
    const { current } = this.conversation;
    const deletedId = await this.#callForSession(async (client, id) => {
      await client.sessions.delete(id);
      return id;
    });
    // The stream may have reported the deletion already; `sessionId` is null then.
    if (deletedId !== null && this.conversation.current === current) this.open(null);
    return deletedId;
  }

  /** Deletes all data of the user. Resolves with whether that succeeded. */
  async forgetMe(): Promise<boolean> {
    const { client } = this.client;
    if (!client) return false;
    try {
      await client.forgetMe();
    } catch (reason) {
      this.fail(reason);
      return false;
    }
    this.#restart(null);
    this.client.load();
    return true;
  }

  /** Requests a token and retries pending requests at once. Resolves with true if there is a token. */
  async reconnect(): Promise<boolean> {
    const { client } = this.client;
    if (!client || this.#reconnecting) return false;
    this.conversation.current?.reconnect();
    if (this.status === 'refreshing') return false;
    this.#reconnecting = true;
    this.#host.requestUpdate();
    try {
      await client.reconnect();
      return true;
    } catch (reason) {
      this.fail(reason);
      return false;
    } finally {
      this.#reconnecting = false;
      this.#host.requestUpdate();
    }
  }

  /** Starts for another client or user and discards the state of the previous one. */
  #restart(sessionId: string | null) {
    this.#stopResuming();
    this.conversation.close();
    this.#options.onChange();
    const { client } = this.client;
    if (!client) return;

    this.conversation.open(client, sessionId);
    this.#appendToDraft(this.#earlyDraft);
    this.#earlyDraft = '';
    if (!sessionId && this.#options.shouldResume()) void this.#resume(client);
  }

  async #resume(client: InlayClient) {
    const openCount = this.#openCount;
    this.#resuming = true;
    const sessionId = await latestSession(client);
    if (openCount !== this.#openCount) return;
    this.#stopResuming();
    if (!sessionId) return;
    const typed = this.draft;
    this.draft = '';
    this.conversation.open(client, sessionId);
    // Text typed during the lookup belongs to the conversation that was found.
    this.#appendToDraft(typed);
  }

  /** Appends text to the stored draft, so that neither is lost. */
  #appendToDraft(text: string) {
    if (text) this.draft = [this.draft, text].filter(Boolean).join('\n');
  }

  #stopResuming() {
    this.#openCount += 1;
    this.#resuming = false;
    this.#host.requestUpdate();
  }

  async #callForSession<T>(
    action: (client: InlayClient, id: string) => Promise<T>,
  ): Promise<T | null> {
    const { client } = this.client;
    const id = this.sessionId;
    if (!client || id === null) return null;
    try {
      return await action(client, id);
    } catch (reason) {
      this.fail(reason);
      return null;
    }
  }

  /** Reports a failed action of the user by `onError`. */
  fail(reason: unknown): void {
    const error = inlayErrorOf(reason);
    // An action that was abandoned on purpose is not a failure.
    if (!abandoned.has(error.code)) this.#options.onError(error);
  }
}

/** When a daily quota resets: as the error says, otherwise at the next midnight UTC. */
function resetAfter({ status, error }: AuthState): number | null {
  if (status !== 'over_budget' || error?.code !== 'EMBED_QUOTA_EXCEEDED') return null;
  const now = Date.now();
  return error.retryAfterMs === null
    ? new Date(now).setUTCHours(24, 0, 0, 0)
    : now + error.retryAfterMs;
}

function noClient(): InlayError {
  return new InlayError(
    'INVALID_OPTION',
    'The chat is not on the page, or has not all its options.',
  );
}
