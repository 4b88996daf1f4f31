import { InlayMarkdown } from './markdown/markdown.ts';

/** Every tag of this package and its class. `define.ts` registers exactly this table. */
export const tags = {
  'inlay-markdown': InlayMarkdown,
} as const satisfies Record<`inlay-${string}`, CustomElementConstructor>;

/**
 * Registers every tag that is not registered yet. A page that loads the elements twice (two
 * bundles, two versions) keeps the first; the second load does nothing.
 */
export function defineElements(registry: CustomElementRegistry = customElements): void {
  for (const [tag, element] of Object.entries(tags)) {
    if (!registry.get(tag)) registry.define(tag, element);
  }
}
