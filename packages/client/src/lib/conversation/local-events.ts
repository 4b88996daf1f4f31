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

/** An event of the client or the user, for the same reducer as the server's events. */
export type LocalEvent =
  /** The user sent a message. */
  | {
      readonly type: 'local.typed';
      readonly key: string;
      readonly content: UserContent;
      readonly mode?: string | null;
      readonly mentions?: readonly Mention[];
      /**
       * Id or key of the message that it follows; null for none.
       *
       * @default the last message that is shown
       */
      readonly parent?: string | null | undefined;
      readonly at: number;
      /** Whether it was typed in another view, which does not change the branch that is shown. */
      readonly elsewhere?: boolean;
    }
  /** The delivery of a message changed. */
  | {
      readonly type: 'local.delivery';
      readonly key: string;
      readonly delivery: Exclude<Delivery, 'sent'>;
      readonly error: InlayError | null;
      readonly retryAt?: number | null;
    }
  /** The response to a message says that it is in the log as this event. */
  | {
      readonly type: 'local.accepted';
      readonly key: string;
      readonly event: LogEvent<'user.message'>;
    }
  /** The user discarded a message. */
  | { readonly type: 'local.discarded'; readonly key: string }
  /** The user selected another version of a message, by its index. */
  | { readonly type: 'local.shown'; readonly key: string; readonly at: number }
  /** The user answered a card; null if the answer was not accepted. */
  | { readonly type: 'local.answered'; readonly id: string; readonly answer: CardAnswer | null }
  /** The user stopped the run; `wanted` is false if the platform did not accept it. */
  | { readonly type: 'local.stop'; readonly wanted: boolean }
  /** The user's ratings by event id; null removes one. */
  | {
      readonly type: 'local.rated';
      readonly ratings: ReadonlyMap<string, 'up' | 'down' | null>;
    }
  /** The given allowances changed. */
  | { readonly type: 'local.allowances'; readonly allowances: readonly Allowance[] }
  | {
      readonly type: 'local.connection';
      readonly connection: Connection;
      readonly error: InlayError | null;
      readonly retryAt?: number | null;
    }
  | { readonly type: 'local.session'; readonly session: Session }
  /** A page of the log was loaded, oldest event first. `first`: the newest page. */
  | {
      readonly type: 'local.history';
      readonly events: readonly LogEvent[];
      readonly first: boolean;
      /** Whether the log has earlier events. */
      readonly more: boolean;
      /** `seq` of the newest event of the page, including skipped ones. */
      readonly lastSeq: number;
    }
  | { readonly type: 'local.loading'; readonly loading: boolean };

/** An event that changes the state of a conversation. */
export type ConversationEvent = LogEvent | LiveEvent | LocalEvent;
