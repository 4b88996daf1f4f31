/// <reference lib="esnext.disposable" preserve="true" />
import type {
  EmbedConfig,
  FeedbackRequest,
  FileObject,
  Forgotten,
  Mention,
  Page,
  Session,
  UpdateSessionRequest,
  UserContent,
} from '@inlay/protocol';
import type { ConversationState } from './conversation/state.ts';
import type { DiagnoseOptions, DiagnosisReport } from './diagnose/report.ts';
import type { AuthState } from './tokens/auth-state.ts';

/** What a list of sessions may be asked with. */
export interface ListSessionsOptions {
  /** Items in a page: 1 to 100, 20 by default. */
  readonly limit?: number;
  /** `next_page` of the page before. */
  readonly page?: string;
  /** Only those whose title, or anything said in them, has this in it. */
  readonly query?: string;
  /** Whether archived ones are wanted: `true` for these alone, `any` for all. Default: `false`. */
  readonly archived?: boolean | 'any';
  readonly signal?: AbortSignal;
}

/** The conversations of this end user. Every call rejects with an `InlayError`. */
export interface Sessions {
  list(options?: ListSessionsOptions): Promise<Page<Session>>;
  get(id: string, signal?: AbortSignal): Promise<Session>;
  update(id: string, changes: UpdateSessionRequest): Promise<Session>;
  /** Closes it for new messages; it can still be read. */
  archive(id: string): Promise<Session>;
  /** Opens an archived one again. */
  unarchive(id: string): Promise<Session>;
  delete(id: string): Promise<void>;
  /** What was said: `markdown` for people, the branch said last; `json` is the whole log. */
  export(id: string, format: 'markdown' | 'json'): Promise<Blob>;
}

