import { CardBlock, type ReadContent } from '@inlay/protocol';
import * as z from 'zod/mini';

/** Returns the blocks of a stored card, without blocks of types that only newer versions know. */
export function blocksOf({ blocks }: { readonly blocks: ReadContent }): CardBlock[] {
  return blocks.flatMap((block) => {
    const result = z.safeParse(CardBlock, block);
    return result.success ? [result.data] : [];
  });
}
