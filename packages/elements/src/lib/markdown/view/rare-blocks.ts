import { createElement } from '../../create-element.ts';
import type { Block } from '../syntax/blocks.ts';
import type { BlockView, InlineContext } from './block-view.ts';
import { CodeView } from './code-view.ts';
import { createCodeBlock } from './create-rare-blocks.ts';
import { InlineView } from './inline-view.ts';
import { MathView } from './math-view.ts';
import { createTable, RowView } from './table-view.ts';

/**
 * Creates the DOM of a block that most answers do not contain.
 *
 * @param grantCells - Returns how many of the missing cells of a short row may be added.
 * @returns Undefined for other blocks.
 */
export function createRareBlock(
  block: Block,
  context: InlineContext,
  grantCells: (cells: number) => number,
): BlockView | undefined {
  switch (block.kind) {
    case 'details': {
      const element = createElement('details', { part: 'details' });
      return { element, content: element };
    }
    case 'summary': {
      const element = createElement('summary', { part: 'summary' });
      return { element, content: element, text: new InlineView(element, context) };
    }
    case 'code': {
      const { element, code } = createCodeBlock(block.language, context.strings);
      const text = new CodeView(code, context.lengthsOnly ? '' : block.language);
      return { element, content: code, text };
    }
    case 'math': {
      const text = new MathView(block.closer, context);
      return { element: text.element, content: text.element, text };
    }
    case 'table': {
      const { element, body, cells } = createTable(block, context, context.strings.table);
      return { element, content: body, texts: cells };
    }
    case 'row': {
      const element = createElement('tr');
      const text = new RowView(element, block.table.alignments, context, grantCells);
      return { element, content: element, text };
    }
    case 'plain': {
      const element = createElement('div', { part: 'plain', class: 'plain' });
      return { element, content: element, text: new CodeView(element) };
    }
    default:
      return undefined;
  }
}
