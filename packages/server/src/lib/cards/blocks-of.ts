import { CardBlock, type ReadContent } from '@inlay/protocol';
import * as z from 'zod/mini';

/**
 * Returns the blocks of a stored card. Blocks whose types only newer versions have are left out.
 */
export function blocksOf({ blocks }: { readonly blocks: ReadContent }): CardBlock[] {
  return blocks.flatMap((block) => {
    const result = z.safeParse(CardBlock, block);
    return result.success ? [result.data] : [];
  });
}
