import { CardBlock, type ReadContent } from '@inlay/protocol';
import * as z from 'zod/mini';

/** The blocks of a stored card. Block types of newer versions are ignored. */
export function blocksOf({ blocks }: { readonly blocks: ReadContent }): CardBlock[] {
  return blocks.flatMap((block) => {
    const result = z.safeParse(CardBlock, block);
    return result.success ? [result.data] : [];
  });
}
