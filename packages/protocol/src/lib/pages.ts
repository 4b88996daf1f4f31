import * as z from 'zod/mini';

/**
 * A page of a list. Both cursors hold the same opaque value, passed back unchanged as `page`;
 * null means that nothing follows. Two names, because clients of two conventions read them.
 */
export function pageOf<Item extends z.core.$ZodType>(item: Item) {
  return z.looseObject({
    data: z.array(item),
    next_cursor: z.nullable(z.string()),
    next_page: z.nullable(z.string()),
  });
}

/** A page of a list, as `pageOf` describes it. */
export interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
  next_page: string | null;
}
