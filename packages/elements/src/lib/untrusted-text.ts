/** Sanitizes text and URLs that a model or another user wrote. */

/** Characters that reorder or annotate text, and tags. Joiners are not removed: many scripts need them. */
const reorderingCharacters = /[\p{Bidi_Control}\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Removes characters that reorder text, for text that is only read. */
export function withoutHidden(text: string): string {
  return text.replace(reorderingCharacters, '');
}

const linkProtocols: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:', 'tel:']);

/**
 * Normalizes the URL of a link with the browser's parser.
 *
 * @returns An absolute `https`, `http`, `mailto` or `tel` URL, without user name and password, which
 *   could be mistaken for the host. Undefined for anything else: `javascript:` in any disguise,
 *   `//host`, `\\host` and relative URLs.
 */
export function safeLink(address: string): string | undefined {
  const url = parse(address);
  if (!url || !linkProtocols.has(url.protocol)) return undefined;
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * Parses an `https` or `http` URL. Returns undefined for any other address.
 *
 * @returns The URL without user name and password, which could be mistaken for the host.
 */
export function webAddress(address: string): { href: string; host: string } | undefined {
  const url = parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  url.username = '';
  url.password = '';
  return { href: url.href, host: url.host };
}

/** Parses the URL of an image. `src` is set only if its origin is one of `origins`. */
export function readImageAddress(
  address: string,
  origins: readonly string[],
): { readonly href: string; readonly host: string; readonly src: string | undefined } | undefined {
  const url = parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  const allowed = origins.includes(url.origin) && !url.username && !url.password;
  // Credentials in the URL must not be sent when the user opens a blocked image.
  url.username = '';
  url.password = '';
  return { href: url.href, host: url.host, src: allowed ? url.href : undefined };
}

/** Parses without a base, so that relative URLs do not resolve against the host page. */
function parse(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
