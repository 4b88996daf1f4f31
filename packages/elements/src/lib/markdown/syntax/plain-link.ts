import type { Scan } from './labels.ts';

/** The destination and the title of a link. */
export interface LinkTail {
  readonly href: string;
  readonly title: string | undefined;
}

/**
 * Pattern of the URL of a plain link, which can be parsed without the extras. It ends with a character
 * class, to which its users append a quantifier.
 */
export const plainUrl = 'https?://[^\\s\\p{Cc}()<>[\\]`\\\\&|$@]';

/** Pattern of an incomplete `https://` at the end of the text, which may be the start of such a URL. */
export const plainUrlStart = 'h?t?t?p?s?:?/?$';

const plainTail = new RegExp(`\\((?:(${plainUrl}*)(\\)|$)|${plainUrlStart})`, 'iuy');

/** Scans `(https://…)`. Other destinations need the extras (`scanLinkTail`). */
export function scanPlainTail(text: string, from: number): Scan<LinkTail> {
  plainTail.lastIndex = from;
  const match = plainTail.exec(text);
  if (!match) return undefined;
  const [, href = '', end] = match;
  return end ? { end: plainTail.lastIndex, value: { href, title: undefined } } : 'open';
}
