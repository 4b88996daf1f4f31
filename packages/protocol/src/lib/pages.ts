import * as z from 'zod/mini';

/**
 * Creates the schema of a page of a list. `next_cursor` and `next_page` have the same opaque value,
 * which the client sends back as `page`; null on the last page. Some clients read `next_cursor`,
 * others `next_page`.
 *
 * @param item - Schema of one item.
 */
export function pageOf<Item extends z.core.$ZodType>(item: Item) {
  return z.looseObject({
    data: z.array(item),
    next_cursor: z.nullable(z.string()),
    next_page: z.nullable(z.string()),
  });
}

/** A page of a list (see `pageOf`). */
export interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
  next_page: string | null;
}
