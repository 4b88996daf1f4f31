import { InlayChat } from './chat/chat.ts';
import { InlayComposer } from './composer/composer.ts';
import { InlayLauncher } from './launcher/launcher.ts';
import { provideElements } from './lazy-elements.ts';
import { lazyTags } from './lazy-tags.ts';
import { register, type TagTable } from './register.ts';
import { InlayStatus } from './status/status.ts';
import { InlayWelcome } from './welcome/welcome.ts';

/** The elements that a chat needs at the start. */
export const chatTags = {
  'inlay-chat': InlayChat,
  'inlay-composer': InlayComposer,
  'inlay-status': InlayStatus,
  'inlay-welcome': InlayWelcome,
} as const satisfies TagTable;

/** Registers the chat without its launcher (`define-chat.ts`). */
export function defineChatOnly(): void {
  provideElements(lazyTags);
  register(chatTags);
}

/**
 * Registers the chat, its launcher and the elements that the chat needs at the start (`define.ts`). The
 * chat loads other elements on demand. A page that uses an element by itself calls `defineElements`
 * (`define-all.ts`).
 */
export function defineChat(registry?: CustomElementRegistry): void {
  provideElements(lazyTags);
  register({ ...chatTags, 'inlay-launcher': InlayLauncher }, registry);
}
