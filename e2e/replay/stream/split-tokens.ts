import { createRandom, hashText } from './random.ts';

/**
 * Pre-tokenization of byte-pair tokenizers: words with the preceding space, up to three digits, short
 * sequences of punctuation, white space.
 */
const pieces =
  /'(?:[sdmt]|ll|ve|re)| ?[\p{L}\p{M}]+| ?\p{N}{1,3}| ?[^\s\p{L}\p{M}\p{N}]{1,4}|\s*\n|\s+(?= \S)|\s+/gu;

/** Words up to this length, including the space, are one token. */
const knownWordLength = 9;

/**
 * Splits a text like a tokenizer: long words into parts, CJK into single characters, emoji sequences
 * between their code points, and Markdown markers at any position. The result is deterministic, and
 * joins to the text. No token ends inside a code point, because providers buffer incomplete ones.
 */
export function splitTokens(text: string): string[] {
  const tokens: string[] = [];
  for (const match of text.matchAll(pieces)) {
    const piece = match[0];
    if (/^ ?[\p{L}\p{M}]/u.test(piece)) splitWord(piece, tokens);
    else if (/[^\s\p{N}]/u.test(piece)) splitSymbols(piece, match.index, tokens);
    else tokens.push(piece);
  }
  return tokens;
}

/** Splits a word always at the same positions. */
function splitWord(word: string, tokens: string[]): void {
  const isLatin = /^[\x20-\u024f]+$/.test(word);
  if (isLatin && word.length <= knownWordLength) {
    tokens.push(word);
    return;
  }
  const [minLength, maxLength] = isLatin ? [4, 8] : [1, 3];
  splitRandomly(word, minLength, maxLength, hashText(word), tokens);
}

/** Splits depending on the position, so that the same marker is sometimes split and sometimes not. */
function splitSymbols(run: string, index: number, tokens: string[]): void {
  const isAscii = /^[\x20-\x7e]+$/.test(run);
  splitRandomly(run, 1, isAscii ? 4 : 1, hashText(run, index), tokens);
}

function splitRandomly(
  text: string,
  minLength: number,
  maxLength: number,
  seed: number,
  tokens: string[],
) {
  const random = createRandom(seed);
  const characters = [...text];
  for (let start = 0; start < characters.length; ) {
    const end = start + random.between(minLength, maxLength);
    tokens.push(characters.slice(start, end).join(''));
    start = end;
  }
}
