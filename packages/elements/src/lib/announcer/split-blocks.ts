import { trackInnerFences } from '../markdown/syntax/block-extras.ts';
import { environmentEnd } from '../markdown/syntax/math-syntax.ts';

/** Consecutive lines of a Markdown text. `text` stands for all blocks that are read out in full. */
export interface MarkdownBlock {
  readonly kind: 'text' | 'code' | 'table' | 'formula';
  readonly lines: readonly string[];
  /** Whether following text may still belong to the block. Always false for `text`. */
  readonly open: boolean;
}

interface GrowingBlock {
  kind: MarkdownBlock['kind'];
  lines: string[];
  open: boolean;
  /** The delimiter that ends a code block or a formula. */
  closer: string;
  /** The language of a code block. */
  language: string;
  /** The fences of code blocks within Markdown that are not closed yet. */
  innerFences: string[];
}

/** Splits a Markdown text into code blocks, tables, block formulas and other text. */
export function splitBlocks(markdown: string): readonly MarkdownBlock[] {
  const blocks: GrowingBlock[] = [];
  const lines = markdown.split('\n');
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1;
    const last = blocks.at(-1);
    if (last?.open && continuesBlock(last, line, isLast)) last.lines.push(line);
    else {
      if (last) last.open = false;
      const next = blockOf(line);
      if (next.kind === 'text' && last?.kind === 'text') last.lines.push(line);
      else blocks.push(next);
    }
  }
  return blocks;
}

/**
 * Replaces code blocks, tables and formulas by spaces, so that they contain no sentences. An unfinished
 * block at the end is removed.
 */
export function maskBlocks(markdown: string): string {
  return splitBlocks(markdown)
    .map(({ kind, lines, open }) => {
      const text = lines.join('\n');
      if (kind === 'text') return text;
      return open ? '' : ' '.repeat(text.length);
    })
    .join('\n');
}

/** Whether a line belongs to an open block. Closes the block if the line ends it. */
function continuesBlock(block: GrowingBlock, line: string, isLast: boolean): boolean {
  if (block.kind === 'table') return isTableRow(line) || (isLast && /^\s*$/.test(line));
  if (block.kind === 'code' && (block.innerFences.length > 0 || !isFence(line, block.closer))) {
    trackInnerFences(block, block.closer, line.replace(/^[\s>]+/, ''));
    return true;
  }
  const end = block.kind === 'code' || line.includes(block.closer);
  // More characters could follow the fence in the last line.
  if (end && (block.kind === 'formula' || !isLast)) block.open = false;
  return true;
}

function blockOf(line: string): GrowingBlock {
  const block = { lines: [line], open: true, closer: '', language: '', innerFences: [] };
  const content = line.replace(/^(?:[\s>]|[-*+]\s|\d{1,9}[.)]\s)+/, '');
  const [fence] = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(content) ?? [];
  if (fence) {
    const [language = ''] = content.slice(fence.length).trim().split(/\s/, 1);
    return { ...block, kind: 'code', closer: fence, language };
  }
  if (content.startsWith('|')) return { ...block, kind: 'table' };
  const closer = formulaCloser(content);
  if (!closer) return { ...block, kind: 'text', open: false };
  const end = content.indexOf(closer, 2);
  // A formula that is followed by text on its line is part of a sentence.
  if (end >= 0 && content.slice(end + closer.length).trim())
    return { ...block, kind: 'text', open: false };
  return { ...block, kind: 'formula', closer, open: end < 0 };
}

const isTableRow = (line: string) => /^[\s>]*\|/.test(line);

function formulaCloser(content: string): string | undefined {
  if (content.startsWith('$$')) return '$$';
  return content.startsWith('\\[') ? '\\]' : environmentEnd(content, 0);
}

/** Whether a line closes a code block: at least as many characters as the opening fence, and no text. */
function isFence(line: string, opener: string): boolean {
  const content = line.replace(/^[\s>]+/, '').trimEnd();
  return content.startsWith(opener) && content === (content[0] ?? '').repeat(content.length);
}
