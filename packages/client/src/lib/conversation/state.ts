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
import type { Connection } from '../stream/connection.ts';

/**
 * Where a message that the person typed stands. `queued` waits for the network or for its turn;
 * `sending` is on its way; `sent` is in the log; `failed` needs the person (see `error`).
 */
export type Delivery = 'queued' | 'sending' | 'sent' | 'failed';

/**
 * How far a piece of an answer is. `stopped`: the person stopped it. `failed`: it broke off, or its
 * conversation was closed in the middle of it.
 */
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
  /** The mode that was chosen for it (see `EmbedConfig.modes`); null for none. */
  readonly mode: string | null;
  /** What the text mentions with `@`. */
  readonly mentions: readonly Mention[];
  /** Which of several that were said in the same place it is; null where there is only this one. */
  readonly versions: Versions | null;
  readonly delivery: Delivery;
  /** Why it failed; null otherwise. */
  readonly error: InlayError | null;
  /**
   * When it is sent again, in milliseconds since the epoch by the browser's clock, where the platform
   * asked to wait for more than a minute; null otherwise. Until then it is `queued`, and `retry` and
   * `discard` work.
   */
  readonly retryAt: number | null;
}

/** A place in a conversation in which more than one thing was said: each begins a branch. */
export interface Versions {
  /** Which one is shown, from 0, in the order in which they were said. */
  readonly at: number;
  /** How many there are. */
  readonly of: number;
}

/** Where something that an answer says is from. */
export interface EntryCitation {
  readonly title: string;
  /** Where it can be read, `http:` or `https:` only; null where only the agent can read it. */
  readonly url: string | null;
  /** The words that bear the statement. */
  readonly snippet: string | null;
  /** UTF-16 code units of the entry's `text` up to the place that it bears; null: the whole. */
  readonly endIndex: number | null;
}

export interface AgentEntry extends EntryBase {
  readonly kind: 'agent';
  /** Markdown. While streaming it only ever grows, except after a cut, when it may start again. */
  readonly text: string;
  readonly progress: Progress;
  /** The sources that the agent named, in the order of the text. They come with its end. */
  readonly citations: readonly EntryCitation[];
  /** What the person thinks of it. Of answers before this page load it comes a little later. */
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
  /** What it will do, in plain words, where the tool says so. */
  readonly explanation: string | null;
  /** What the person allows when they allow it: a hash of name and input. */
  readonly inputHash: string | null;
  /**
   * `approval`: the user must allow it, wherever it runs. `waiting`: the host page must answer it now.
   * `stopped`: the run ended before it did, or the conversation was closed.
   */
  readonly progress: 'running' | 'approval' | 'waiting' | 'done' | 'failed' | 'denied' | 'stopped';
  /** What it answered, as text; null before. */
  readonly result: string | null;
  /** What the person decided about it; null before, and where they were not asked. */
  readonly decision: ToolDecision | null;
  /** When it ended, in milliseconds since the epoch; null while it goes on. */
  readonly endedAt: number | null;
}

export interface ToolDecision {
  readonly result: 'allow' | 'deny';
  /** Why it was denied; null where the person did not say. */
  readonly reason: string | null;
}

/** Something that the agent shows beside its words: a form, a choice, a table. */
export interface CardEntry extends EntryBase {
  readonly kind: 'card';
  readonly card: {
    readonly title: string | null;
    /** As `CardBlock` of the protocol describes them; a type that you do not know is passed over. */
    readonly blocks: readonly { readonly type: string; readonly [field: string]: unknown }[];
  };
  /** What the person answered, also while that is on its way; null before. */
  readonly answer: CardAnswer | null;
  /** `sending`: the answer is on its way. One that is not accepted opens the card again. */
  readonly progress: 'open' | 'sending' | 'answered';
}

