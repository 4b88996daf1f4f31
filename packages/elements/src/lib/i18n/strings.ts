import { answersWords } from './english/answers.ts';
import { cardsWords } from './english/cards.ts';
import { conversationWords } from './english/conversation.ts';
import { filesWords } from './english/files.ts';
import { firstWords } from './english/first.ts';
import { markdownWords } from './english/markdown.ts';
import { rightsWords } from './english/rights.ts';
import { statesWords } from './english/states.ts';
import { stepsWords } from './english/steps.ts';
import { threadsWords } from './english/threads.ts';
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
  ...conversationWords,
  ...markdownWords,
  ...answersWords,
  ...stepsWords,
  ...cardsWords,
  ...filesWords,
  ...statesWords,
  ...rightsWords,
  ...threadsWords,
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
