import type { UserEntry } from '@inlay/client';
import { emit } from '../events.ts';
import type { ChatController } from './chat-controller.ts';
import { ConversationActions } from './conversation-actions.ts';
import type { EntryRequestHandlers } from './requests.ts';

/** Handles the requests of entries and dispatches the public events, which the page can prevent. */
export function entryRequestHandlers(
  element: EventTarget,
  chat: ChatController,
): EntryRequestHandlers {
  const actions = new ConversationActions(
    () => chat.conversation.current,
    (reason) => chat.fail(reason),
    (key) => chat.conversation.setUiState(key, { decision: 'unsent' }),
  );
  /** Sends a user message again. Like any message, it dispatches `inlay-message-request`. */
  const again = (question: UserEntry | undefined): boolean => {
    if (!question || !emit(element, 'inlay-message-request', { text: question.text })) return false;
    actions.again(question.key);
    return true;
  };
  return {
    'inlay-retry': ({ key }) => actions.retry(key),
    'inlay-discard': ({ key }) => actions.discard(key),
    'inlay-retry-last': () => again(actions.questionOf()),
    'inlay-again': ({ key }) => again(actions.questionOf(key)),
    'inlay-entry-edit-request': ({ key, text }) => {
      if (!emit(element, 'inlay-message-request', { text })) return false;
      actions.edit(key, text);
      return true;
    },
    'inlay-show-version': ({ key, at }) => actions.showVersion(key, at),
    'inlay-load-earlier': () => actions.loadEarlier(),
    'inlay-entry-rating-request': ({ key, rating, reasons, comment }) => {
      const id = actions.entry(key)?.id;
      if (!id) return false;
      const detail = { id, rating, reasons, comment };
      if (!emit(element, 'inlay-rating-request', detail)) return false;
      actions.rate(key, rating, { reasons, comment });
      return emit(element, 'inlay-rating', detail);
    },
    'inlay-entry-decision-request': ({ key, result, reason }) => {
      const entry = actions.entry(key);
      if (entry?.kind !== 'tool' || !entry.id) return false;
      const { id, name, input } = entry;
      const detail = { id, name, input, result, reason };
      if (!emit(element, 'inlay-decision-request', detail)) return false;
      actions.decide(key, result, reason);
      return emit(element, 'inlay-decision', detail);
    },
    'inlay-entry-card-request': ({ key, action, values }) => {
      const id = actions.entry(key)?.id;
      if (!id) return false;
      const detail = { id, action, values };
      if (!emit(element, 'inlay-card-request', detail)) return false;
      actions.answerCard(key, action, values);
      return emit(element, 'inlay-card', detail);
    },
  };
}
