import type { AuthStatus, Diagnostic, InlayErrorCode } from '@inlay/client';
import type { CardValues, feedbackReasons, Mention, UserContent } from '@inlay/protocol';

/** Reason for a rating. */
export type FeedbackReason = (typeof feedbackReasons)[number];

/** Rating of an agent message. `id` is the id of its event. */
export interface Rating {
  id: string;
  rating: 'up' | 'down';
  reasons: readonly FeedbackReason[];
  /** Empty for none. */
  comment: string;
}

/** Decision about a tool call. `id` is the id of its event. */
export interface Decision {
  id: string;
  name: string;
  input: Readonly<Record<string, unknown>>;
  result: 'allow' | 'deny';
  /** Why it was denied; empty for no reason. */
  reason: string;
}

/** Reply to a card. `id` is the id of its event. */
export interface CardReply {
  id: string;
  action: string;
  values: CardValues;
}

/**
 * Public events by name, with their details. `inlay-<name>` reports that something has happened;
 * `inlay-<name>-request` is dispatched before it and is the only cancelable kind. All events bubble
 * and are composed. No detail contains a token or another secret.
 */
export interface InlayEventDetails {
  /** The agent's settings were loaded. */
  'inlay-ready': { agent: string; externalUserId: string };
  /** The authentication status changed. */
  'inlay-auth-change': { status: AuthStatus };
  /** A message is about to be sent, by the user or `sendMessage()`. Prevent it to cancel sending. */
  'inlay-message-request': { text: string };
  /** A message was added to the conversation. */
  'inlay-message': { text: string; sessionId: string | null };
  /** An agent message is complete, was stopped or failed. */
  'inlay-answer': {
    id: string | null;
    text: string;
    progress: 'done' | 'stopped' | 'failed';
    sessionId: string | null;
  };
  /** An error occurred and is shown to the user. */
  'inlay-error': { code: InlayErrorCode; message: string };
  /** A diagnostic record for monitoring, such as the retry of a stream. */
  'inlay-diagnostic': Diagnostic;
  /** A client tool is about to run. Prevent it to decline the call. */
  'inlay-tool-request': { id: string; name: string; input: Readonly<Record<string, unknown>> };
  /** A client tool has returned or failed, and its result was sent. */
  'inlay-tool': {
    id: string;
    name: string;
    input: Readonly<Record<string, unknown>>;
    result: string;
    isError: boolean;
  };
  /** Another conversation (null for a new one) is about to be shown. Prevent it to stay. */
  'inlay-conversation-request': { sessionId: string | null };
  /** Another conversation is shown; null for a new one. */
  'inlay-conversation': { sessionId: string | null };
  /**
   * The history of an existing conversation is shown, because it was opened or resumed. `answers` is
   * the number of agent messages since the last user message, `running` whether the agent is running.
   */
  'inlay-conversation-load': { sessionId: string; running: boolean; answers: number };
  /** A rating is about to be sent. Prevent it to cancel. */
  'inlay-rating-request': Rating;
  /** An agent message was rated. */
  'inlay-rating': Rating;
  /** The user is about to allow or deny a tool call. Prevent it to cancel. */
  'inlay-decision-request': Decision;
  /** The user allowed or denied a tool call. */
  'inlay-decision': Decision;
  /** A link in an agent message is about to be opened. Prevent it to cancel. */
  'inlay-link-request': { href: string };
  /** A link in an agent message was opened. */
  'inlay-link': { href: string };
  /** A code block of an agent message was copied. */
  'inlay-copy': { text: string };
  /** The reply to a card is about to be sent. Prevent it to cancel. */
  'inlay-card-request': CardReply;
  /** The reply to a card was sent. */
  'inlay-card': CardReply;
  /** The conversation is about to be exported. Prevent it to replace the export. */
  'inlay-export-request': { sessionId: string; format: 'markdown' | 'json' };
  /** The conversation was exported. */
  'inlay-export': { sessionId: string; format: 'markdown' | 'json' };
  /** A conversation is about to be deleted. Prevent it to cancel. */
  'inlay-delete-request': { sessionId: string };
  /** A conversation was deleted. */
  'inlay-delete': { sessionId: string };
  /** All data of the user is about to be deleted. Prevent it to cancel, for example to ask first. */
  'inlay-forget-request': Record<string, never>;
  /** All data of the user was deleted. */
  'inlay-forget': Record<string, never>;
  /** The user is about to give consent. Prevent it to cancel. */
  'inlay-consent-request': Record<string, never>;
  /** The user gave consent. */
  'inlay-consent': Record<string, never>;
  /** The user chose a slash command of the page. `input` is the text after its name. */
  'inlay-command': { name: string; input: string };
  /** The user chose a mode. */
  'inlay-mode': { mode: string };
  /** The launcher's panel is about to open, by the user or `open()`. Prevent it to keep it closed. */
  'inlay-open-request': Record<string, never>;
  /** The launcher's panel was opened. */
  'inlay-open': Record<string, never>;
  /** The launcher's panel is about to close, by the user or `close()`. Prevent it to keep it open. */
  'inlay-close-request': Record<string, never>;
  /** The launcher's panel was closed. */
  'inlay-close': Record<string, never>;
  /** The number of unread agent messages of the launcher changed. */
  'inlay-unread-change': { unread: number };
}

