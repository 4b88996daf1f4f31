import { InlayChat } from './chat/chat.ts';
import { InlayComposer } from './composer/composer.ts';
import { InlayLauncher } from './launcher/launcher.ts';

/** Tags that a first message is written with. What else a chat needs, it loads by itself (`on-demand.ts`). */
export const firstTags = {
  'inlay-chat': InlayChat,
  'inlay-launcher': InlayLauncher,
  'inlay-composer': InlayComposer,
} as const satisfies TagTable;

export type TagTable = Record<`inlay-${string}`, CustomElementConstructor>;

/**
 * Registers the chat, its launcher and what a first message is written with. The chat fetches its other
 * parts when they are wanted, so that a bundler keeps them in files of their own (`define.ts`). For a
 * page that uses a part by itself, `defineElements` registers every tag (`define-all.ts`).
 */
export function defineChat(registry?: CustomElementRegistry): void {
  register(firstTags, registry);
}

/**
 * Registers the tags of a table that are not registered yet. A page that loads the elements twice
 * (two bundles, two versions) keeps the first; the second load does nothing.
 */
export function register(table: TagTable, registry: CustomElementRegistry = customElements): void {
  for (const [tag, element] of Object.entries(table)) {
    if (!registry.get(tag)) registry.define(tag, element);
  }
}
