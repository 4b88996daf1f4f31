import { english } from './languages/en.ts';
import type { Plural } from './plural.ts';

export { english } from './languages/en.ts';
export type { Plural } from './plural.ts';

/** The strings of a language, by key. */
export type Strings = {
  readonly [Key in keyof typeof english]: (typeof english)[Key] extends Plural ? Plural : string;
};

/** Strings that a page overrides. */
export type StringOverrides = Partial<Strings>;

/** Returns a table with some strings replaced. Ignores unknown keys and undefined values. */
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
