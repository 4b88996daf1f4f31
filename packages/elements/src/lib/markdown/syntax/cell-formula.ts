import { wordCharacter } from './math-syntax.ts';

/** Maximum length of a formula with pipes in a cell, in characters. */
const maxLength = 200;

/** Words before any command: text after a dollar that is not a formula. */
const prose = /^[^\\]*?\p{L}{2}[\s,.;:]+\p{L}{2}/u;

/** A price, before which the dollar does not start a formula. */
const price = /^\s*\d[\d.,]*\s*$/;

/**
 * Scans a formula that contains pipes, such as `$|x|$`, in a row of a table, where a pipe outside of a
 * formula ends the cell.
 *
 * @param before - The character before the text.
 * @returns The end of the formula; undefined if there is none; `'open'` if later text decides.
 */
export function scanCellFormula(
  text: string,
  from: number,
  before: string,
  isComplete: boolean,
): number | 'open' | undefined {
  const isDollar = text[from] === '$';
  if (!isDollar && text[from] !== '\\') return undefined;
  const next = text[from + 1];
  if (next === undefined) return isComplete ? undefined : 'open';
  if (
    isDollar ? /[\s$]/.test(next) || wordCharacter.test(text[from - 1] ?? before) : next !== '('
  ) {
    return undefined;
  }
  const start = from + (isDollar ? 1 : 2);
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const char = text[index] ?? '';
    if (index - start > maxLength) return undefined;
    if (isDollar && char === '$') {
      const after = text[index + 1];
      if (/\s/.test(text[index - 1] ?? '') || prose.test(text.slice(start, index)))
        return undefined;
      if (after === undefined && !isComplete) return 'open';
      return wordCharacter.test(after ?? '') ? undefined : index + 1;
    }
    if (char === '\\') {
      if (!isDollar && text[index + 1] === ')') return index + 2;
      index += 1;
    } else if (char === '(' || char === '{') depth += 1;
    else if (char === ')' || char === '}') depth -= 1;
    else if (char === '|' && depth <= 0) {
      // A pipe after a space separates cells.
      if (/\s/.test(text[index - 1] ?? '') || price.test(text.slice(start, index)))
        return undefined;
    }
  }
  return isComplete || prose.test(text.slice(start)) ? undefined : 'open';
}
