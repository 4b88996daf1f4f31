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
import { LateTools } from '../controllers/late-tools.ts';
import type { ClientTools } from '../controllers/tools-controller.ts';
import type { InlayRequestDetails } from '../events.ts';
import { type ChatStatus, writingIn } from '../status/auth-views.ts';
import { latestSession } from './latest-session.ts';

/** What the element around is asked and told. */
export interface ChatControllerOptions {
  readonly settings: () => ClientSettings;
  /** Resolves once the field is drawn. */
  readonly drawn: () => Promise<unknown>;
  /** The conversation to begin with; null for none in particular. */
  readonly firstSession: () => string | null;
  /** Whether to go on with the latest conversation where none is named. */
  readonly resumes: () => boolean;
  /** What the page runs for the agent; null while it has not said. */
  readonly tools: () => ClientTools | null;
  /** Whether something stands before the first word, such as a consent that was not given. */
  readonly held: () => boolean;
  /** False keeps a message from being sent. */
  readonly onRequest: (text: string) => boolean;
  readonly onSent: (text: string) => void;
  /** Another client or another person: nothing of the former one may be painted again. */
  readonly onChange: () => void;
  readonly onAuthChange: (auth: AuthState) => void;
  readonly onConfig: (config: EmbedConfig) => void;
  readonly onLoad: (state: ConversationState) => void;
  readonly onAnswer: (entry: AgentEntry) => void;
  readonly onGrowth: (entry: AgentEntry) => void;
  readonly onRun: () => void;
  readonly onWait: () => void;
  readonly onRest: () => void;
  readonly onError: (error: InlayError) => void;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

/** What goes with the text of a message. */
type Said = Omit<InlayRequestDetails['inlay-submit-request'], 'text'>;

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
  #resetsAt: number | null = null;
  #resuming = false;
  #reconnecting = false;
  /** What was written before there was a conversation to keep it. */
  #early = '';
  /** Counts openings, so that a late answer about the latest conversation is dropped. */
  #opening = 0;

  constructor(host: ReactiveControllerHost & Element, options: ChatControllerOptions) {
    this.#host = host;
    this.#options = options;
    this.client = new ClientController(host, {
      settings: options.settings,
      drawn: options.drawn,
      onClientChange: () => this.#begin(options.firstSession()),
      onUserChange: () => this.#begin(null),
      onAuthChange: (auth) => {
        this.#resetsAt = resetAfter(auth);
        options.onAuthChange(auth);
      },
      onConfig: options.onConfig,
      onError: options.onError,
      onDiagnostic: options.onDiagnostic,
    });
    this.conversation = new ConversationController(host, options);
    new LateTools(host, {
      tools: options.tools,
      conversation: () => this.conversation.current,
      onError: (reason) => this.fail(reason),
    });
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
    return this.conversation.current?.draft ?? this.#early;
  }

