import type { Alert, Alignment } from './blocks.ts';
import { maxColumns } from './limits.ts';
import { splitCells } from './row-cells.ts';

/** Recognizes the starts of footnotes, alerts, HTML blocks and tables: see `block-starts.ts`. */

const footnote = /^\[\^([^\]\s[\\]{1,100})\]:[ \t]*/;

/** The label of a footnote and the number of characters before its text. */
export function footnoteStart(content: string): { label: string; width: number } | undefined {
  const match = footnote.exec(content);
  return match?.[1] ? { label: match[1], width: match[0].length } : undefined;
}

const alert = /^\[!(note|tip|important|warning|caution)\][ \t]*$/i;

/** The kind of alert that the first line of a blockquote starts. */
export function alertStart(content: string): Alert | undefined {
  return alert.exec(content)?.[1]?.toLowerCase() as Alert | undefined;
}

const detailsOpening = /^<details(?:\s[^<>]*)?>/i;
const detailsClosing = /^<\/details\s*>/i;
const summaryOpening = /^<summary(?:\s[^<>]*)?>/i;
const summaryClosing = /<\/summary\s*>/i;

/** Lengths of the tags `<details>`, `</details>` and `<summary>` at the start; 0 if there is none. */
export const detailsStart = (content: string) => detailsOpening.exec(content)?.[0].length ?? 0;
export const detailsEnd = (content: string) => detailsClosing.exec(content)?.[0].length ?? 0;
export const summaryStart = (content: string) => summaryOpening.exec(content)?.[0].length ?? 0;

/**
 * Index of `</details>` at the end of a line that starts with `<details>` or `<summary>`; the length of
 * the line if there is none.
 */
export function detailsEndWithin(line: string): number {
  if (!/^ {0,3}<(?:details|summary)[\s>]/i.test(line)) return line.length;
  const end = /<\/details\s*>\s*$/i.exec(line.slice(-64));
  return end ? line.length - end[0].length : line.length;
}

/**
 * The text of a line up to `</summary>`.
 *
 * @returns `width`: number of characters including the tag. `closed`: whether the line has the tag.
 */
export function summaryText(content: string): { text: string; width: number; closed: boolean } {
  const end = summaryClosing.exec(content);
  if (!end) return { text: content, width: content.length, closed: false };
  return { text: content.slice(0, end.index), width: end.index + end[0].length, closed: true };
}

/**
 * Whether an HTML comment starts the line, and whether the line closes it. A comment that is followed
 * by text belongs to a paragraph.
 */
export function commentStart(content: string): 'closed' | 'open' | undefined {
  if (!content.startsWith('<!--')) return undefined;
  const end = /^<!--(?:>|->)/.exec(content)?.[0].length ?? content.indexOf('-->', 4) + 3;
  if (end < 4) return 'open';
  return content.slice(end).trim() ? undefined : 'closed';
}

const delimiterCell = /^(:?)-+(:?)$/;

/** Parses the delimiter row below the header of a table. */
export function delimiterRow(content: string): Alignment[] | undefined {
  if (!/^[-:| \t]+$/.test(content)) return undefined;
  const cells = splitCells(content);
  if (cells.length > maxColumns || !cells.every((cell) => delimiterCell.test(cell)))
    return undefined;
  return cells.map((cell) => {
    const left = cell.startsWith(':');
    if (cell.endsWith(':')) return left ? 'center' : 'right';
    return left ? 'left' : undefined;
  });
}
