import type { ReadContent } from '@inlay/protocol';

/** The text of all text blocks, joined by blank lines. Other blocks are passed over. */
export function textOf(content: ReadContent): string {
  return content
    .filter((block) => block.type === 'text' && typeof block.text === 'string')
    .map((block) => block.text)
    .join('\n\n');
}
