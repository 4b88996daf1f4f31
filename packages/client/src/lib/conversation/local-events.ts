import type {
  Allowance,
  LiveEvent,
  LogEvent,
  Mention,
  Session,
  UserContent,
} from '@inlay/protocol';
import type { InlayError } from '../errors.ts';
import type { Connection } from '../stream/connection.ts';
import type { CardAnswer, Delivery } from './state.ts';

/** What happens on this side of the wire, told to the same reducer as the server's events. */
export type LocalEvent =
  /** The person said something. */
  | {
      readonly type: 'local.typed';
      readonly key: string;
      readonly content: UserContent;
      readonly mode?: string | null;
      readonly mentions?: readonly Mention[];
      /** What it follows: the id or key of a message, null for nothing. Default: what is shown. */
      readonly parent?: string | null;
      readonly at: number;
      /** Whether it was typed in another view, which does not change the branch that is shown. */
      readonly elsewhere?: boolean;
    }
  /** What became of it on its way. */
  | {
      readonly type: 'local.delivery';
      readonly key: string;
      readonly delivery: Exclude<Delivery, 'sent'>;
      readonly error: InlayError | null;
      readonly retryAt?: number | null;
    }
  /** The server answered that it is in the log, as this event. */
  | {
      readonly type: 'local.accepted';
      readonly key: string;
      readonly event: LogEvent<'user.message'>;
    }
  /** The person gave up a message that failed. */
  | { readonly type: 'local.discarded'; readonly key: string }
  /** The person wants to see another of the messages that were said in one place, by its number. */
  | { readonly type: 'local.shown'; readonly key: string; readonly at: number }
  /** The person answered a card; null: that was not accepted. */
  | { readonly type: 'local.answered'; readonly id: string; readonly answer: CardAnswer | null }
  /** The person pressed stop; `wanted` is false where the platform did not take it. */
  | { readonly type: 'local.stop'; readonly wanted: boolean }
  /** The person said what they think of answers, by their ids; null takes it back. */
  | {
      readonly type: 'local.rated';
      readonly ratings: ReadonlyMap<string, 'up' | 'down' | null>;
    }
  /** The platform told what is used up, of what is named here. */
  | { readonly type: 'local.allowances'; readonly allowances: readonly Allowance[] }
  | {
      readonly type: 'local.connection';
      readonly connection: Connection;
      readonly error: InlayError | null;
      readonly retryAt?: number | null;
    }
  | { readonly type: 'local.session'; readonly session: Session }
  /** A page of the log was read, oldest event first; `first` for the newest page of all. */
  | {
      readonly type: 'local.history';
      readonly events: readonly LogEvent[];
      readonly first: boolean;
      /** Whether the log has more before it. */
      readonly more: boolean;
      /** `seq` of the newest event of the page, also of one that was passed over. */
      readonly lastSeq: number;
    }
  | { readonly type: 'local.loading'; readonly loading: boolean };

/** Anything that changes a conversation: from the log, live from the stream, or from this side. */
export type ConversationEvent = LogEvent | LiveEvent | LocalEvent;
