/**
 * Characters without a glyph of their own, by their Unicode properties: control, format, private and
 * unassigned characters, all that renderers may ignore, line separators. Line feeds and tabs are
 * excluded. In addition, characters whose glyph is empty (a Braille pattern, a musical symbol), and
 * spaces with no or an unusual width. The first alternative keeps the joiners and the selectors of
 * emojis.
 */
const emojiOrHidden =
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*|((?![\n\t])[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\u{1d159}\u1680\u2000-\u200a\u205f])\1*/gu;

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
