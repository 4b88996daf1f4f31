import type { Inline } from './inlines.ts';
import type { Scan } from './labels.ts';
import { maxLinkPart } from './limits.ts';

/**
 * The supported inline elements of HTML and their kinds. Attributes are ignored, and other tags are
 * text. The view creates the elements; HTML is never parsed by the browser.
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

/** Other tags that are not shown as text. */
const hiddenTags: ReadonlySet<string> = new Set(['br', 'citation', 'cite', 'details', 'summary']);

export const isKnownTag = (name: string) =>
  Object.hasOwn(inlineElements, name) || hiddenTags.has(name);

/** Whether `text` is the start of the name of a known tag. */
export const startsKnownTag = (text: string) =>
  Object.keys(inlineElements).some((name) => name.startsWith(text)) ||
  [...hiddenTags].some((name) => name.startsWith(text));

export interface Tag {
  /** Name in lower case. */
  readonly name: string;
  readonly closing: boolean;
}

const tagName = /<(\/?)([a-z][a-z\d-]*)/iy;
const attribute = /\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?|\s*\/?>/iy;

const incompleteAttribute =
  /^(?:\s*\/?|(?:\s+[\w.:-]*)?\s*(?:=\s*(?:[^\s"'=<>`]*|'[^']*|"[^"]*))?)$/;

/** Scans a tag as defined by CommonMark. */
export function scanTag(source: string, from: number): Scan<Tag> {
  tagName.lastIndex = from;
  const match = tagName.exec(source);
  if (!match)
    return source.length - from < 3 && /^<\/?$/.test(source.slice(from)) ? 'open' : undefined;
  const value = { name: (match[2] ?? '').toLowerCase(), closing: match[1] === '/' };
  const limit = from + maxLinkPart;
  // A tag that is too long is text.
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
  const isIncomplete = text.length === source.length && incompleteAttribute.test(text.slice(at));
  return isIncomplete ? 'open' : undefined;
}
