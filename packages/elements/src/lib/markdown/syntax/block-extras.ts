import type { Block, BlockSink, MathBlock, Paragraph, Summary } from './blocks.ts';
import { maxBlockDepth } from './limits.ts';
import type { Line } from './line.ts';
import { normalizeLabel } from './link-syntax.ts';
import { mathStart } from './math-syntax.ts';
import type { OpenBlocks } from './open-blocks.ts';
import {
  commentStart,
  delimiterRow,
  detailsEnd,
  detailsStart,
  noteStart,
  splitCells,
  summaryStart,
  summaryText,
} from './rare-block-starts.ts';

/** Blocks that few answers have: footnotes, HTML, formulas and tables. */

/** Opens a footnote or an HTML block that begins at the position of the line. */
export function openContainer(
  open: OpenBlocks,
  sink: BlockSink,
  line: Line,
  depth: number,
): boolean {
  const nests = open.depth < maxBlockDepth;
  if (nests && openNote(open, sink, line, depth)) return true;
  return line.content[0] === '<' && openHtml(open, sink, line, depth, nests);
}

function openNote(open: OpenBlocks, sink: BlockSink, line: Line, depth: number): boolean {
  const start = noteStart(line.content);
  if (!start) return false;
  line.skipMarker(start.width);
  const label = normalizeLabel(`^${start.label}`);
  open.openAt(depth, { kind: 'note', label, ...open.containerBase() });
  sink.define(label, { href: '', title: undefined, note: label });
  return true;
}

/** Reads `<details>`, its summary, its end, or a comment, of which a line can have several. */
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
    if (comment === 'whole') open.close();
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
  const { text, width, whole } = summaryText(content.slice(summary));
  const block: Summary = { kind: 'summary', empty: true, ...open.base() };
  line.skipMarker(summary + width);
  open.openAt(depth, block);
  appendToSummary(sink, block, text);
  if (whole) open.close();
  return true;
}

/** Closes the innermost `<details>` within the first `depth` open blocks. Returns whether there was one. */
function closeDetails(open: OpenBlocks, depth: number): boolean {
  let at = depth - 1;
  while (at > 0 && open.at(at).kind !== 'details') at -= 1;
  if (at <= 0) return false;
  open.closeTo(at + 1);
  open.touch(false, at + 1);
  open.closeTo(at);
  return true;
}

/** Adds a line to a summary. */
export function appendToSummary(sink: BlockSink, summary: Summary, line: string): void {
  const text = line.trim();
  if (!text) return;
  sink.append(summary, summary.empty ? text : `\n${text}`);
  summary.empty = false;
}

/** Opens a formula on lines of its own. */
export function openMath(open: OpenBlocks, sink: BlockSink, line: Line, depth: number): boolean {
  const start = mathStart(line.content);
  if (!start) return false;
  const { closer, text, whole } = start;
  const block: MathBlock = { kind: 'math', closer, whole, ...open.base() };
  line.skipMarker(line.content.length);
  open.openAt(depth, block);
  sink.append(block, text);
  if (whole) open.close();
  return true;
}

/** Turns the last line of a paragraph into a table, if `content` is the line below a header. */
export function openTable(
  open: OpenBlocks,
  sink: BlockSink,
  paragraph: Paragraph,
  content: string,
): boolean {
  if (paragraph.maybeDefinition) return false;
  const alignments = delimiterRow(content);
  if (!alignments) return false;
  const whole = paragraph.text + paragraph.held;
  const at = whole.lastIndexOf('\n');
  const header = splitCells(whole.slice(at + 1));
  if (header.length !== alignments.length) return false;
  if (header.length === 1 && !`${whole.slice(at + 1)}${content}`.includes('|')) return false;

  const before = at > 0 ? whole.slice(0, at) : '';
  paragraph.held = '';
  if (before) {
    if (before.length < paragraph.text.length) sink.rewrite(paragraph, before);
    paragraph.text = before;
    open.close();
  } else open.discard();
  const startLine = before ? open.line : paragraph.startLine;
  open.push({ kind: 'table', alignments, header, startLine, endLine: open.line });
  return true;
}

/** Whether a line belongs to an open block of these kinds, or only closes it: see `matchContainers`. */
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
  if (block.kind === 'math') {
    const text = line.content.trimEnd();
    if (!text.endsWith(block.closer)) return 'matched';
    sink.append(block, `\n${text.slice(0, -block.closer.length)}`);
    block.whole = true;
    return 'closed';
  }
  if (block.kind !== 'summary') return 'unmatched';
  const { text, width, whole } = summaryText(line.content);
  if (!whole) return 'matched';
  appendToSummary(sink, block, text);
  line.skipMarker(width);
  return line.blank ? 'closed' : 'unmatched';
}
