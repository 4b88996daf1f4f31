import { extras } from '../extras.ts';
import { closesFence } from './block-starts.ts';
import type { BlockSink } from './blocks.ts';
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
      } else if (
        block.innerFences.length === 0 &&
        line.indent < 4 &&
        closesFence(line.content, block.fence.mark)
      ) {
        return close(open, depth);
      } else {
        extras()?.trackInnerFences(block, block.fence.mark, line.content);
        line.skipColumns(block.fence.indent);
      }
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

/** Closes the block at `depth`, which ends with the line. */
function close(open: OpenBlocks, depth: number): 'closed' {
  open.closeTo(depth + 1);
  open.updateEndLines(false, depth + 1);
  open.closeTo(depth);
  return 'closed';
}
