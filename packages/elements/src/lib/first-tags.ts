import { InlayChat } from './chat/chat.ts';
import { InlayComposer } from './composer/composer.ts';
import { InlayLauncher } from './launcher/launcher.ts';
import { register, type TagTable } from './register.ts';
import { InlayStatus } from './status/status.ts';
import { InlayWelcome } from './welcome/welcome.ts';

/** The tags that a chat starts with. It loads the others itself (`lazy-elements.ts`). */
export const firstTags = {
  'inlay-chat': InlayChat,
  'inlay-launcher': InlayLauncher,
  'inlay-composer': InlayComposer,
  'inlay-status': InlayStatus,
  'inlay-welcome': InlayWelcome,
} as const satisfies TagTable;

/**
 * Registers the chat, its launcher and the elements that it starts with (`define.ts`). The chat loads
 * the others on demand. A page that uses an element by itself calls `defineElements` (`define-all.ts`).
 */
export function defineChat(registry?: CustomElementRegistry): void {
  register(firstTags, registry);
}
