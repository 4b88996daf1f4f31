/// <reference lib="esnext.disposable" preserve="true" />
import type {
  Consent,
  EmbedConfig,
  FeedbackRequest,
  FileObject,
  Forgotten,
  GiveConsentRequest,
  Mention,
  Page,
  Session,
  UpdateSessionRequest,
  UserContent,
} from '@inlay/protocol';
import type { ConversationState } from './conversation/state.ts';
import type { DiagnoseOptions, DiagnosisReport } from './diagnose/report.ts';
import type { DiagnosticListener } from './diagnostics.ts';
import type { PageStore, PageStoreKind } from './page-store.ts';
import type { Ports } from './ports.ts';
import type { StreamTransport } from './stream/transport.ts';
import type { AuthState } from './tokens/auth-state.ts';
import type { VisitorLocation } from './tokens/sources/anonymous.ts';
import type { TokenSource } from './tokens/token-source.ts';

/** Filters and paging of `Sessions.list`. */
export interface ListSessionsOptions {
  /**
   * Items per page, 1 to 100.
   *
   * @default 20
   */
  readonly limit?: number;
  /** `next_page` of the previous page. */
  readonly page?: string;
  /** Returns only sessions whose title or messages contain this text. */
  readonly query?: string;
  /**
   * `true` for archived sessions only, `any` for all.
   *
   * @default false
   */
  readonly archived?: boolean | 'any';
  readonly signal?: AbortSignal;
}

/** The end user's sessions. Every method rejects with an `InlayError`. */
export interface Sessions {
  list(options?: ListSessionsOptions): Promise<Page<Session>>;
  get(id: string, signal?: AbortSignal): Promise<Session>;
  update(id: string, changes: UpdateSessionRequest): Promise<Session>;
  /** Closes a session for new messages. It can still be read. */
  archive(id: string): Promise<Session>;
  /** Reopens an archived session. */
  unarchive(id: string): Promise<Session>;
  delete(id: string): Promise<void>;
  /** Exports a session: `markdown` contains the latest branch as a readable text, `json` the whole log. */
  export(id: string, format: 'markdown' | 'json'): Promise<Blob>;
}

