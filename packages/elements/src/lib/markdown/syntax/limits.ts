/**
 * Limits that bound the cost of any text. They depend on positions in the text only, never on time or
 * chunks, so the same text always gives the same document.
 */

/** Characters that are read as Markdown. What follows is shown as plain text. */
export const maxMarkdownLength = 1_000_000;

/** Blocks of one text. A text with more goes on as plain text. */
export const maxBlocks = 20_000;

/** Block quotes and lists within each other. Deeper markers are text. */
export const maxBlockDepth = 32;

/** Emphasis and links within each other. Deeper markers are text. */
export const maxInlineDepth = 16;

/**
 * Characters between an opening mark of inline syntax and its closing one. This bound is what makes
 * a long paragraph settle: nothing before it can still change.
 */
export const maxInlineSpan = 4_096;

/** Characters of a formula within a line, with its marks. */
export const maxFormula = 1_000;

/**
 * Formulas of one paragraph, heading or cell that are drawn; those after them are shown as written.
 * Each is a box that scrolls, and a browser lays out all boxes of a paragraph at once.
 */
export const maxDrawnFormulas = 500;

/** Characters of a link's address, its title, an HTML tag. */
export const maxAddress = 2_048;

/** Characters of a reference label; the CommonMark specification sets it. */
export const maxLabel = 999;

/** Columns of a table. A wider one is a paragraph. */
export const maxColumns = 64;

/** Characters of an unfinished line that are looked at to find out what it is. */
export const maxLineStart = 512;
