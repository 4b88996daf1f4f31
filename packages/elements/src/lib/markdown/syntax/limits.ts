/**
 * Limits on the time for parsing and rendering. They depend only on the text, not on the time or on the
 * pieces in which it arrives, so that the same text always has the same result. Lengths are in
 * characters.
 */

/** Maximum length of Markdown. The rest of a longer text is plain text. */
export const maxMarkdownLength = 1_000_000;

/** Maximum number of blocks. The rest of a text with more blocks is plain text. */
export const maxBlocks = 20_000;

/** Maximum nesting depth of blockquotes and lists. Deeper markers are text. */
export const maxBlockDepth = 32;

/** Maximum nesting depth of emphasis and links. Deeper delimiters are text. */
export const maxInlineDepth = 16;

/**
 * Maximum distance between an opening and a closing delimiter of inline syntax. Inline syntax before
 * this distance can no longer change, so that long paragraphs need not be parsed again.
 */
export const maxInlineSpan = 4_096;

/** Maximum length of an inline formula with its delimiters. */
export const maxFormula = 1_000;

/**
 * Maximum number of rendered formulas of a paragraph, heading or cell; the source of others is shown.
 * Each formula is a scroll container, and browsers lay out all scroll containers of a paragraph
 * together.
 */
export const maxRenderedFormulas = 500;

/** Maximum length of the URL and of the title of a link, and of an HTML tag. */
export const maxLinkPart = 2_048;

/** Maximum length of a label in the CommonMark specification. */
export const maxLabel = 999;

/** Maximum number of columns of a table. A wider table is a paragraph. */
export const maxColumns = 64;

/** Number of characters at the start of an unfinished line from which its kind is determined. */
export const maxLineStart = 512;
