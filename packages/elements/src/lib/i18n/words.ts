import { firstWords } from './english/first.ts';
import type { StringOverrides, Strings } from './strings.ts';

/** The English words of every part that is there. */
const spoken: StringOverrides = { ...firstWords };

/**
 * The English words, to which a part adds its own as soon as it is loaded: so a page does not fetch
 * what a chat may never say. Who asks a table for a word has to bring the part with it;
 * `packages/words.test.ts` makes sure.
 */
export function speak(...parts: readonly StringOverrides[]): Strings {
  return Object.assign(spoken, ...parts);
}

/**
 * A table with some strings replaced, which undefined values do not. Words that are added to the
 * table later are in it as well.
 */
export function wordsOver(table: Strings, overrides: StringOverrides | null): Strings {
  if (!overrides) return table;
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  return Object.setPrototypeOf(Object.fromEntries(given), table);
}
