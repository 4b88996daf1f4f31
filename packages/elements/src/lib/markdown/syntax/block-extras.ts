import { closesFence, fenceStart } from './block-starts.ts';
import type { Block, BlockSink, Code, MathBlock, Paragraph, Summary } from './blocks.ts';
import { normalizeLabel } from './labels.ts';
import { maxBlockDepth } from './limits.ts';
import type { Line } from './line.ts';
import { isEnvironmentEnd, mathStart } from './math-syntax.ts';
import type { OpenBlocks } from './open-blocks.ts';
import {
  commentStart,
  delimiterRow,
  detailsEnd,
  detailsStart,
  footnoteStart,
  summaryStart,
  summaryText,
} from './rare-block-starts.ts';
import { splitCells } from './row-cells.ts';

/** Opens and matches rare blocks: footnotes, HTML, formulas and tables. */

/**
 * Parses the start of a footnote, an HTML tag or a comment at the cursor of the line. Returns false if
 * there is none.
 */
export function openContainer(
  open: OpenBlocks,
  sink: BlockSink,
  line: Line,
  depth: number,
): boolean {
  const nests = open.depth < maxBlockDepth;
  if (nests && openFootnote(open, sink, line, depth)) return true;
  return line.content[0] === '<' && openHtml(open, sink, line, depth, nests);
}

function openFootnote(open: OpenBlocks, sink: BlockSink, line: Line, depth: number): boolean {
  const start = footnoteStart(line.content);
  if (!start) return false;
  line.skipMarker(start.width);
  const label = normalizeLabel(`^${start.label}`);
  open.openAt(depth, { kind: 'note', label, ...open.containerBase() });
  sink.define(label, { href: '', title: undefined, note: label });
  return true;
}

/** Parses `<details>`, `<summary>`, `</details>` or a comment at the cursor of the line. */
function openHtml(
  open: OpenBlocks,
  sink: BlockSink,
  line: Line,
  depth: number,
  nests: boolean,
): boolean {
  const { content } = line;
  const container = open.at(depth - 1);
  const comment = commentStart(content);
  if (comment) {
    line.skipMarker(content.length);
    open.openAt(depth, { kind: 'comment', ...open.base() });
    if (comment === 'closed') open.close();
    return true;
  }
  const end = detailsEnd(content);
  if (end) {
    if (!closeDetails(open, depth)) return false;
    line.skipMarker(end);
    return true;
  }
  const start = detailsStart(content);
  if (start && nests) {
    line.skipMarker(start);
    open.openAt(depth, { kind: 'details', summarized: false, ...open.containerBase() });
    return true;
  }
  const summary = summaryStart(content);
  if (!summary || container.kind !== 'details' || container.summarized) return false;
  container.summarized = true;
  const { text, width, closed } = summaryText(content.slice(summary));
  const block: Summary = { kind: 'summary', empty: true, ...open.base() };
  line.skipMarker(summary + width);
  open.openAt(depth, block);
  appendToSummary(sink, block, text);
  if (closed) open.close();
  return true;
}

/** Closes the innermost `<details>` of the first `depth` open blocks. Returns false if there is none. */
function closeDetails(open: OpenBlocks, depth: number): boolean {
  let detailsDepth = depth - 1;
  while (detailsDepth > 0 && open.at(detailsDepth).kind !== 'details') detailsDepth -= 1;
  if (detailsDepth <= 0) return false;
  open.closeTo(detailsDepth + 1);
  open.updateEndLines(false, detailsDepth + 1);
  open.closeTo(detailsDepth);
  return true;
}

/** Appends a line, or the part of the line before `</summary>`. */
export function appendToSummary(sink: BlockSink, summary: Summary, line: string): void {
  const text = line.trim();
  if (!text) return;
  sink.append(summary, summary.empty ? text : `\n${text}`);
  summary.empty = false;
}

