import { withoutCitationMarks } from '@inlay/protocol/citation-marks';
import { plural } from '../i18n/format.ts';
import type { Strings } from '../i18n/strings.ts';
import { languageName } from '../markdown/language-names.ts';
import { splitCells } from '../markdown/syntax/row-cells.ts';
import { type MarkdownBlock, splitBlocks } from './split-blocks.ts';

/**
 * Replaces rare Markdown syntax by text for announcements. Code blocks, tables and block formulas are
 * summarized, because their source is hard to follow by ear. All patterns have to run in linear time.
 */
export function spokenExtras(markdown: string, strings: Strings): string {
  return splitBlocks(withoutComments(markdown))
    .map((block) => spokenBlock(block, strings))
    .join('\n');
}

function spokenBlock({ kind, lines }: MarkdownBlock, strings: Strings): string {
  const { codeBlock, codeLines, table, tableColumns, tableRows, formula } = strings;
  if (kind === 'code') {
    const [fence = '', ...code] = lines;
    const [, language] = /[`~]\s*([^\s`~]+)/.exec(fence) ?? [];
    // The last line is the closing fence, or empty if the code has not ended.
    if (/^[\s>]*[`~]*\s*$/.test(code.at(-1) ?? '')) code.pop();
    return joinAsSentence([
      codeBlock,
      language && languageName(language),
      plural(strings, codeLines, code.length),
    ]);
  }
  if (kind === 'table' && /^[\s>|:-]+$/.test(lines[1] ?? '')) {
    const rows = lines.slice(2).filter((line) => line.trim() !== '');
    const columns = plural(
      strings,
      tableColumns,
      splitCells((lines[0] ?? '').replace(/^[\s>]+/, '')).length,
    );
    return joinAsSentence([table, columns, plural(strings, tableRows, rows.length)]);
  }
  if (kind === 'formula') return `${formula}.`;
  return spokenInlines(lines.join('\n'), strings);
}

const joinAsSentence = (parts: readonly (string | undefined)[]) =>
  `${parts.filter(Boolean).join(', ')}.`;

function spokenInlines(markdown: string, strings: Strings): string {
  const replaceFormula = (_: string, formula: string) => spokenFormula(formula, strings);
  return (
    withoutCitationMarks(markdown)
      .replace(/\\\((.{1,300}?)\\\)/g, replaceFormula)
      .replace(/(?<![\w$\\])\$(?![\s$])([^$\n]{1,200})(?<!\s)\$(?![\w$])/g, replaceFormula)
      // HTML tags that are rendered, not shown as text.
      .replace(/<\/?(?:details|summary|br)(?:\s[^<>]{0,200})?\/?>/gi, ' ')
      .replace(
        /<\/?(?:kbd|mark|sub|sup|strong|strike|em|ins|del|[bius])(?:\s[^<>]{0,200})?\/?>/gi,
        '',
      )
      // Keeps the kind of an alert, which its first line contains.
      .replace(/^([ >]*)\[!([a-z]+)\][ \t]*$/gim, '$1$2.')
      .replace(/\[\^[^[\]\s]{1,50}\]:?/g, '')
      // Definitions of links.
      .replace(/^ {0,3}\[[^[\]^\n][^[\]\n]{0,200}\]:[ \t].*$/gm, '')
      // Closing characters of a heading.
      .replace(/[ \t]#+$/gm, '')
  );
}

/**
 * Returns a formula of letters, digits and simple signs unchanged; for any other formula, the word
 * “formula”.
 */
function spokenFormula(formula: string, { formula: name }: Strings): string {
  return /^[\p{L}\d\s+=<>.,()-]+$/u.test(formula) ? formula : name;
}

/** Removes HTML comments. A regular expression would take quadratic time. */
function withoutComments(markdown: string): string {
  const [before = '', ...comments] = markdown.split('<!--');
  const after = comments.map((text) => {
    const end = text.indexOf('-->');
    return end < 0 ? `<!--${text}` : text.slice(end + 3);
  });
  return [before, ...after].join('');
}
