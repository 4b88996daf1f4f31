/** Text and addresses that a model or another user wrote, made safe to show and to follow. */

/**
 * Characters that can't be seen and make others be read in another place, or hide between them:
 * what turns the direction (Unicode Standard Annex 9, explicit formatting), and tags.
 */
const hidden = /[\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu;

/** A text without the characters that are hidden in it, for text that is read rather than decided by. */
export function withoutHidden(text: string): string {
  return text.replace(hidden, '');
}

/**
 * A text in which nothing is hidden, for what a user decides by: the name of a file, what a tool is
 * going to be given. A file that ends in `exe` must not look like a PDF.
 */
export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase()}]`;
  });
}

const linkProtocols: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:', 'tel:']);

/**
 * The address of a link, as the browser itself reads it, when it leads where a link may lead: `https`,
 * `http`, `mailto` or `tel`, written as an absolute address. Anything else, `javascript:` in whatever
 * disguise, `//host`, `\\host`, a path of the page around us, gives `undefined`. A user name or a
 * password, which can pass for the host, is left out.
 */
export function safeLink(address: string): string | undefined {
  const url = parse(address);
  if (!url || !linkProtocols.has(url.protocol)) return undefined;
  url.username = '';
  url.password = '';
  return url.href;
}

/** The address of a page on the web, and its host. Undefined for any other. */
export function webAddress(address: string): { href: string; host: string } | undefined {
  const url = parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  return { href: url.href, host: url.host };
}

/** An image's address, and the same as `src` if its origin is one of `origins`. */
export function readImageAddress(
  address: string,
  origins: readonly string[],
): { readonly href: string; readonly host: string; readonly src: string | undefined } | undefined {
  const url = parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  const allowed = origins.includes(url.origin) && !url.username && !url.password;
  // Nobody's name goes along when the user loads a blocked picture.
  url.username = '';
  url.password = '';
  return { href: url.href, host: url.host, src: allowed ? url.href : undefined };
}

/** Without a base: a relative address has no meaning in an answer, and must not get the host page's. */
function parse(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
