/** Sanitizes text and URLs that a model or another user wrote, and tells the direction of text. */

/** Characters that reorder or annotate text, and tags. Joiners are not removed: many scripts need them. */
const reorderingCharacters = /[\p{Bidi_Control}\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Removes characters that reorder text, for text that is only read. */
export function withoutHidden(text: string): string {
  return text.replace(reorderingCharacters, '');
}

const letter = /\p{L}/u;
const rightToLeftLetter =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Direction of a text by its first letter; `undefined` if it has none. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const first = letter.exec(text)?.[0];
  if (!first) return undefined;
  return rightToLeftLetter.test(first) ? 'rtl' : 'ltr';
}

/** Whether a text contains a letter that is written from right to left. */
export const hasRightToLeftLetter = (text: string): boolean => rightToLeftLetter.test(text);

/**
 * Parses a URL with the browser's parser, without a base, so that relative URLs do not resolve against
 * the host page.
 *
 * @param protocol - Allowed protocols.
 * @returns The URL without user name and password, which could be mistaken for the host.
 */
function parse(address: string, protocol: RegExp): URL | undefined {
  try {
    const url = new URL(address);
    url.username = '';
    url.password = '';
    return protocol.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

const webProtocol = /^https?:$/;

/**
 * Normalizes the URL of a link.
 *
 * @returns An absolute `https`, `http`, `mailto` or `tel` URL. Undefined for anything else: `javascript:`
 *   in any disguise, `//host`, `\\host` and relative URLs.
 */
export function safeLink(address: string): string | undefined {
  return parse(address, /^(https?|mailto|tel):$/)?.href;
}

/** Parses an `https` or `http` URL. Returns undefined for any other address. */
export function webAddress(address: string): { href: string; host: string } | undefined {
  return parse(address, webProtocol);
}

/**
 * Parses the URL of an image. `src` is set only if its origin is one of `origins`, and it has no user name
 * and password, which must not be sent when the user opens a blocked image.
 */
export function readImageAddress(
  address: string,
  origins: readonly string[],
): { readonly href: string; readonly host: string; readonly src: string | undefined } | undefined {
  const url = parse(address, webProtocol);
  if (!url) return undefined;
  const { href, host, origin } = url;
  const isAllowed = origins.includes(origin) && new URL(address).href === href;
  return { href, host, src: isAllowed ? href : undefined };
}

/**
 * Attributes of links to addresses that an agent has written. The shadow tree of the link has to contain
 * an element with the id `new-tab`, which says that the link opens in a new tab.
 */
export const externalLink = {
  target: '_blank',
  rel: 'noopener noreferrer nofollow',
  referrerpolicy: 'no-referrer',
  'aria-describedby': 'new-tab',
} as const;
