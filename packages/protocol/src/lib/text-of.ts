import type { ReadContent, TextBlock } from './content.ts';

/**
 * Extracts the text of a message.
 *
 * @returns All text blocks, joined by blank lines. Blocks of other types are ignored.
 */
export function textOf(content: ReadContent): string {
  return content
    .filter((block): block is TextBlock => block.type === 'text' && typeof block.text === 'string')
    .map((block) => block.text)
    .join('\n\n');
}
