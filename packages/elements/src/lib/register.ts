import { guardDom } from './dom-guard.ts';

export type TagTable = Record<`inlay-${string}`, CustomElementConstructor>;

/**
 * Registers the tags of a table that are not registered yet. A page that loads the elements twice
 * (two bundles, two versions) keeps the first; the second load does nothing.
 */
export function register(table: TagTable, registry: CustomElementRegistry = customElements): void {
  for (const [tag, element] of Object.entries(table)) {
    if (registry.get(tag)) continue;
    guardDom(element);
    registry.define(tag, element);
  }
}
