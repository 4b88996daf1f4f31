import type { AuthStatus, Diagnostic, InlayErrorCode } from '@inlay/client';
import type { CardValues, feedbackReasons, Mention, UserContent } from '@inlay/protocol';

/** Why an answer was good or bad. */
export type FeedbackReason = (typeof feedbackReasons)[number];

/** What a user thinks of an answer: `id` is that of its event. */
export interface Rating {
  id: string;
  rating: 'up' | 'down';
  reasons: readonly FeedbackReason[];
  /** Empty for none. */
  comment: string;
}

/** What a user decided about a call of a tool: `id` is that of its event. */
export interface Decision {
  id: string;
  name: string;
  input: Readonly<Record<string, unknown>>;
  result: 'allow' | 'deny';
  /** Why it was denied; empty for no reason. */
  reason: string;
}

/** What a user answered to a card: `id` is that of its event. */
export interface CardReply {
  id: string;
  action: string;
  values: CardValues;
}

/**
 * Every event of the page, by name. `inlay-<name>` says what has happened; `inlay-<name>-request`
 * comes before it and can be prevented, and nothing else can. Every event bubbles and is composed. No
 * detail ever holds a token or another secret.
 */
export interface InlayEventDetails {
  /** The agent's settings are known, and the user can write. */
  'inlay-ready': { agent: string; externalUserId: string };
  /** Whether the user may talk has changed. */
  'inlay-auth-change': { status: AuthStatus };
  /** The user, or `sendMessage`, wants to send this. Prevent it to keep it from being sent. */
  'inlay-message-request': { text: string };
  /** A message is in the conversation. */
  'inlay-message': { text: string; sessionId: string | null };
  /** An answer is complete, was stopped, or broke off. */
  'inlay-answer': {
    id: string | null;
    text: string;
    progress: 'done' | 'stopped' | 'failed';
    sessionId: string | null;
  };
  /** Something failed that the user is told of. */
  'inlay-error': { code: InlayErrorCode; message: string };
  /** What a monitoring tool may want to know, such as a stream that is tried again. */
  'inlay-diagnostic': Diagnostic;
  /**
   * The agent calls a tool of `tools`. Prevent it to keep it from being run: the agent is then told
   * that the page declined the call.
   */
  'inlay-tool-request': { id: string; name: string; input: Readonly<Record<string, unknown>> };
  /** A tool of `tools` has answered, or failed, and the agent is told so. */
  'inlay-tool': {
    id: string;
    name: string;
    input: Readonly<Record<string, unknown>>;
    result: string;
    isError: boolean;
  };
  /**
   * Another conversation is about to be shown; null for a new one. Prevent it to stay in the one on
   * screen.
   */
  'inlay-conversation-request': { sessionId: string | null };
  /** Another conversation is shown; null for a new one. */
  'inlay-conversation': { sessionId: string | null };
  /**
   * What was said in a conversation from before is on screen: it was opened, or goes on after a page
   * was loaded. `answers`: how many came since the user last said something. `running`: another is
   * on its way.
   */
  'inlay-conversation-load': { sessionId: string; running: boolean; answers: number };
  /** An answer is about to be rated. Prevent it to keep the rating back. */
  'inlay-rating-request': Rating;
  /** An answer was rated. */
  'inlay-rating': Rating;
  /** The user is about to allow or deny a call of a tool. Prevent it to decide in their place. */
  'inlay-decision-request': Decision;
  /** The user allowed or denied a call of a tool. */
  'inlay-decision': Decision;
  /** The user follows a link in an answer. Prevent it to keep the link from being opened. */
  'inlay-link-request': { href: string };
  /** The user followed a link in an answer. */
  'inlay-link': { href: string };
  /** The user copied a block of code in an answer. */
  'inlay-copy': { text: string };
  /** A card is about to be answered. Prevent it to keep the answer back. */
  'inlay-card-request': CardReply;
  /** A card was answered. */
  'inlay-card': CardReply;
  /** A copy of the conversation is about to be saved. Prevent it to make one of your own. */
  'inlay-export-request': { sessionId: string; format: 'markdown' | 'json' };
  /** A copy of the conversation was saved. */
  'inlay-export': { sessionId: string; format: 'markdown' | 'json' };
  /** A conversation is about to be deleted. Prevent it to keep it. */
  'inlay-delete-request': { sessionId: string };
  /** A conversation was deleted. */
  'inlay-delete': { sessionId: string };
  /** Everything that is known of the user is about to be deleted. Prevent it to ask yourself. */
  'inlay-forget-request': Record<string, never>;
  /** Everything that was known of the user is deleted. */
  'inlay-forget': Record<string, never>;
  /** The user is about to accept what they must before they write. Prevent it to keep them waiting. */
  'inlay-consent-request': Record<string, never>;
  /** The user accepted what they must before they write. */
  'inlay-consent': Record<string, never>;
  /** The user called a command of the page, with what they typed behind its name. */
  'inlay-command': { name: string; input: string };
  /** The user chose how the agent answers. */
  'inlay-mode': { mode: string };
  /** The user, or `open()`, wants to open the launcher's panel. Prevent it to keep it closed. */
  'inlay-open-request': Record<string, never>;
  /** The launcher's panel was opened. */
  'inlay-open': Record<string, never>;
  /** The user, or `close()`, wants to close the launcher's panel. Prevent it to keep it open. */
  'inlay-close-request': Record<string, never>;
  /** The launcher's panel was closed. */
  'inlay-close': Record<string, never>;
}

