import { allowanceWords } from './english/allowance.ts';
import { answerActionsWords } from './english/answer-actions.ts';
import { attachmentsWords } from './english/attachments.ts';
import { cardWords } from './english/card.ts';
import { chartWords } from './english/chart.ts';
import { consentWords } from './english/consent.ts';
import { feedbackWords } from './english/feedback.ts';
import { fileWords } from './english/file.ts';
import { firstWords } from './english/first.ts';
import { markdownWords } from './english/markdown.ts';
import { menuWords } from './english/menu.ts';
import { messageEditorWords } from './english/message-editor.ts';
import { messageListWords } from './english/message-list.ts';
import { noticeWords } from './english/notice.ts';
import { statusWords } from './english/status.ts';
import { suggestionsWords } from './english/suggestions.ts';
import { thinkingWords } from './english/thinking.ts';
import { threadListWords } from './english/thread-list.ts';
import { toolCallWords } from './english/tool-call.ts';
import { userActionsWords } from './english/user-actions.ts';
import type { Plural } from './plural.ts';

export type { Plural } from './plural.ts';

/**
 * Every word the elements say, in English. `{name}` stands for a value. Give the `strings` property
 * an object with those that you want otherwise; what it leaves out stays as the language has it.
 *
 * An element takes its words from `speak` instead (`words.ts`), so that a page fetches no others.
 */
export const english = {
  ...firstWords,
  ...allowanceWords,
  ...answerActionsWords,
  ...attachmentsWords,
  ...cardWords,
  ...chartWords,
  ...consentWords,
  ...feedbackWords,
  ...fileWords,
  ...markdownWords,
  ...menuWords,
  ...messageEditorWords,
  ...messageListWords,
  ...noticeWords,
  ...statusWords,
  ...suggestionsWords,
  ...thinkingWords,
  ...threadListWords,
  ...toolCallWords,
  ...userActionsWords,
} as const satisfies Record<string, string | Plural>;

/** The whole table, as the elements use it. */
export type Strings = {
  readonly [Key in keyof typeof english]: (typeof english)[Key] extends Plural ? Plural : string;
};

/** What a page sets as `strings`. */
export type StringOverrides = Partial<Strings>;

/** A table with some strings replaced. Unknown keys and undefined values are left out. */
export function withStrings(
  overrides: StringOverrides | null | undefined,
  table: Strings = english,
): Strings {
  if (!overrides) return table;
  const known = Object.entries(overrides).filter(
    ([key, value]) => Object.hasOwn(english, key) && value !== undefined,
  );
  return { ...table, ...Object.fromEntries(known) };
}
