/** Sanitizes text and URLs that a model or another user wrote. */

/** Characters that reorder or annotate text, and tags. Joiners are not removed: many scripts need them. */
const reorderingCharacters = /[\p{Bidi_Control}\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * Characters without a glyph of their own, by their Unicode properties: control, format, private and
 * unassigned characters, all that renderers may ignore, line separators. Line feeds and tabs are
 * excluded. In addition, characters whose glyph is empty (a Braille pattern, a musical symbol), and
 * spaces with no or an unusual width. The first alternative keeps the joiners and the selectors of
 * emojis.
 */
const emojiOrHidden =
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*|((?![\n\t])[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\u{1d159}\u1680\u2000-\u200a\u205f])\1*/gu;

/** Removes characters that reorder text, for text that is only read. */
export function withoutHidden(text: string): string {
  return text.replace(reorderingCharacters, '');
}

/**
 * Makes invisible characters visible, as `[U+200B]`, or `[U+200B ×40]` if one is repeated. For text that
 * the user bases a decision on, such as a file name or the input of a tool: a file that ends in `exe` must
 * not look like a PDF.
 */
export function escapeHidden(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(emojiOrHidden, (match, hidden?: string) =>
      hidden === undefined ? match : codeOf(hidden, match.length / hidden.length),
    );
}

/** Names a character by its code point, and how often it is repeated. */
export function codeOf(character: string, count: number): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `[U+${code}${count > 1 ? ` ×${count}` : ''}]`;
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
