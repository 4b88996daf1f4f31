import type { LogEvent, Session, StopReason, UserContent } from '@inlay/protocol';
import type { InlayError } from '../errors.ts';
import type { Connection } from '../stream/connection.ts';

/**
 * Where a message that the person typed stands. `queued` waits for the network or for its turn;
 * `sending` is on its way; `sent` is in the log; `failed` needs the person (see `error`).
 */
export type Delivery = 'queued' | 'sending' | 'sent' | 'failed';

/** How far a piece of an answer is. `stopped`: the person stopped it. `failed`: it broke off. */
export type Progress = 'streaming' | 'done' | 'stopped' | 'failed';

interface EntryBase {
  /** Stable for the life of the entry, also when a typed message gets its id from the server. */
  readonly key: string;
  /** The event's id; null while a typed message is not in the log. */
  readonly id: string | null;
  /**
   * Where it stands in the log, by which entries are ordered; null while it is not in the log. What
   * an agent says stands where its model was asked, so that it does not move when it is finished.
   */
  readonly seq: number | null;
  /** When it was said, in milliseconds since the epoch: the server's time once it is known. */
  readonly at: number;
}

export interface UserEntry extends EntryBase {
  readonly kind: 'user';
  readonly content: UserContent;
  /** The text of `content`. */
  readonly text: string;
  readonly delivery: Delivery;
  /** Why it failed; null otherwise. */
  readonly error: InlayError | null;
}

export interface AgentEntry extends EntryBase {
  readonly kind: 'agent';
  /** Markdown. While streaming it only ever grows, except after a cut, when it may start again. */
  readonly text: string;
  readonly progress: Progress;
  readonly feedback: 'up' | 'down' | null;
}

export interface ThinkingEntry extends EntryBase {
  readonly kind: 'thinking';
  readonly text: string;
  readonly progress: Progress;
  /** When it ended, in milliseconds since the epoch; null while it goes on. */
  readonly endedAt: number | null;
}

export interface ToolEntry extends EntryBase {
  readonly kind: 'tool';
  /** Who runs it: the server, or the host page. */
  readonly runsOn: 'server' | 'host';
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /**
   * `approval`: the person must allow it. `waiting`: the host page must answer it.
   * `stopped`: the run ended before it did.
   */
  readonly progress: 'running' | 'approval' | 'waiting' | 'done' | 'failed' | 'denied' | 'stopped';
  /** What it answered, as text; null before. */
  readonly result: string | null;
}

/** Something that went wrong in a run and stays part of the story. */
export interface NoticeEntry extends EntryBase {
  readonly kind: 'notice';
  /** For example `model_request_failed_error`. */
  readonly code: string;
  /** Whether the last message may be sent again. */
  readonly retryable: boolean;
}

/** One thing in a conversation, in the order in which it is shown. */
export type Entry = UserEntry | AgentEntry | ThinkingEntry | ToolEntry | NoticeEntry;

/**
 * A conversation as it is shown. Immutable: a change makes a new object, and whatever did not
 * change keeps its identity, so that a view can compare by `===`.
 */
export interface ConversationState {
  /** Null until the first message has made the session. */
  readonly session: Session | null;
  readonly entries: readonly Entry[];
  /** Whether a run goes on. It is true only while the server says so, or a message is on its way. */
  readonly running: boolean;
  /** Why the last run ended; null before the first, and while one goes on. */
  readonly stopReason: StopReason | null;
  readonly connection: Connection;
  /** Why nothing is tried any more, or what the person may not do; null while all is well. */
  readonly error: InlayError | null;
  /** Whether the person pressed stop, and the run has not ended yet. */
  readonly stopping: boolean;
  /** Whether older entries of the log have still to be read. */
  readonly loading: boolean;
  /** `seq` of the last event of the log that was applied; 0 before the first. */
  readonly lastSeq: number;
  /** What the reducer has to remember. Nothing here is for showing. */
  readonly memory: ReducerMemory;
}

export interface ReducerMemory {
  /** Whether the server says that a run goes on. */
  readonly serverRunning: boolean;
  /** `seq` of the model request whose answer is being made; 0 where none is. */
  readonly requestSeq: number;
  /** When the last event of the log happened, in milliseconds since the epoch. */
  readonly lastAt: number;
  /** Typed messages that may have reached the server, oldest first, until the log shows them. */
  readonly attempted: readonly { readonly key: string; readonly id: string | null }[];
  /** What is being said and is not in the log, with the content block that its text has reached. */
  readonly previews: readonly { readonly id: string; readonly block: number }[];
  /** Ids of tool calls without an end. */
  readonly openTools: readonly string[];
  /** Events about tool calls that stand in a part of the log that was not read yet. */
  readonly orphans: readonly LogEvent[];
  /** Ids of what an agent said for a request that stands in such a part, oldest first. */
  readonly unplaced: readonly string[];
}
