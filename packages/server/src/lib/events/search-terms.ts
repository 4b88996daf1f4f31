import { foldText } from './search-text.ts';

/** Maximum terms of a query. */
const maximumQueryTerms = 64;
/** Maximum UTF-16 code units of a term. */
const maximumTermLength = 64;

const words = /[\p{L}\p{M}\p{N}]+/gu;
/** Runs of scripts that are written without spaces. Their terms are single characters and pairs. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const startsUnspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

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
