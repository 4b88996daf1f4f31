import { firstTags, register, type TagTable } from './first-tags.ts';
import { InlayMarkdown } from './markdown/markdown.ts';

/** Every tag of this package and its class. `define.ts` registers exactly this table. */
export const tags = {
  ...firstTags,
  'inlay-markdown': InlayMarkdown,
} as const satisfies TagTable;

/** Registers every tag that is not registered yet, so that a page can use each by itself. */
export function defineElements(registry?: CustomElementRegistry): void {
  register(tags, registry);
}
