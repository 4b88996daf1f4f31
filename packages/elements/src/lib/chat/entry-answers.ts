import type { UserEntry } from '@inlay/client';
import { emit } from '../events.ts';
import type { ConversationActs } from './conversation-acts.ts';
import type { Answers } from './requests.ts';

/** What the person wants of something that was said: the page is asked where it may object. */
export function entryAnswers(
  chat: EventTarget,
  acts: ConversationActs,
): Pick<
  Answers,
  | 'inlay-retry'
  | 'inlay-discard'
  | 'inlay-retry-last'
  | 'inlay-again'
  | 'inlay-edit'
  | 'inlay-show-version'
  | 'inlay-load-earlier'
  | 'inlay-rate'
  | 'inlay-decide'
  | 'inlay-card-action'
> {
  /** Says something once more. It is a message as any other: a page that looks at these sees it. */
  const again = (question: UserEntry | undefined): boolean => {
    if (!question || !emit(chat, 'inlay-message-request', { text: question.text })) return false;
    acts.again(question.key);
    return true;
  };
  return {
    'inlay-retry': ({ key }) => acts.retry(key),
    'inlay-discard': ({ key }) => acts.discard(key),
    'inlay-retry-last': () => again(acts.questionOf()),
    'inlay-again': ({ key }) => again(acts.questionOf(key)),
    'inlay-edit': ({ key, text }) => {
      if (!emit(chat, 'inlay-message-request', { text })) return false;
      acts.edit(key, text);
      return true;
    },
    'inlay-show-version': ({ key, at }) => acts.showVersion(key, at),
    'inlay-load-earlier': () => acts.loadEarlier(),
    'inlay-rate': ({ key, rating, reasons, comment }) => {
      const id = acts.entry(key)?.id;
      if (!id) return false;
      const detail = { id, rating, reasons, comment };
      if (!emit(chat, 'inlay-rating-request', detail)) return false;
      acts.rate(key, rating, { reasons, comment });
      return emit(chat, 'inlay-rating', detail);
    },
    'inlay-decide': ({ key, result, reason }) => {
      const entry = acts.entry(key);
      if (entry?.kind !== 'tool' || !entry.id) return false;
      const { id, name, input } = entry;
      const detail = { id, name, input, result, reason };
      if (!emit(chat, 'inlay-decision-request', detail)) return false;
      acts.decide(key, result, reason);
      return emit(chat, 'inlay-decision', detail);
    },
    'inlay-card-action': ({ key, action, values }) => {
      const id = acts.entry(key)?.id;
      if (!id) return false;
      const detail = { id, action, values };
      if (!emit(chat, 'inlay-card-request', detail)) return false;
      acts.answerCard(key, action, values);
      return emit(chat, 'inlay-card', detail);
    },
  };
}