export interface UploadOptions {
  /** Receives the uploaded fraction, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
}

/** The end user's files. Every method rejects with an `InlayError`. */
export interface Files {
  /** Uploads a file. Its id can be used in the content of a message. */
  upload(file: Blob & { readonly name: string }, options?: UploadOptions): Promise<FileObject>;
  /** Downloads a file. */
  content(fileId: string, signal?: AbortSignal): Promise<Blob>;
}

/** Optional parts of a message. */
export interface MessageOptions {
  /**
   * Id of one of the agent's modes.
   *
   * @default the agent's first mode
   */
  readonly mode?: string | null;
  /** The `@` mentions in the text. */
  readonly mentions?: readonly Mention[];
}

export interface RateOptions {
  readonly comment?: string;
  readonly reasons?: FeedbackRequest['reasons'];
}

/** A conversation: its state and the user's actions. */
export interface Conversation {
  /** The current state, which may be newer than the last notification. */
  readonly state: ConversationState;
  /**
   * The composer's unsent text. It survives page loads as configured by `draftStore`, and is deleted
   * when another user uses the page. It is empty until the platform has identified the user. Then the
   * stored draft is inserted before any text set meanwhile, and listeners are notified.
   */
  readonly draft: string;
  setDraft(text: string): void;
  /**
   * Calls `listener` after changes, at most once per frame. Returns the unsubscribe function. It can be called
   * without its object, as React does: `useSyncExternalStore(conversation.subscribe, () => conversation.state)`.
   */
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Sends a message. Its entry is added to `state` synchronously, and the message is queued after earlier
   * messages. It continues the branch that is shown.
   *
   * @returns A promise that resolves when the message is in the log and `state.session` is known.
   * @throws {InlayError} When sending failed. The entry stays; `retry` sends it again and `discard`
   *   removes it. `INVALID_OPTION` for an empty message, `CLOSED` after `close()`.
   */
  send(message: string | UserContent, options?: MessageOptions): Promise<void>;
  /**
   * Sends a message that replaces an earlier one, and so starts a new branch. The conversation keeps
   * both versions and shows the new one. A running answer is stopped. Resolves and rejects as `send` does.
   *
   * @param key Key of the user entry to replace, or of an entry that answers it.
   * @param message The new content; without it, the same message is sent again for another answer.
   */
  edit(key: string, message?: string | UserContent, options?: MessageOptions): Promise<void>;
  /**
   * Shows another branch.
   *
   * @param key Key of a user entry with `versions`.
   * @param at Index of the version to show, from 0.
   */
  showVersion(key: string, at: number): void;
  /** Loads earlier entries. Resolves when at least one was added or there are none. */
  loadEarlier(): Promise<void>;
  /**
   * Stops the running answer, or abandons a tool call that waits for the user or the page. Does
   * nothing unless `state.stoppable`. While offline, the request is queued.
   */
  stop(): void;
  /**
   * Sends failed messages again, and queued messages (see `UserEntry.retryAt`) without further delay.
   *
   * @param key Key of one message; all messages by default.
   */
  retry(key?: string): void;
  /**
   * Removes a message that failed or is queued with a `retryAt`. The promise of a queued message
   * rejects with `ABORTED`.
   */
  discard(key: string): void;
  /**
   * Reconnects to the platform without waiting for the backoff, while `state.connection` is
   * `reconnecting`.
   */
  reconnect(): void;
  /**
   * Allows or denies a tool call whose entry is in progress `approval`.
   *
   * @param id Id of the tool entry.
   * @param message The reason, which the agent receives with a denial.
   * @throws {InlayError} `CONFLICT` if the call is not the one that the entry shows.
   */
  confirmTool(id: string, decision: 'allow' | 'deny', message?: string): Promise<void>;
  /**
   * Sends the result of a tool call that the host page runs.
   *
   * @param id Id of the tool entry.
   * @throws {InlayError} `TOOL_CONFIRMATION_REQUIRED` until the user has allowed a call that needs
   *   approval.
   */
  submitToolResult(id: string, content: string, options?: { isError?: boolean }): Promise<void>;
  /**
   * Answers a card. The entry shows the answer immediately, while it is being sent.
   *
   * @param id Id of the card entry, also of `state.welcome`, whose answer creates the session.
   * @param action Id of one of the card's actions.
   * @param values Values of the card's fields by name.
   * @throws {InlayError} `CONFLICT` if it was answered in another tab. The entry then shows that answer.
   */
  answerCard(id: string, action: string, values?: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Rates an agent message.
   *
   * @param eventId Id of the agent entry.
   */
  rate(eventId: string, rating: 'up' | 'down', options?: RateOptions): Promise<void>;
  /**
   * Stops reading and notifying. The state stays available, and queued messages are still sent until
   * another user uses the page or the client is closed. A second call does nothing.
   */
  close(): void;
}

/** The visitor who used this browser before the user signed in. */
export interface EarlierVisitor {
  /** Number of conversations with a message. */
  readonly sessions: number;
  /**
   * Moves the conversations and files of the visitor to the user. Call it only when the user agreed to.
   * The visitor's secret is of no use afterwards, and is deleted from this browser.
   */
  claim(): Promise<void>;
  /** Deletes the visitor's secret from this browser, so that no later user is asked for the conversations. */
  forget(): void;
}

/** A client of one agent for one end user. */
export interface InlayClient {
  readonly auth: AuthState;
  /**
   * Calls `listener` after each change of `auth`. Returns the unsubscribe function. It can be called without
   * its object, as React does: `useSyncExternalStore(client.onAuthChange, () => client.auth)`.
   */
  readonly onAuthChange: (listener: () => void) => () => void;
  /** The agent's configuration for the end user. It is requested once per end user. */
  config(): Promise<EmbedConfig>;
  /**
   * Requests a new token without waiting for backoff. Call it when the user asks for it. Resolves when
   * there is a token.
   *
   * @throws {InlayError} The cause of the failure, which `auth` shows as well.
   */
  reconnect(): Promise<void>;
  /**
   * Forgets the end user, because another one uses the page: drops the token, and closes and clears all
   * conversations. The next use requests a token with `current` null.
   */
  reset(): void;
  readonly sessions: Sessions;
  readonly files: Files;
  /**
   * Records that the end user agrees to the text of `consent` in the configuration. Repeated until the
   * platform has recorded it, with its own time; only the first consent to a text counts.
   *
   * @throws {InlayError} `VALIDATION_ERROR` if the agent has not shown a text with this hash.
   */
  giveConsent(consent: GiveConsentRequest): Promise<Consent>;
  /**
   * Deletes everything that the platform stores about the end user: sessions, files, ratings. Their
   * conversations end, in other tabs too, and this browser's drafts and visitor secret are deleted.
   */
  forgetMe(): Promise<Forgotten>;
  /**
   * Finds the visitor who used this browser before the user signed in. The user may take over the
   * visitor's conversations if the embed policy of the agent has `allow_visitor_claim`.
   *
   * @param location The key and the store that were passed to `anonymousVisitor`.
   * @returns Null if there is no such visitor, or none with conversations, or the policy forbids it.
   * @example
   * const visitor = await client.earlierVisitor({ publishableKey: 'pk_site' });
   * if (visitor) {
   *   if (confirm('Keep the conversation from before you signed in?')) await visitor.claim();
   *   else visitor.forget();
   * }
   */
  earlierVisitor(location: VisitorLocation): Promise<EarlierVisitor | null>;
  /**
   * Opens an existing session, or a new conversation whose first message creates its session.
   *
   * @throws {InlayError} `CLOSED` after `close()`.
   */
  conversation(sessionId?: string): Conversation;
  /**
   * Returns the ids of sessions with unsent messages of earlier page loads; null stands for a
   * conversation without a session. Opening the conversation sends them. Rejects like `config` while
   * access is denied.
   */
  unsent(): Promise<readonly (string | null)[]>;
  /**
   * Checks for developers why the chat may not work on this page. It takes a few seconds, uses the
   * client's own token and creates no session. The report contains no secret. Its module is loaded
   * with the first call.
   */
  diagnose(options?: DiagnoseOptions): Promise<DiagnosisReport>;
  /** Closes all conversations and ends all requests. A second call does nothing. */
  close(): void;
  [Symbol.dispose](): void;
}

/** Options of `createInlayClient`, which are read once. */
export interface InlayClientOptions {
  /**
   * URL of the platform, for example `https://chat.example`, with its path if it has one, without a
   * query. Required.
   */
  readonly baseUrl: string;
  /** The source of tokens: `hostTokens`, `anonymousVisitor` or `hostedCode`. Required. */
  readonly tokens: TokenSource;
  /**
   * Where drafts and unsent messages are stored, so that they survive a reload: `session` (this tab),
   * `local` (this browser), `memory` (nowhere), or an object. Only texts are stored, never a token.
   *
   * @default 'session', which keeps them per tab
   */
  readonly draftStore?: PageStoreKind | PageStore;
  /** Receives diagnostics for logs and monitoring. They never contain a secret. */
  readonly onDiagnostic?: DiagnosticListener;
  /**
   * Replaces parts of the environment, for tests and for environments that lack a browser API.
   *
   * @default the APIs of the browser
   */
  readonly ports?: Partial<Ports>;
  /**
   * Replaces the reader of server-sent events.
   *
   * @default a reader on top of `fetch`
   */
  readonly transport?: StreamTransport;
}
