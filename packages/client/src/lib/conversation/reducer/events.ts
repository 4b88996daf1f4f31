import type {
  Allowance,
  LiveEvent,
  LogEvent,
  Mention,
  Session,
  UserContent,
} from '@inlay/protocol';
import type { InlayError } from '../../errors.ts';
import type { Connection } from '../../stream/transport.ts';
import type { CardAnswer, Delivery } from '../state.ts';

/** An event of the client or the user. One reducer handles these events and the server's. */
export type LocalEvent =
  /** The user sent a message. */
  | {
      readonly type: 'local.message_added';
      readonly key: string;
      readonly content: UserContent;
      readonly mode?: string | null;
      readonly mentions?: readonly Mention[];
      /**
       * Id or key of its parent; null for none.
       *
       * @default the last message that is shown
       */
      readonly parent?: string | null | undefined;
      readonly at: number;
      /** Whether another view added it, so that the shown branch does not change. */
      readonly fromOtherView?: boolean;
    }
  /** The delivery of a message changed. */
  | {
      readonly type: 'local.delivery';
      readonly key: string;
      readonly delivery: Exclude<Delivery, 'sent'>;
      readonly error: InlayError | null;
      readonly retryAt?: number | null;
    }
  /** The platform accepted a message. Its response contains the logged event. */
  | {
      readonly type: 'local.accepted';
      readonly key: string;
      readonly event: LogEvent<'user.message'>;
    }
  /** The user discarded a message. */
  | { readonly type: 'local.discarded'; readonly key: string }
  /** The user selected another version of a message, by its index. */
  | { readonly type: 'local.version_selected'; readonly key: string; readonly at: number }
  /** The agent's configuration is known; `card` is its welcome card. */
  | { readonly type: 'local.welcome'; readonly card: LogEvent<'agent.card'>['card'] }
  /** The user answered a card; `answer` is null if the platform rejected the answer. */
  | {
      readonly type: 'local.card_answered';
      readonly id: string;
      readonly answer: CardAnswer | null;
    }
  /** The user stopped the run; `stopping` is false if the request failed. */
  | { readonly type: 'local.stop'; readonly stopping: boolean }
  /** The user's ratings by event id; null removes a rating. */
  | {
      readonly type: 'local.rated';
      readonly ratings: ReadonlyMap<string, 'up' | 'down' | null>;
    }
  /** The used shares of these budgets changed. Other budgets are unchanged. */
  | { readonly type: 'local.allowances'; readonly allowances: readonly Allowance[] }
  | {
      readonly type: 'local.connection';
      readonly connection: Connection;
      readonly error: InlayError | null;
      readonly retryAt?: number | null;
    }
  | { readonly type: 'local.session'; readonly session: Session }
  /** A page of the log was loaded. */
  | {
      readonly type: 'local.history';
      /** The oldest event first. */
      readonly events: readonly LogEvent[];
      /** Whether this is the newest page, which is loaded first. */
      readonly first: boolean;
      /** Whether the log has earlier events. */
      readonly more: boolean;
      /** `seq` of the newest event of the page, including skipped ones. */
      readonly lastSeq: number;
    }
  | { readonly type: 'local.loading'; readonly loading: boolean };

/** An event that changes the state of a conversation. */
export type ConversationEvent = LogEvent | LiveEvent | LocalEvent;
