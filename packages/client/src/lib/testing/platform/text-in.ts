import { type ReadContent, textOf } from '@inlay/protocol';

/** The text of a message in a log. */
export function textIn({ content }: { readonly [field: string]: unknown }): string {
  return Array.isArray(content) ? textOf(content as ReadContent) : '';
}
