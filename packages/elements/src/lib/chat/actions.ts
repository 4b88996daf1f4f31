import type { Entry, UserEntry } from '@inlay/client';
import { mentionsIn } from '../composer/commands.ts';
import { emit, type InlayRequestDetails } from '../events.ts';
import type { ChatController } from './chat-controller.ts';
import { moveFocus } from './focus.ts';

/** Public methods of the chat that its inner elements call, through internal events. */
export interface ChatMethods {
  deleteConversation(): Promise<boolean>;
  exportConversation(format: 'markdown' | 'json'): Promise<boolean>;
  focusComposer(): void;
  forgetMe(): Promise<boolean>;
  newConversation(): void;
  openConversation(sessionId: string): boolean;
  reconnect(): Promise<void>;
  stop(): void;
}

/** Handlers for the internal events of inner elements. Returning false prevents the event. */
type RequestHandlers = {
  [Name in keyof InlayRequestDetails]: (detail: InlayRequestDetails[Name]) => unknown;
};

/**
 * Handles the internal events of inner elements and stops them, so that the page does not receive
 * them. Before an action that the page can prevent, it dispatches the public event.
 */
export function handleRequests(root: EventTarget, methods: ChatMethods, chat: ChatController) {
  const handlers: RequestHandlers = { ...chatHandlers(methods, chat), ...entryHandlers(chat) };
  for (const [name, handler] of Object.entries(handlers)) {
    root.addEventListener(name, (event) => {
      event.stopPropagation();
      const { detail } = event as CustomEvent;
      if ((handler as (detail: unknown) => unknown)(detail) === false) event.preventDefault();
    });
  }
}

/** Handlers for the header, the panels, the status and the composer. */
function chatHandlers(methods: ChatMethods, chat: ChatController) {
  const { announcer, consent, host, panels } = chat;
  return {
    'inlay-draft': ({ value }) => {
      chat.draft = value;
    },
    'inlay-submit-request': ({ text, typed = text, ...details }) =>
      chat.submit(text, typed, details),
    'inlay-stop': () => methods.stop(),
    'inlay-quote': ({ text }) => chat.composer?.quote(text),
    'inlay-focus-composer': () => methods.focusComposer(),
    'inlay-reconnect': () => methods.reconnect(),
    'inlay-start-over': () => methods.newConversation(),
    'inlay-open-conversation': ({ sessionId }) =>
      methods.openConversation(sessionId) && panels.hideCoveringConversationList(),
    'inlay-conversation-deleted': ({ sessionId }) => chat.handleDeleted(sessionId),
    'inlay-close-conversation-list': () => panels.showConversationList(false),
    'inlay-consent-given': () => {
      if (!emit(host, 'inlay-consent-request', {})) return;
      consent.accept();
      void chat.sendConsents(chat.language.strings.locale);
      emit(host, 'inlay-consent', {});
      void moveFocus(host, 'inlay-composer');
    },
    'inlay-menu-export': ({ format }) => methods.exportConversation(format),
    'inlay-menu-delete': () => methods.deleteConversation(),
    'inlay-menu-forget': () => methods.forgetMe(),
    'inlay-close-menu': () => panels.showMenu(false),
    'inlay-announce': ({ text }) => announcer.say(text),
  } satisfies Partial<RequestHandlers>;
}

/** Handlers for the entries of the message list. */
function entryHandlers(chat: ChatController) {
  const { host } = chat;
  const current = () => chat.conversation.current;
  const entries = () => current()?.state.entries ?? [];
  const entryOf = (key: string): Entry | undefined => entries().find((entry) => entry.key === key);
  const attempt = (action: Promise<unknown> | undefined): void => {
    action?.catch((reason) => chat.fail(reason));
  };

  /** Returns the last user message at or before the entry with this key; without a key, the last of all. */
  const questionOf = (key?: string): UserEntry | undefined => {
    const allEntries = entries();
    const index =
      key === undefined ? allEntries.length : allEntries.findIndex((each) => each.key === key);
    return allEntries.slice(0, index + 1).findLast((entry) => entry.kind === 'user');
  };

  /** Sends a user message again, to get another answer. Returns false if the page prevents it. */
  const sendAgain = (question: UserEntry | undefined): boolean => {
    if (!question || !emit(host, 'inlay-message-request', { text: question.text })) return false;
    attempt(current()?.edit(question.key));
    return true;
  };

  return {
    'inlay-retry': ({ key }) => current()?.retry(key),
    'inlay-discard': ({ key }) => current()?.discard(key),
    'inlay-retry-last': () => sendAgain(questionOf()),
    'inlay-again': ({ key }) => sendAgain(questionOf(key)),
    'inlay-entry-edit-request': ({ key, text }) => {
      if (!emit(host, 'inlay-message-request', { text })) return false;
      const entry = entryOf(key);
      if (entry?.kind !== 'user') return false;
      const { content, mode, mentions } = entry;
      // The files and the mode of the message are kept, and the mentions that are still in its text.
      const files = content.filter(({ type }) => type !== 'text');
      attempt(
        current()?.edit(key, [...files, { type: 'text', text }], {
          mode,
          mentions: mentionsIn(text, mentions),
        }),
      );
      return true;
    },
    'inlay-show-version': ({ key, at }) => current()?.showVersion(key, at),
    'inlay-load-earlier': () => attempt(current()?.loadEarlier()),
    'inlay-entry-rating-request': ({ key, rating, reasons, comment }) => {
      const id = entryOf(key)?.id;
      if (!id) return false;
      const detail = { id, rating, reasons, comment };
      if (!emit(host, 'inlay-rating-request', detail)) return false;
      const details = {
        ...(reasons.length > 0 && { reasons: [...reasons] }),
        ...(comment && { comment }),
      };
      attempt(current()?.rate(id, rating, details));
      return emit(host, 'inlay-rating', detail);
    },
    'inlay-entry-decision-request': ({ key, result, reason }) => {
      const entry = entryOf(key);
      if (entry?.kind !== 'tool' || !entry.id) return false;
      const { id, name, input } = entry;
      const detail = { id, name, input, result, reason };
      if (!emit(host, 'inlay-decision-request', detail)) return false;
      const sent = current()?.confirmTool(id, result, ...(reason ? [reason] : []));
      sent?.catch(() => chat.conversation.setUiState(key, { decision: 'unsent' }));
      attempt(sent);
      return emit(host, 'inlay-decision', detail);
    },
    'inlay-entry-card-request': ({ key, action, values }) => {
      const id = (entryOf(key) ?? current()?.state.welcome)?.id;
      if (!id) return false;
      const detail = { id, action, values };
      if (!emit(host, 'inlay-card-request', detail)) return false;
      attempt(current()?.answerCard(id, action, values));
      return emit(host, 'inlay-card', detail);
    },
  } satisfies Partial<RequestHandlers>;
}
