import type { english } from './languages/en.ts';
import type { Plural } from './plural.ts';

export { english } from './languages/en.ts';
export type { Plural } from './plural.ts';

/** The strings of any language with the keys of a table. */
export type StringsOf<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends Plural ? Plural : string;
};

/**
 * The strings that a chat needs at the start and for its messages. Elements that it loads on demand have
 * the `Strings` of `all-strings.ts`.
 */
export type Strings = StringsOf<typeof english>;

/**
 * Returns a table with some strings replaced. Ignores undefined values. The table is the prototype of the
 * result, because `all-strings.ts` adds strings to the English table later.
 */
export function withStrings<Table extends Strings>(
  overrides: Partial<Table> | null | undefined,
  table: Table,
): Table {
  const known = Object.entries(overrides ?? {}).filter(([, value]) => value !== undefined);
  return Object.setPrototypeOf(Object.fromEntries(known), table);
}