export interface CardAnswer {
  readonly action: string;
  /** By the names of the fields. */
  readonly values: Readonly<Record<string, unknown>>;
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
export type Entry = UserEntry | AgentEntry | ThinkingEntry | ToolEntry | CardEntry | NoticeEntry;

/**
 * A conversation as it is shown. Immutable: a change makes a new object, and whatever did not
 * change keeps its identity, so that a view can compare by `===`.
 */
export interface ConversationState {
  /** Null until the first message has made the session. */
  readonly session: Session | null;
  /** The branch that is shown. The others are kept: see `UserEntry.versions`. */
  readonly entries: readonly Entry[];
  /** Whether a run goes on. It is true only while the server says so, or a message is on its way. */
  readonly running: boolean;
  /** Why the last run ended; null before the first, and while one goes on. */
  readonly stopReason: StopReason | null;
  readonly connection: Connection;
  /**
   * When the platform is reconnected to, in milliseconds since the epoch by the browser's clock, where
   * it asked to wait for more than a minute; null otherwise. `reconnect` does it at once.
   */
  readonly retryAt: number | null;
  /** Why nothing is tried any more, or what the person may not do; null while all is well. */
  readonly error: InlayError | null;
  /** Whether there is something to stop: `running`, or a call that waits for the person or the page. */
  readonly stoppable: boolean;
  /** Whether the person pressed stop, and there is still something to stop. */
  readonly stopping: boolean;
  /** Whether a part of the log is being read: the newest, or an earlier one. */
  readonly loading: boolean;
  /** Whether there is more before the first entry: `loadEarlier` brings it. */
  readonly hasEarlier: boolean;
  /** What the person may want to say next; empty once something is said. */
  readonly suggestions: readonly StarterPrompt[];
  /** What the person has used up of what they may, as far as it is known. */
  readonly allowances: readonly Allowance[];
  /** Why the conversation was ended, in words for the person; null while it was not, or without. */
  readonly endReason: string | null;
  /** `seq` of the last event of the log that was applied; 0 before the first. */
  readonly lastSeq: number;
  /** What the reducer has to remember. Nothing here is for showing. */
  readonly memory: ReducerMemory;
}

/** An unfinished entry as it was, and in the end state that it got. */
export interface SuspendedEntry {
  readonly before: AgentEntry | ThinkingEntry | ToolEntry;
  readonly after: AgentEntry | ThinkingEntry | ToolEntry;
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
  readonly branches: Branches;
  /** What the person thinks of answers, by their ids, also of those that were not read yet. */
  readonly ratings: ReadonlyMap<string, 'up' | 'down'>;
  /** Entries that were unfinished when the conversation was closed or archived. */
  readonly suspended: readonly SuspendedEntry[];
  /** Ids of tool calls without an end. */
  readonly openTools: readonly string[];
  /** Events about tool calls and cards that stand in a part of the log that was not read yet. */
  readonly orphans: readonly LogEvent[];
  /** Ids of what an agent said for a request that stands in such a part, oldest first. */
  readonly unplaced: readonly string[];
}

/** What is known of the branches of a conversation. */
export interface Branches {
  /** The entries of all branches, ordered as those that are shown; null where all are shown. */
  readonly all: readonly Entry[] | null;
  /**
   * What a message follows, by its key: the id or key of another message, null for nothing. One that
   * is not in here follows the message before it.
   */
  readonly parents: ReadonlyMap<string, string | null>;
  /** Key of the last message of the branch that is shown, or id; null for the one the log is on. */
  readonly leaf: string | null;
  /** Keys and ids of the messages that are shown; null where all are. */
  readonly path: ReadonlySet<string> | null;
  /** Whether what stands before the first message that was read is shown. */
  readonly prelude: boolean;
  /** Where the log went on with another branch without a message, in its order. */
  readonly moves: readonly Move[];
}

/** An answer to a card of another branch than the log was on: it goes on with that of a message. */
export interface Move {
  readonly seq: number;
  /** The message's id. */
  readonly to: string;
}
