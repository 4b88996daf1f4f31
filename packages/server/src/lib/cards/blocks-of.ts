import { CardBlock, type ReadContent } from '@inlay/protocol';
import * as z from 'zod/mini';

/** The blocks of a card in a log. One of a type of a newer version is passed over. */
export function blocksOf({ blocks }: { readonly blocks: ReadContent }): CardBlock[] {
  return blocks.flatMap((block) => {
    const result = z.safeParse(CardBlock, block);
    return result.success ? [result.data] : [];
  });
}
