import { english as englishAtStart } from './languages/en.ts';
import { englishOnDemand } from './languages/en-on-demand.ts';
import type { StringsOf } from './strings.ts';

/**
 * All English strings. Loading this module adds those of elements that a chat loads on demand to the
 * strings that the chat already has; these elements import it.
 */
export const english: Strings = Object.assign(englishAtStart, englishOnDemand);

/** The strings of a language, by key. */
export type Strings = StringsOf<typeof englishAtStart & typeof englishOnDemand>;

/** Strings that a page overrides. */
export type StringOverrides = Partial<Strings>;
