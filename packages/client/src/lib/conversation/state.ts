import type {
  Allowance,
  LogEvent,
  Mention,
  Session,
  StarterPrompt,
  StopReason,
  UserContent,
} from '@inlay/protocol';
import type { InlayError } from '../errors.ts';
import type { Connection } from '../stream/transport.ts';

/**
 * Delivery of a user's message. `queued`: waits for the network or for earlier messages. `sending`:
 * its request is pending. `sent`: it is in the log. `failed`: only the user can retry (see `error`).
 */
export type Delivery = 'queued' | 'sending' | 'sent' | 'failed';

/**
 * Progress of an agent message. `stopped`: the user stopped it. `failed`: it ended early, or its
 * conversation was closed before its end.
 */
export type Progress = 'streaming' | 'done' | 'stopped' | 'failed';

interface EntryBase {
  /** Stable identity. It does not change when a sent message gets its id. */
  readonly key: string;
  /** The event's id; null while it is not in the log. */
  readonly id: string | null;
  /**
   * Position in the log, which orders the entries; null while the entry is not in the log. An agent
   * message has the position of its model request, so that it does not move when it is complete.
   */
  readonly seq: number | null;
  /** Time in milliseconds since the epoch, by the server's clock once the entry is in the log. */
  readonly at: number;
}

export interface UserEntry extends EntryBase {
  readonly kind: 'user';
  readonly content: UserContent;
  /** The text of `content`. */
  readonly text: string;
  /** Id of the message’s mode (see `EmbedConfig.modes`); null for none. */
  readonly mode: string | null;
  /** The `@` mentions in the text. */
  readonly mentions: readonly Mention[];
  /** The versions of this message; null if there is only one. */
  readonly versions: Versions | null;
  readonly delivery: Delivery;
  /** The cause of a failed delivery; null otherwise. */
  readonly error: InlayError | null;
  /**
   * Time of the next attempt, in milliseconds since the epoch by the browser's clock, if the platform
   * requested a wait of more than a minute; null otherwise. Until then the message is `queued`, and
   * `retry` and `discard` work.
   */
  readonly retryAt: number | null;
}

/** Position of a message among its versions, which have the same parent. Each starts a branch. */
export interface Versions {
  /** Index of this version, from 0, in the order of sending. */
  readonly at: number;
  /** Number of versions. */
  readonly of: number;
}

/** A source of a statement in an agent message. */
export interface EntryCitation {
  readonly title: string;
  /** Address, `http:` or `https:` only; null for a source that only the agent can read. */
  readonly url: string | null;
  /** The quoted passage. */
  readonly snippet: string | null;
  /** End of the statement in the entry's `text`, in UTF-16 code units; null for the whole text. */
  readonly endIndex: number | null;
}

export interface AgentEntry extends EntryBase {
  readonly kind: 'agent';
  /** Markdown. While streaming it only grows, except that it may restart after a reconnect. */
  readonly text: string;
  readonly progress: Progress;
  /** Sources in the order of the text. They arrive with the complete message. */
  readonly citations: readonly EntryCitation[];
  /** The user's rating. Ratings of earlier page loads are loaded after the message. */
  readonly feedback: 'up' | 'down' | null;
}

export interface ThinkingEntry extends EntryBase {
  readonly kind: 'thinking';
  readonly text: string;
  readonly progress: Progress;
  /** End time in milliseconds since the epoch; null while it is streaming. */
  readonly endedAt: number | null;
}

export interface ToolEntry extends EntryBase {
  readonly kind: 'tool';
  /** Whether the server or the host page runs it. */
  readonly runsOn: 'server' | 'host';
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Explanation of the call for the user; null if the tool has no explanation. */
  readonly explanation: string | null;
  /**
   * Names of arguments that the tool does not declare, so that the model has chosen them; undefined if
   * there are none, or the server does not say.
   */
  readonly undeclaredArguments?: readonly string[];
  /** Hash of name and input, which a confirmation refers to. */
  readonly inputHash: string | null;
  /**
   * `approval`: the user must allow it. `waiting`: the host page must submit the result. `stopped`: the
   * run or the conversation ended first.
   */
  readonly progress: 'running' | 'approval' | 'waiting' | 'done' | 'failed' | 'denied' | 'stopped';
  /** The result as text; null while there is none. */
  readonly result: string | null;
  /** The user's decision; null before it, and if none was needed. */
  readonly decision: ToolDecision | null;
  /** End time in milliseconds since the epoch; null while it is running. */
  readonly endedAt: number | null;
}

export interface ToolDecision {
  readonly result: 'allow' | 'deny';
  /** The reason of a denial; null if the user gave none. */
  readonly reason: string | null;
}

/** A card of the agent, for example a form, a choice or a table. */
export interface CardEntry extends EntryBase {
  readonly kind: 'card';
  readonly card: {
    readonly title: string | null;
    /** Blocks as described by `CardBlock` of the protocol. Skip unknown types. */
    readonly blocks: readonly { readonly type: string; readonly [field: string]: unknown }[];
  };
  /** The user's answer, also while it is being sent; null before. */
  readonly answer: CardAnswer | null;
  /** `sending`: the answer is being sent. If it is rejected, the card is `open` again. */
  readonly progress: 'open' | 'sending' | 'answered';
}