/** Opens a formula that is a block. Returns false if there is none. */
export function openMath(open: OpenBlocks, sink: BlockSink, line: Line, depth: number): boolean {
  const start = mathStart(line.content);
  if (!start) return false;
  const { closer, text, closed } = start;
  const block: MathBlock = { kind: 'math', closer, closed, ...open.base() };
  line.skipMarker(line.content.length);
  open.openAt(depth, block);
  sink.append(block, text);
  if (closed) open.close();
  return true;
}

/**
 * Converts the last line of a paragraph to the header of a table, if `content` is a matching delimiter
 * row.
 */
export function openTable(
  open: OpenBlocks,
  sink: BlockSink,
  paragraph: Paragraph,
  content: string,
): boolean {
  if (paragraph.maybeDefinition) return false;
  const alignments = delimiterRow(content);
  if (!alignments) return false;
  const text = paragraph.text + paragraph.held;
  const lineEnd = text.lastIndexOf('\n');
  const headerLine = text.slice(lineEnd + 1);
  const header = splitCells(headerLine);
  if (header.length !== alignments.length) return false;
  if (header.length === 1 && !`${headerLine}${content}`.includes('|')) return false;

  const before = lineEnd > 0 ? text.slice(0, lineEnd) : '';
  const isShorter = before.length < paragraph.text.length;
  paragraph.held = '';
  paragraph.text = before;
  if (isShorter || !before) open.discard();
  if (before) {
    if (isShorter) {
      open.push(paragraph);
      sink.append(paragraph, before);
    }
    open.close();
  }
  const startLine = before ? open.line : paragraph.startLine;
  open.push({ kind: 'table', alignments, header, startLine, endLine: open.line });
  return true;
}

/**
 * Matches a line with an open block of a rare kind, for `matchContainers`. `closed`: the line ends the
 * block, and contains nothing else.
 */
export function matchBlock(
  block: Block,
  line: Line,
  sink: BlockSink,
): 'matched' | 'unmatched' | 'closed' {
  if (block.kind === 'note') {
    if (!line.blank && line.indent < 4) return 'unmatched';
    line.skipColumns(4);
    return 'matched';
  }
  if (block.kind === 'comment') {
    const end = line.content.indexOf('-->');
    if (end < 0) return 'matched';
    line.skipMarker(end + 3);
    return line.blank ? 'closed' : 'unmatched';
  }
  if (line.blank) return 'unmatched';
  if (block.kind === 'math') return matchMath(block, line, sink);
  if (block.kind !== 'summary') return 'unmatched';
  const { text, width, closed } = summaryText(line.content);
  if (!closed) return 'matched';
  appendToSummary(sink, block, text);
  line.skipMarker(width);
  return line.blank ? 'closed' : 'unmatched';
}

/** Matches a line with an open formula. Text can follow the end of an environment on its line. */
function matchMath(block: MathBlock, line: Line, sink: BlockSink) {
  const text = line.content.trimEnd();
  const isEnvironment = isEnvironmentEnd(block.closer);
  const at = isEnvironment ? text.indexOf(block.closer) : text.length - block.closer.length;
  if (at < 0 || !text.startsWith(block.closer, at)) return 'matched';
  const end = at + block.closer.length;
  sink.append(block, `\n${text.slice(0, isEnvironment ? end : at)}`);
  block.closed = true;
  line.skipMarker(end);
  return line.blank ? 'closed' : 'unmatched';
}

const markdown = /^(?:markdown|md|mdx)$/i;

/**
 * Tracks the code blocks in a code block with Markdown. Models write them without a longer fence around
 * them. In CommonMark, the end of an inner block would end the outer one, and swap text and code in the
 * rest of the answer. An inner block starts with a fence with a language.
 */
export function trackInnerFences(
  { innerFences, language }: Pick<Code, 'innerFences' | 'language'>,
  mark: string,
  content: string,
): void {
  const inner = innerFences.at(-1);
  if (inner && closesFence(content, inner)) innerFences.pop();
  else if (!inner && markdown.test(language)) {
    const start = fenceStart(content);
    if (start?.info && start.mark.startsWith(mark)) innerFences.push(start.mark);
  }
}
