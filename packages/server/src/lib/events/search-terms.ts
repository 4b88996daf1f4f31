import { foldText } from './search-text.ts';

/** Maximum terms of a query. */
const maximumQueryTerms = 64;
/** Maximum UTF-16 code units of a term. */
const maximumTermLength = 64;

const words = /[\p{L}\p{M}\p{N}]+/gu;
/** Characters of scripts that are written without spaces. Their terms are single characters and pairs. */
const unspacedCharacters = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const unspaced = new RegExp(`[${unspacedCharacters}]+|[^${unspacedCharacters}]+`, 'gu');
const startsUnspaced = new RegExp(`^[${unspacedCharacters}]`, 'u');
/** A character after which a word can start. */
const beforeWord = new RegExp(`[${unspacedCharacters}]|[^\\p{L}\\p{M}\\p{N}]`, 'gu');

/**
 * Returns the search terms of a text, in order and with repetitions: its words without case and
 * width. Both database engines index these terms, so that they find the same chunks.
 */
export function termsOf(text: string): string[] {
  return runsOf(text).flatMap(({ run, isUnspaced }) =>
    isUnspaced ? [...run, ...pairsOf(run)] : [run.slice(0, maximumTermLength)],
  );
}

/** Returns the distinct terms of a query. */
export function queryTerms(queries: readonly string[]): string[] {
  const terms = queries.flatMap((query) =>
    runsOf(query).flatMap(({ run, isUnspaced }) => {
      if (!isUnspaced) return [run.slice(0, maximumTermLength)];
      const pairs = pairsOf(run);
      return pairs.length > 0 ? pairs : [run];
    }),
  );
  return [...new Set(terms)].slice(0, maximumQueryTerms);
}

/**
 * Whether a text has words that start with all of the terms. Takes linear time for repetitive texts.
 *
 * @param text After `foldText`.
 * @param terms Terms of `queryTerms`.
 */
export function hasTerms(text: string, terms: readonly string[]): boolean {
  return terms.every((term) => {
    for (let at = text.indexOf(term); at >= 0; ) {
      if (at === 0 || startsUnspaced.test(term)) return true;
      beforeWord.lastIndex = at - 1;
      const before = beforeWord.exec(text);
      if (before === null) return false;
      const start = before.index + before[0].length;
      if (start === at) return true;
      at = text.indexOf(term, start);
    }
    return false;
  });
}

function runsOf(text: string): { run: string; isUnspaced: boolean }[] {
  const folded = foldText(text, Number.POSITIVE_INFINITY);
  return (folded.match(words) ?? []).flatMap((word) =>
    (word.match(unspaced) ?? []).map((run) => ({ run, isUnspaced: startsUnspaced.test(run) })),
  );
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
