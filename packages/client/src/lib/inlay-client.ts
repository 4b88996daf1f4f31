import type {
  EmbedConfig,
  Page,
  Session,
  UpdateSessionRequest,
  UserContent,
} from '@inlay/protocol';
import type { AuthState } from './auth-state.ts';
import type { ConversationState } from './conversation/state.ts';
import type { DiagnoseOptions, DiagnosisReport } from './diagnose/report.ts';

/** What a list of sessions may be asked with. */
export interface ListSessionsOptions {
  /** Items in a page: 1 to 100, 20 by default. */
  readonly limit?: number;
  /** `next_page` of the page before. */
  readonly page?: string;
  readonly signal?: AbortSignal;
}

/** The conversations of this end user. Every call rejects with an `InlayError`. */
export interface Sessions {
  list(options?: ListSessionsOptions): Promise<Page<Session>>;
  get(id: string, signal?: AbortSignal): Promise<Session>;
  update(id: string, changes: UpdateSessionRequest): Promise<Session>;
  /** Closes it for new messages; it can still be read. */
  archive(id: string): Promise<Session>;
  delete(id: string): Promise<void>;
}

/** One conversation: what is shown, and what the person does. */
export interface Conversation {
  /** Always current, also between two notifications. */
  readonly state: ConversationState;
  /**
   * What the person has written and not sent. Kept for them over page loads of this tab, as
   * `textStore` says, and gone when another person uses the page. Empty at first: what was kept
   * comes with a notification, when the platform has said who the person is.
   */
  readonly draft: string;
  setDraft(text: string): void;
  /** Called after changes, at most once for each paint. Returns the undo. */
  subscribe(listener: () => void): () => void;
  /**
   * Says something. It is shown at once, and sent when its turn comes. Resolves when it is in the
   * log and `state.session` is known; rejects when it failed, and the entry stays, to be sent again
   * by `retry` or given up by `discard`.
   */
  send(message: string | UserContent): Promise<void>;
  /** Stops the answer. Without one, nothing happens. Without a network it is sent later. */
  stop(): void;
  /** Sends a failed message again: the one of this key, or every one. */
  retry(key?: string): void;
  /** Takes a failed message off the conversation: `key` is that of its entry. */
  discard(key: string): void;
  /** Allows or denies a tool call that waits for the person: `id` is that of the tool entry. */
  confirmTool(id: string, decision: 'allow' | 'deny', message?: string): Promise<void>;
  /** Answers a tool call that the host page runs: `id` is that of the tool entry. */
  submitToolResult(id: string, content: string, options?: { isError?: boolean }): Promise<void>;
  /** Says what the person thinks of an answer: `eventId` is the id of the agent entry. */
  rate(eventId: string, rating: 'up' | 'down', comment?: string): Promise<void>;
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
  /** A conversation that exists, or a new one, whose first message makes its session. */
  conversation(sessionId?: string): Conversation;
  /**
   * The sessions in which a message waits that an earlier page load of this tab did not get sent;
   * null for one that has no session yet. Whoever opens the conversation sends it.
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