export interface CardAnswer {
  readonly action: string;
  /** Values by field name. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** A failure of a run, which stays in the conversation. */
export interface NoticeEntry extends EntryBase {
  readonly kind: 'notice';
  /** Error code, for example `model_request_failed_error`. */
  readonly code: string;
  /** Whether sending the last message again may help. */
  readonly retryable: boolean;
}

/** An item of a conversation. */
export type Entry = UserEntry | AgentEntry | ThinkingEntry | ToolEntry | CardEntry | NoticeEntry;

/**
 * State of a conversation. Immutable: unchanged parts keep their identity, so that views can compare
 * with `===`.
 */
export interface ConversationState {
  /** Null until the first message has created the session. */
  readonly session: Session | null;
  /** Entries of the branch that is shown. For other branches see `UserEntry.versions`. */
  readonly entries: readonly Entry[];
  /**
   * The agent's welcome card, for display while there are no entries. Its id is `welcome`. Null if the agent
   * has none, until the agent's configuration is known, and once the log has an event.
   */
  readonly welcome: CardEntry | null;
  /** Whether the agent is answering, or a message is being sent. */
  readonly running: boolean;
  /** Why the last run ended; null before the first run and during one. */
  readonly stopReason: StopReason | null;
  readonly connection: Connection;
  /**
   * Time of the next connection attempt, in milliseconds since the epoch by the browser's clock, if
   * the platform requested a wait of more than a minute; null otherwise. `reconnect` skips the wait.
   */
  readonly retryAt: number | null;
  /** Why the connection was closed for good, or why access is denied; null otherwise. */
  readonly error: InlayError | null;
  /** Whether `stop` has an effect: on a run, or on a tool call that waits for the user or the page. */
  readonly stoppable: boolean;
  /** Whether the user has stopped a run that has not ended yet. */
  readonly stopping: boolean;
  /** Whether a page of the log is being loaded. */
  readonly loading: boolean;
  /** Whether `loadEarlier` can load more entries. */
  readonly hasEarlier: boolean;
  /** Follow-up suggestions; empty after the next message. */
  readonly suggestions: readonly StarterPrompt[];
  /** The user's known quotas and budgets. */
  readonly allowances: readonly Allowance[];
  /** The reason for the conversation's end, for display; null without one. */
  readonly endReason: string | null;
  /** `seq` of the last applied event of the log; 0 before the first. */
  readonly lastSeq: number;
  /** Internal state of the reducer, not for display. */
  readonly memory: ReducerMemory;
}

/** An unfinished entry whose progress changed when the conversation was closed or archived. */
export interface SuspendedEntry {
  readonly before: AgentEntry | ThinkingEntry | ToolEntry;
  readonly after: AgentEntry | ThinkingEntry | ToolEntry;
}

export interface ReducerMemory {
  /** Whether the log's last status is running. */
  readonly serverRunning: boolean;
  /** `seq` of the current model request; 0 without one. */
  readonly requestSeq: number;
  /** Time of the last event of the log, in milliseconds since the epoch. */
  readonly lastAt: number;
  /** Messages that may have reached the server and are not in the log yet, oldest first. */
  readonly attempted: readonly { readonly key: string; readonly id: string | null }[];
  /** Agent messages that are streaming, with the index of their current content block. */
  readonly previews: readonly { readonly id: string; readonly block: number }[];
  readonly branches: Branches;
  /** Ratings by event id, including events that are not loaded. */
  readonly ratings: ReadonlyMap<string, 'up' | 'down'>;
  /** Entries that were unfinished when the conversation was closed or archived. */
  readonly suspended: readonly SuspendedEntry[];
  /** Ids of tool calls without a result. */
  readonly openTools: readonly string[];
  /** Events about tool calls and cards that are not loaded yet. */
  readonly orphans: readonly LogEvent[];
  /** Ids of agent messages whose model request is not loaded yet, oldest first. */
  readonly unplaced: readonly string[];
}

/** The known branches of a conversation. */
export interface Branches {
  /** Entries of all branches in order; null if all are shown. */
  readonly all: readonly Entry[] | null;
  /**
   * Parents of messages by key: the id or key of another message, or null for none. A message without
   * an entry here is a child of the message before it.
   */
  readonly parents: ReadonlyMap<string, string | null>;
  /** Key or id of the last message of the branch that is shown; null for the log's current branch. */
  readonly leaf: string | null;
  /** Keys and ids of the messages that are shown; null for all. */
  readonly path: ReadonlySet<string> | null;
  /** Whether entries before the first loaded message are shown. */
  readonly prelude: boolean;
  /** Changes of the log's current branch by answers to cards, in log order. */
  readonly moves: readonly BranchChange[];
}

/** A change of the log's current branch by the answer to a card of another branch. */
export interface BranchChange {
  readonly seq: number;
  /** Id of the message whose branch continues. */
  readonly to: string;
}