/**
 * Requests of the inner elements. `inlay-chat` answers these and stops them, so
 * that the page never hears them. Those that end in `-request` can be prevented: then what the user
 * did stays as it was.
 */
export interface InlayRequestDetails {
  /** The text in the composer changed. */
  'inlay-draft': { value: string };
  /** Send this. When prevented, the composer keeps the text. */
  'inlay-submit-request': {
    text: string;
    /** What was uploaded and is to go along. */
    attached?: UserContent;
    mentions?: readonly Mention[];
    /** Id of the mode that was chosen; null for the agent's own. */
    mode?: string | null;
  };
  'inlay-stop': Record<string, never>;
  /** Send a message of the user again. */
  'inlay-retry': { key: string };
  /** Give up a message of the user that failed. */
  'inlay-discard': { key: string };
  /**
   * Rate an answer. Told at once with the thumb, and again where the user says why; the
   * second replaces the first.
   */
  'inlay-entry-rating-request': {
    key: string;
    rating: 'up' | 'down';
    reasons: readonly FeedbackReason[];
    /** Empty for none. */
    comment: string;
  };
  /** Answer again what this answer answers. */
  'inlay-again': { key: string };
  /** Take a part of an answer into what the user writes. */
  'inlay-quote': { text: string };
  /** Say this in place of a message of the user. */
  'inlay-entry-edit-request': { key: string; text: string };
  /** Show another version of a message of the user: `at` counts from 0. */
  'inlay-show-version': { key: string; at: number };
  /** Answer a card. */
  'inlay-entry-card-request': { key: string; action: string; values: CardValues };
  /** Allow or deny a tool call. */
  'inlay-entry-decision-request': { key: string; result: 'allow' | 'deny'; reason: string };
  /** Send the last message of the user again. */
  'inlay-retry-last': Record<string, never>;
  'inlay-reconnect': Record<string, never>;
  /** Tell those who hear the page rather than see it. */
  'inlay-announce': { text: string };
  'inlay-start-over': Record<string, never>;
  /** Show another conversation. */
  'inlay-open-thread': { sessionId: string };
  /** A conversation was deleted in the list. */
  'inlay-thread-deleted': { sessionId: string };
  'inlay-close-threads': Record<string, never>;
  /** The user accepts what they must before they write. */
  'inlay-consent-given': Record<string, never>;
  /** Give the user a copy of the conversation. */
  'inlay-menu-export': { format: 'markdown' | 'json' };
  /** Delete the conversation on screen. */
  'inlay-menu-delete': Record<string, never>;
  /** Delete everything that is known of the user. */
  'inlay-menu-forget': Record<string, never>;
  'inlay-close-menu': Record<string, never>;
  /** The reader comes near the beginning of what is shown, and there is more: load it. */
  'inlay-load-earlier': Record<string, never>;
  /** The user goes back from the conversation to writing. */
  'inlay-focus-composer': Record<string, never>;
}

/** What the parts of an inner element ask of it. It answers these and stops them. */
export interface InlayPartDetails {
  /** Take a file out of the message that is being written. */
  'inlay-attachment-remove': { key: number };
  /** Bring a file again that could not be brought. */
  'inlay-attachment-retry': { key: number };
  'inlay-thread-rename': { sessionId: string; title: string };
  /** Put a conversation away, or take it out again. */
  'inlay-thread-archive': { sessionId: string };
  'inlay-thread-delete': { sessionId: string };
}

type Details = InlayEventDetails & InlayRequestDetails & InlayPartDetails;

/** Event name to event, for `addEventListener`. */
export type InlayEventMap = {
  [Name in keyof InlayEventDetails]: CustomEvent<InlayEventDetails[Name]>;
};

/** The same for the requests of the inner elements and their parts. */
export type InlayRequestMap = {
  [Name in keyof (InlayRequestDetails & InlayPartDetails)]: CustomEvent<
    (InlayRequestDetails & InlayPartDetails)[Name]
  >;
};

/**
 * Dispatches an event of the tables above.
 *
 * @returns False where a listener prevented it, which only those that end in `-request` can be.
 */
export function emit<Name extends keyof Details>(
  target: EventTarget,
  name: Name,
  detail: Details[Name],
): boolean {
  return target.dispatchEvent(
    new CustomEvent(name, {
      detail,
      bubbles: true,
      composed: true,
      cancelable: name.endsWith('-request'),
    }),
  );
}

declare global {
  // They bubble: elements, the document, the window and shadow trees around the chat hear them.
  interface GlobalEventHandlersEventMap extends InlayEventMap, InlayRequestMap {}
  interface ShadowRootEventMap extends InlayEventMap, InlayRequestMap {}
}