export interface UploadOptions {
  /** Told how much has left the page, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
}

/** The files of this end user. Every call rejects with an `InlayError`. */
export interface Files {
  /** Uploads a file, to be sent in a message by its id. */
  upload(file: Blob & { readonly name: string }, options?: UploadOptions): Promise<FileObject>;
  /** What a file holds. */
  content(fileId: string, signal?: AbortSignal): Promise<Blob>;
}

/** What can go with a message. */
export interface MessageOptions {
  /** Id of one of the agent's modes. Default: the agent's first. */
  readonly mode?: string | null;
  /** What the text mentions with `@`. */
  readonly mentions?: readonly Mention[];
}

export interface RateOptions {
  readonly comment?: string;
  readonly reasons?: FeedbackRequest['reasons'];
}

/** One conversation: what is shown, and what the person does. */
export interface Conversation {
  /** Always current, also between two notifications. */
  readonly state: ConversationState;
  /**
   * What the person has written and not sent. Kept for them over page loads of this tab, as
   * `draftStore` says, and gone when another person uses the page. Empty at first: what was kept
   * comes with a notification, when the platform has said who the person is, and before what was
   * set until then.
   */
  readonly draft: string;
  setDraft(text: string): void;
  /** Called after changes, at most once for each paint. Returns the undo. */
  subscribe(listener: () => void): () => void;
  /**
   * Says something. It is shown at once, and sent when its turn comes. Resolves when it is in the
   * log and `state.session` is known; rejects when it failed, and the entry stays, to be sent again
   * by `retry` or given up by `discard`. It follows what is shown: while an earlier branch is shown,
   * that branch goes on.
   */
  send(message: string | UserContent, options?: MessageOptions): Promise<void>;
  /**
   * Says something in place of an earlier message: `key` is that of its entry, or of an entry that
   * answers it. Without a message the same is said once more, for another answer. The conversation
   * keeps both and shows the new one; a running answer is stopped. Resolves and rejects as `send`.
   */
  edit(key: string, message?: string | UserContent, options?: MessageOptions): Promise<void>;
  /** Shows another branch: `key` is that of a user entry with `versions`, `at` the one to show. */
  showVersion(key: string, at: number): void;
  /** Reads what was said before the first entry. Resolves when some is shown, or nothing is left. */
  loadEarlier(): Promise<void>;
  /**
   * Stops the answer, or leaves the call that waits for the person or the page: `state.stoppable`
   * says whether there is one. Without, nothing happens. Without a network it is sent later.
   */
  stop(): void;
  /**
   * Sends a failed message again: the one of this key, or every one. Messages that wait, such as for
   * a time that the platform named (`UserEntry.retryAt`), are sent at once.
   */
  retry(key?: string): void;
  /**
   * Takes a message that failed, or that waits with a `retryAt`, off the conversation: `key` is that
   * of its entry. `send` rejects with `ABORTED` for one that waited.
   */
  discard(key: string): void;
  /**
   * Tries at once to reach the platform again, while `state.connection` is `reconnecting`: what
   * waits for the next attempt does not wait any longer.
   */
  reconnect(): void;
  /**
   * Allows or denies a tool call that waits for the user, of a tool of the server or of the page:
   * `id` is that of the tool entry. What is allowed is what the entry shows: should the call have
   * changed, it rejects with `CONFLICT`.
   */
  confirmTool(id: string, decision: 'allow' | 'deny', message?: string): Promise<void>;
  /**
   * Answers a tool call that the host page runs: `id` is that of the tool entry. While the user has
   * not allowed a call that needs it, it rejects with `TOOL_CONFIRMATION_REQUIRED`.
   */
  submitToolResult(id: string, content: string, options?: { isError?: boolean }): Promise<void>;
  /**
   * Answers a card: `id` is that of the card entry, `action` one that the card has. It is shown at
   * once. Rejects with `CONFLICT` where it was answered elsewhere, which the entry then shows.
   */
  answerCard(id: string, action: string, values?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Says what the person thinks of an answer: `eventId` is the id of the agent entry. */
  rate(eventId: string, rating: 'up' | 'down', options?: RateOptions): Promise<void>;
  /**
   * Stops reading and telling. What is on screen stays, and what was said and is not in the log yet
   * is still sent, until another person uses the page or the client is closed. A second call does
   * nothing.
   */
  close(): void;
}

/** The way to an agent for one end user. */
export interface InlayClient {
  readonly auth: AuthState;
  /** Called when `auth` changed. Returns the undo. */
  onAuthChange(listener: () => void): () => void;
  /** What the widget needs to draw itself. Asked once for each end user. */
  config(): Promise<EmbedConfig>;
  /**
   * Asks the token source once more, because the person wants it. Resolves when there is a token;
   * rejects with what stands in the way, which `auth` then shows.
   */
  reconnect(): Promise<void>;
  /**
   * Another person uses the page now: forgets the token, and closes and empties every
   * conversation. The next use asks the token source anew, with null.
   */
  reset(): void;
  readonly sessions: Sessions;
  readonly files: Files;
  /**
   * Deletes all that the platform has of this person: conversations, files, what they thought of
   * answers. Their conversations end, in other tabs too, and what this browser kept of them goes.
   */
  forgetMe(): Promise<Forgotten>;
  /** A conversation that exists, or a new one, whose first message makes its session. */
  conversation(sessionId?: string): Conversation;
  /**
   * The sessions in which a message waits that an earlier page load of this tab did not get sent;
   * null for one that has no session yet. Whoever opens the conversation sends it. Rejects where the
   * person may not talk, as `config` does.
   */
  unsent(): Promise<readonly (string | null)[]>;
  /**
   * Looks for what may keep the chat from working on this page, one check after another, within
   * some seconds: for a developer, not for the person. It asks with the client's own token, begins
   * no conversation, and its report holds no secret. Its code is loaded with the first call, which
   * rejects as an import does where it can't be loaded.
   */
  diagnose(options?: DiagnoseOptions): Promise<DiagnosisReport>;
  /** Ends everything that runs. A second call does nothing. */
  close(): void;
  [Symbol.dispose](): void;
}
