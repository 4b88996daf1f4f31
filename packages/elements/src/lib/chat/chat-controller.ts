import type { AgentEntry, AuthState, Diagnostic, InlayClient, InlayError } from '@inlay/client';
import type { EmbedConfig } from '@inlay/protocol';
import type { ReactiveControllerHost } from 'lit';
import {
  ClientController,
  type ClientSettings,
  inlayErrorOf,
} from '../controllers/client-controller.ts';
import { ConversationController } from '../controllers/conversation-controller.ts';
import { type ChatStatus, writingIn } from '../status/auth-views.ts';
import { latestSession } from './latest-session.ts';

/** What the element around is asked and told. */
export interface ChatControllerOptions {
  readonly settings: () => ClientSettings;
  /** The conversation to begin with; null for none in particular. */
  readonly firstSession: () => string | null;
  /** Whether to go on with the latest conversation where none is named. */
  readonly resumes: () => boolean;
  /** False keeps a message from being sent. */
  readonly onRequest: (text: string) => boolean;
  readonly onSent: (text: string) => void;
  /** Another client or another person: nothing of the former one may be painted again. */
  readonly onChange: () => void;
  readonly onAuthChange: (auth: AuthState) => void;
  readonly onConfig: (config: EmbedConfig) => void;
  readonly onAnswer: (entry: AgentEntry) => void;
  readonly onRun: () => void;
  readonly onError: (error: InlayError) => void;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

const abandoned = new Set<string>(['CLOSED', 'ABORTED', 'SUBJECT_CHANGED']);

/**
 * Brings which person talks with which agent in which conversation, and does what the person
 * wants.
 */
export class ChatController {
  readonly client: ClientController;
  readonly conversation: ConversationController;
  readonly #host: ReactiveControllerHost;
  readonly #options: ChatControllerOptions;
  #resuming = false;
  #reconnecting = false;
  /** Counts openings, so that a late answer about the latest conversation is dropped. */
  #opening = 0;

  constructor(host: ReactiveControllerHost & Element, options: ChatControllerOptions) {
    this.#host = host;
    this.#options = options;
    this.client = new ClientController(host, {
      settings: options.settings,
      onClientChange: () => this.#begin(options.firstSession()),
      onUserChange: () => this.#begin(null),
      onAuthChange: options.onAuthChange,
      onConfig: options.onConfig,
      onError: options.onError,
      onDiagnostic: options.onDiagnostic,
    });
    this.conversation = new ConversationController(host, options);
  }

  /** Another person uses the page now, whoever it was before: nothing of them stays. */
  reset(): void {
    const { client } = this.client;
    if (!client) return;
    client.reset();
    this.#begin(null);
    this.client.load();
  }

  /** What stands in the composer. It belongs to the conversation, and survives a page load. */
  get draft(): string {
    return this.conversation.current?.draft ?? '';
  }

  set draft(text: string) {
    this.conversation.current?.setDraft(text);
    this.#host.requestUpdate();
  }

  /** Whether the person can talk in this conversation now, and if not, why. */
  get status(): ChatStatus {
    const { status, error: refusal, externalUserId } = this.client.auth;
    const { connection, error, session } = this.conversation.state ?? {};
    // Nobody loses what they never had.
    if (refusal?.code === 'AUTH_DENIED' && externalUserId === null) return 'signed_out';
    if (status === 'expired' && externalUserId === null) return 'unavailable';
    if (status !== 'ok') return status;
    if (error?.code === 'NOT_FOUND' || session?.status === 'terminated') return 'closed';
    if (connection === 'offline') return 'offline';
    return connection === 'reconnecting' ? 'refreshing' : 'ok';
  }

  /** Whether the agent works, and what it says can arrive. */
  get running(): boolean {
    const { status } = this;
    const arrives = status === 'ok' || status === 'refreshing';
    return arrives && (this.conversation.state?.running ?? false);
  }

  /** Whether a conversation from before is being looked for. */
  get resuming(): boolean {
    return this.#resuming;
  }

  get reconnecting(): boolean {
    return this.#reconnecting;
  }

  /** The id of the conversation on screen; null while it has none. */
  get sessionId(): string | null {
    // Asked of the conversation itself, which may be a paint ahead of what is on screen.
    return this.conversation.current?.state.session?.id ?? null;
  }

  /** Leaves the conversation on screen, whose draft is kept. False where there is no client. */
  open(sessionId: string | null): boolean {
    const { client } = this.client;
    if (!client) return false;
    this.#stopResuming();
    this.conversation.open(client, sessionId);
    return true;
  }

  /** Null when the message can't be sent or was prevented; otherwise whether it arrived. */
  send(text: string): Promise<boolean> | null {
    const { current } = this.conversation;
    if (!current || text === '' || writingIn(this.status) !== 'open') return null;
    if (!this.#options.onRequest(text)) return null;

    // A conversation that is found now would take this message off the screen.
    this.#stopResuming();
    return current.send(text).then(
      () => {
        this.#options.onSent(text);
        return true;
      },
      (reason: unknown) => {
        this.#fail(reason);
        return false;
      },
    );
  }

  /** Gives up a message that failed. */
  discard(key: string) {
    this.conversation.current?.discard(key);
  }

  /** Sends a failed message again. */
  retry(key: string) {
    this.conversation.current?.retry(key);
  }

  /** Says the person's last message once more. */
  retryLast() {
    const last = this.conversation.state?.entries.findLast((entry) => entry.kind === 'user');
    if (last) void this.send(last.text);
  }

  rate(key: string, rating: 'up' | 'down') {
    const id = this.#idOf(key);
    if (id) this.conversation.current?.rate(id, rating).catch((reason) => this.#fail(reason));
  }

  decide(key: string, result: 'allow' | 'deny', reason: string) {
    const id = this.#idOf(key);
    if (!id) return;
    this.conversation.current
      ?.confirmTool(id, result, ...(reason ? [reason] : []))
      .catch((failure) => this.#fail(failure));
  }

  /** Asks for a token once more. True when there is one. */
  async reconnect(): Promise<boolean> {
    const { client } = this.client;
    if (!client || this.#reconnecting) return false;
    this.#reconnecting = true;
    this.#host.requestUpdate();
    try {
      await client.reconnect();
      return true;
    } catch (reason) {
      this.#fail(reason);
      return false;
    } finally {
      this.#reconnecting = false;
      this.#host.requestUpdate();
    }
  }

  /** Begins for another client or person: nothing of the former one stays. */
  #begin(sessionId: string | null) {
    this.#stopResuming();
    this.conversation.leave();
    this.#options.onChange();
    const { client } = this.client;
    if (!client) return;

    this.conversation.open(client, sessionId);
    if (!sessionId && this.#options.resumes()) void this.#resume(client);
  }

  async #resume(client: InlayClient) {
    const opening = this.#opening;
    this.#resuming = true;
    const sessionId = await latestSession(client);
    if (opening !== this.#opening) return;
    this.#stopResuming();
    if (!sessionId) return;
    const begun = this.draft;
    this.draft = '';
    this.conversation.open(client, sessionId);
    // What was begun while the conversation was looked for is meant for it.
    if (!this.draft) this.draft = begun;
  }

  #stopResuming() {
    this.#opening += 1;
    this.#resuming = false;
    this.#host.requestUpdate();
  }

  #idOf(key: string): string | null {
    return this.conversation.state?.entries.find((entry) => entry.key === key)?.id ?? null;
  }

  #fail(reason: unknown) {
    const error = inlayErrorOf(reason);
    // What was given up because the page wanted something else is nobody's failure.
    if (!abandoned.has(error.code)) this.#options.onError(error);
  }
}
