import { decodeText } from './decode-text.ts';
import type { Scan } from './labels.ts';
import { maxLinkPart } from './limits.ts';

const isWhite = (char: string | undefined) => char === ' ' || char === '\t' || char === '\n';

/** Skips the white space allowed between the parts of a link, which has at most one line end. */
export function skipWhite(text: string, from: number): number {
  let index = from;
  let lineEnds = 0;
  while (index - from < maxLinkPart && isWhite(text[index])) {
    if (text[index] === '\n') lineEnds += 1;
    if (lineEnds > 1) return index;
    index += 1;
  }
  return index;
}

/** Scans the destination of a link, with or without angle brackets. */
export function scanDestination(text: string, from: number): Scan<string> {
  return text[from] === '<' ? scanBracketed(text, from) : scanBare(text, from);
}

function scanBracketed(text: string, from: number): Scan<string> {
  const limit = Math.min(text.length, from + maxLinkPart);
  for (let index = from + 1; index < limit; index += 1) {
    const char = text[index];
    if (char === '\\') index += 1;
    else if (char === '\n' || char === '<') return undefined;
    else if (char === '>')
      return { end: index + 1, value: decodeText(text.slice(from + 1, index)) };
  }
  return limit === text.length ? 'open' : undefined;
}

function scanBare(text: string, from: number): Scan<string> {
  const limit = Math.min(text.length, from + maxLinkPart);
  let depth = 0;
  let index = from;
  for (; index < limit; index += 1) {
    const char = text[index] ?? '';
    if (char === '\\' && index + 1 < text.length && !isWhite(text[index + 1])) index += 1;
    else if (char <= ' ' || char === '\x7f') break;
    else if (char === '(') {
      depth += 1;
      if (depth > 32) return undefined;
    } else if (char === ')') {
      if (depth === 0) break;
      depth -= 1;
    }
  }
  if (index >= text.length) return 'open';
  if (index >= limit || depth > 0) return undefined;
  return { end: index, value: decodeText(text.slice(from, index)) };
}

const titleEnds: Record<string, string> = { '"': '"', "'": "'", '(': ')' };

export const opensTitle = (char: string | undefined) => char !== undefined && char in titleEnds;

/** Scans a title in quotes or parentheses. */
export function scanTitle(text: string, from: number): Scan<string> {
  const opener = text[from] ?? '';
  const closer = titleEnds[opener];
  const limit = Math.min(text.length, from + maxLinkPart);
  for (let index = from + 1; index < limit; index += 1) {
    const char = text[index];
    if (char === '\\') index += 1;
    else if (char === closer)
      return { end: index + 1, value: decodeText(text.slice(from + 1, index)) };
    else if (char === '(' && opener === '(') return undefined;
    else if (char === '\n' && /^\n[ \t]*\n/.test(text.slice(index, index + 80))) return undefined;
  }
  return limit === text.length ? 'open' : undefined;
}
