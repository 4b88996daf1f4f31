import { extras } from '../extras.ts';
import { closesFence, fenceStart } from './block-starts.ts';
import type { BlockSink, Code } from './blocks.ts';
import type { Line } from './line.ts';
import type { OpenBlocks } from './open-blocks.ts';

/**
 * Matches the start of a line with the open blocks, and skips the matched part.
 *
 * @returns The number of open blocks that the line belongs to; `'closed'` if it only ends a block.
 */
export function matchContainers(open: OpenBlocks, line: Line, sink: BlockSink): number | 'closed' {
  let depth = 1;
  for (; depth < open.depth; depth += 1) {
    const block = open.at(depth);
    if (block.kind === 'quote') {
      if (line.indent > 3 || line.text[line.next] !== '>') break;
      line.skipMarker(1);
      line.skipColumns(1);
    } else if (block.kind === 'item') {
      const empty = block.lastChildEnd === undefined && depth === open.depth - 1;
      if (line.blank ? empty : line.indent < block.contentIndent) break;
      line.skipColumns(block.contentIndent);
    } else if (block.kind === 'code') {
      if (!block.fence) {
        if (!line.blank && line.indent < 4) break;
        line.skipColumns(4);
      } else if (closesCode(block, block.fence.mark, line)) {
        return close(open, depth);
      } else line.skipColumns(block.fence.indent);
    } else if (block.kind === 'paragraph' || block.kind === 'table') {
      if (line.blank) break;
    } else if (block.kind !== 'list' && block.kind !== 'details') {
      const matched = extras()?.matchBlock(block, line, sink);
      if (matched === 'closed') return close(open, depth);
      if (matched !== 'matched') break;
    }
  }
  return depth;
}

const markdown = /^(?:markdown|md|mdx)$/i;

/**
 * Whether a line closes a code block. Models put code blocks into Markdown without a longer fence around
 * it. In CommonMark, the end of an inner block would end the outer one, and swap text and code in the
 * rest of the answer. An inner block starts with a fence with a language.
 */
function closesCode(code: Code, mark: string, line: Line): boolean {
  const { innerFences, language } = code;
  const { content } = line;
  const inner = innerFences.at(-1);
  if (inner && closesFence(content, inner)) innerFences.pop();
  else if (!inner && line.indent < 4 && closesFence(content, mark)) return true;
  else if (!inner && markdown.test(language)) {
    const start = fenceStart(content);
    if (start?.info && start.mark.startsWith(mark)) innerFences.push(start.mark);
  }
  return false;
}

/** Closes the block at `depth`, which ends with the line. */
function close(open: OpenBlocks, depth: number): 'closed' {
  open.closeTo(depth + 1);
  open.updateEndLines(false, depth + 1);
  open.closeTo(depth);
  return 'closed';
}
