import { InlayChat } from './chat/chat.ts';
import { InlayComposer } from './composer/composer.ts';
import type { TagTable } from './register.ts';
import { InlayStatus } from './status/status.ts';
import { InlayWelcome } from './welcome/welcome.ts';

/** The tags that a chat starts with. It loads the others itself (`lazy-elements.ts`). */
export const chatTags = {
  'inlay-chat': InlayChat,
  'inlay-composer': InlayComposer,
  'inlay-status': InlayStatus,
  'inlay-welcome': InlayWelcome,
} as const satisfies TagTable;
