import { chatTags } from './chat-tags.ts';
import { InlayLauncher } from './launcher/launcher.ts';
import { register, type TagTable } from './register.ts';

/** The elements that a chat and its launcher need at the start. */
export const firstTags = {
  ...chatTags,
  'inlay-launcher': InlayLauncher,
} as const satisfies TagTable;

/**
 * Registers the chat, its launcher and the elements that the chat needs at the start (`define.ts`). The
 * chat loads other elements on demand. A page that uses an element by itself calls `defineElements`
 * (`define-all.ts`).
 */
export function defineChat(registry?: CustomElementRegistry): void {
  register(firstTags, registry);
}