  set draft(text: string) {
    if (this.conversation.current) this.conversation.current.setDraft(text);
    else this.#early = text;
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

  /** When what is used up begins anew, in milliseconds since the epoch; null where that is unknown. */
  get resetsAt(): number | null {
    return this.#resetsAt;
  }

  /** Whether the agent works, and what it says can arrive. */
  get running(): boolean {
    return this.#arrives && (this.conversation.state?.running ?? false);
  }

  /** Whether there is something to stop: an answer, or a question that waits. */
  get stoppable(): boolean {
    return this.#arrives && (this.conversation.state?.stoppable ?? false);
  }

  get #arrives(): boolean {
    return this.status === 'ok' || this.status === 'refreshing';
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

  /** Whether nothing can be said now. */
  get locked(): boolean {
    return writingIn(this.status) !== 'open' || this.#options.held();
  }

  /** Null when the message can't be sent or was prevented; otherwise whether it arrived. */
  send(text: string, { attached = [], mode, mentions }: Said = {}): Promise<boolean> | null {
    const { current } = this.conversation;
    if (!current || (text === '' && attached.length === 0) || this.locked) return null;
    if (!this.#options.onRequest(text)) return null;
    const content: UserContent = [...attached, ...(text ? [{ type: 'text' as const, text }] : [])];

    // A conversation that is found now would take this message off the screen.
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

  /** The same, also for a page that speaks at once: whom to ask is known only after the first drawing. */
  async sendOnceDrawn(text: string, said?: Said): Promise<boolean | null> {
    if (!this.client.client) await this.#host.updateComplete;
    return this.send(text, said);
  }

  /** Sends what stands in the composer. False where that can't be done. */
  submit(text: string, said: Said): boolean {
    if (this.client.client || !this.client.start) return this.send(text, said) !== null;
    // The field is there a moment before anybody can be asked, and a person can be quick.
    void this.sendOnceDrawn(text, said).then((sent) => {
      if (sent === null) this.draft ||= text;
    });
    return true;
  }

  /** Tells what the person said in the conversation, oldest first. */
  readonly said = (): readonly string[] =>
    (this.conversation.state?.entries ?? []).flatMap((entry) =>
      entry.kind === 'user' && entry.text ? [entry.text] : [],
    );

  /** Brings a file to the platform, for a message that is being written. */
  readonly upload: Upload = (file, options) => {
    const { client } = this.client;
    return client ? client.files.upload(file, options) : Promise.reject(noClient());
  };

  /** What a file of the conversation holds. */
  readonly loadFile = (fileId: string): Promise<Blob> => {
    const { client } = this.client;
    return client ? client.files.content(fileId) : Promise.reject(noClient());
  };

  /** A copy of the conversation on screen; null where it could not be had. */
  export(format: 'markdown' | 'json'): Promise<Blob | null> {
    return this.#ask((client, id) => client.sessions.export(id, format));
  }

  /** Deletes the conversation on screen, and begins a new one. Resolves with the id of what is gone. */
  async delete(): Promise<string | null> {
    const { current } = this.conversation;
    const gone = await this.#ask(async (client, id) => {
      await client.sessions.delete(id);
      return id;
    });
    // By then the stream may have told of it, and the conversation have no session any more.
    if (gone !== null && this.conversation.current === current) this.open(null);
    return gone;
  }

  /** Has everything deleted that is known of the person. Resolves with whether it is. */
  async forgetMe(): Promise<boolean> {
    const { client } = this.client;
    if (!client) return false;
    try {
      await client.forgetMe();
    } catch (reason) {
      this.fail(reason);
      return false;
    }
    this.#begin(null);
    this.client.load();
    return true;
  }

  /** Requests a token again and makes waiting attempts at once. True when there is a token. */
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

  /** Begins for another client or person: nothing of the former one stays. */
  #begin(sessionId: string | null) {
    this.#stopResuming();
    this.conversation.leave();
    this.#options.onChange();
    const { client } = this.client;
    if (!client) return;

    this.conversation.open(client, sessionId);
    this.#goOnWriting(this.#early);
    this.#early = '';
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
    this.#goOnWriting(begun);
  }

  /** Puts what was just written behind what was kept: neither is lost. */
  #goOnWriting(text: string) {
    if (text) this.draft = [this.draft, text].filter(Boolean).join('\n');
  }

  #stopResuming() {
    this.#opening += 1;
    this.#resuming = false;
    this.#host.requestUpdate();
  }

  async #ask<T>(act: (client: InlayClient, id: string) => Promise<T>): Promise<T | null> {
    const { client } = this.client;
    const id = this.sessionId;
    if (!client || id === null) return null;
    try {
      return await act(client, id);
    } catch (reason) {
      this.fail(reason);
      return null;
    }
  }

  /** Tells that something the person wanted did not succeed. */
  fail(reason: unknown): void {
    const error = inlayErrorOf(reason);
    // What was given up because the page wanted something else is nobody's failure.
    if (!abandoned.has(error.code)) this.#options.onError(error);
  }
}

/** A day's allowance begins anew when the answer says, and with the next UTC day where it does not. */
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
