import { InlayChat } from './chat/chat.ts';
import { InlayComposer } from './composer/composer.ts';
import type { TagTable } from './register.ts';
import { InlayStatus } from './status/status.ts';
import { InlayWelcome } from './welcome/welcome.ts';

/** The elements that a chat needs at the start. It loads other elements on demand (`lazy-elements.ts`). */
export const chatTags = {
  'inlay-chat': InlayChat,
  'inlay-composer': InlayComposer,
  'inlay-status': InlayStatus,
  'inlay-welcome': InlayWelcome,
} as const satisfies TagTable;