/**
 * Internal events of inner elements. `inlay-chat` handles them and stops their propagation, so that
 * the page does not receive them. Events that end in `-request` are cancelable: if prevented, the
 * inner element keeps the user's input.
 */
export interface InlayRequestDetails {
  /** The text in the composer changed. */
  'inlay-draft': { value: string };
  /** Send a message. If prevented, the composer keeps the text. */
  'inlay-submit-request': {
    text: string;
    /** The text that the composer keeps, such as a slash command whose prompt is `text`. */
    typed?: string;
    /** Uploaded attachments. */
    attached?: UserContent;
    mentions?: readonly Mention[];
    /** Id of the selected mode; null for the agent's default. */
    mode?: string | null;
  };
  'inlay-stop': Record<string, never>;
  /** Send a user message again. */
  'inlay-retry': { key: string };
  /** Remove a failed user message. */
  'inlay-discard': { key: string };
  /**
   * Rate an agent message. Dispatched when the user chooses a thumb, and again with reasons; the
   * second rating replaces the first.
   */
  'inlay-entry-rating-request': {
    key: string;
    rating: 'up' | 'down';
    reasons: readonly FeedbackReason[];
    /** Empty for none. */
    comment: string;
  };
  /** Regenerate an agent message. */
  'inlay-again': { key: string };
  /** Quote a part of an agent message in the composer. */
  'inlay-quote': { text: string };
  /** Replace the text of a user message. */
  'inlay-entry-edit-request': { key: string; text: string };
  /** Show another version of a user message. `at` is its index, starting at 0. */
  'inlay-show-version': { key: string; at: number };
  /** Reply to a card. */
  'inlay-entry-card-request': { key: string; action: string; values: CardValues };
  /** Allow or deny a tool call. */
  'inlay-entry-decision-request': { key: string; result: 'allow' | 'deny'; reason: string };
  /** Send the last user message again. */
  'inlay-retry-last': Record<string, never>;
  'inlay-reconnect': Record<string, never>;
  /** Announce a text to screen reader users. */
  'inlay-announce': { text: string };
  'inlay-start-over': Record<string, never>;
  /** Show another conversation. */
  'inlay-open-conversation': { sessionId: string };
  /** A conversation was deleted in the list. */
  'inlay-conversation-deleted': { sessionId: string };
  'inlay-close-conversation-list': Record<string, never>;
  /** The user gives consent. */
  'inlay-consent-given': Record<string, never>;
  /** Export the conversation. */
  'inlay-menu-export': { format: 'markdown' | 'json' };
  /** Delete the conversation on screen. */
  'inlay-menu-delete': Record<string, never>;
  /** Delete all data of the user. */
  'inlay-menu-forget': Record<string, never>;
  'inlay-close-menu': Record<string, never>;
  /** Load earlier entries, because the user has scrolled near the first one. */
  'inlay-load-earlier': Record<string, never>;
  /** Move focus from the message list to the composer. */
  'inlay-focus-composer': Record<string, never>;
}

/** Internal events of elements inside an inner element, which handles and stops them. */
export interface InlayPartDetails {
  /** Remove an attachment from the message that is being written. */
  'inlay-attachment-remove': { key: number };
  /** Upload a failed attachment again. */
  'inlay-attachment-retry': { key: number };
  'inlay-conversation-rename': { sessionId: string; title: string };
  /** Archive or unarchive a conversation. */
  'inlay-conversation-archive': { sessionId: string };
  'inlay-conversation-delete': { sessionId: string };
}

type Details = InlayEventDetails & InlayRequestDetails & InlayPartDetails;

/** Public events by name, for `addEventListener`. */
export type InlayEventMap = {
  [Name in keyof InlayEventDetails]: CustomEvent<InlayEventDetails[Name]>;
};

/** Internal events by name. */
export type InlayRequestMap = {
  [Name in keyof (InlayRequestDetails & InlayPartDetails)]: CustomEvent<
    (InlayRequestDetails & InlayPartDetails)[Name]
  >;
};

/**
 * Dispatches an event of the tables above.
 *
 * @returns False if a listener prevented it. Only events that end in `-request` are cancelable.
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
  // Composed events bubble to elements, shadow roots, the document and the window.
  interface GlobalEventHandlersEventMap extends InlayEventMap, InlayRequestMap {}
  interface ShadowRootEventMap extends InlayEventMap, InlayRequestMap {}
}
