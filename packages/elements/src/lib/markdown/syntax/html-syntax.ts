import type { Inline } from './inlines.ts';
import { maxAddress } from './limits.ts';
import type { Scan } from './link-syntax.ts';

/**
 * The HTML that has a meaning in Markdown: elements that only mark text, and none of their attributes.
 * Every other tag is text. What they stand for is made by the view; no HTML is ever passed on.
 */
export const inlineElements: Readonly<Record<string, Inline['kind']>> = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  u: 'u',
  ins: 'u',
  s: 'del',
  strike: 'del',
  del: 'del',
  mark: 'mark',
  sub: 'sub',
  sup: 'sup',
  kbd: 'kbd',
};

/** Tags that are never shown, though within a line they mean nothing. */
const silent: ReadonlySet<string> = new Set(['br', 'details', 'summary']);

export const isKnownTag = (name: string) => Object.hasOwn(inlineElements, name) || silent.has(name);

/** Whether a known name begins with `text`. */
export const startsKnownTag = (text: string) =>
  Object.keys(inlineElements).some((name) => name.startsWith(text)) ||
  [...silent].some((name) => name.startsWith(text));

export interface Tag {
  /** In lower case. */
  readonly name: string;
  readonly closing: boolean;
}

const tagName = /<(\/?)([a-z][a-z\d-]*)/iy;
const attribute = /\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?|\s*\/?>/iy;

const halfAttribute = /^(?:\s*\/?|(?:\s+[\w.:-]*)?\s*(?:=\s*(?:[^\s"'=<>`]*|'[^']*|"[^"]*))?)$/;

/** A tag as CommonMark defines it, from its opening bracket. */
export function scanTag(source: string, from: number): Scan<Tag> {
  tagName.lastIndex = from;
  const match = tagName.exec(source);
  if (!match)
    return source.length - from < 3 && /^<\/?$/.test(source.slice(from)) ? 'open' : undefined;
  const value = { name: (match[2] ?? '').toLowerCase(), closing: match[1] === '/' };
  const limit = from + maxAddress;
  // A tag that is too long is none: no attribute is looked for beyond the limit.
  const text = source.length > limit ? source.slice(0, limit) : source;
  let at = tagName.lastIndex;
  for (;;) {
    attribute.lastIndex = at;
    const part = attribute.exec(text)?.[0];
    if (part === undefined) break;
    at = attribute.lastIndex;
    if (part.endsWith('>') && /^\s*\/?>$/.test(part)) {
      const isValid = !value.closing || /^<\/[a-z\d-]+\s*>$/i.test(text.slice(from, at));
      return isValid ? { end: at, value } : undefined;
    }
  }
  const isHalf = text.length === source.length && halfAttribute.test(text.slice(at));
  return isHalf ? 'open' : undefined;
}
