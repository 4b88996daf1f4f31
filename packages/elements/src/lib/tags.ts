import { InlayAgentMessage } from './agent-message/agent-message.ts';
import { InlayChat } from './chat/chat.ts';
import { InlayComposer } from './composer/composer.ts';
import { InlayLauncher } from './launcher/launcher.ts';
import { InlayMarkdown } from './markdown/markdown.ts';
import { InlayMessageList } from './message-list/message-list.ts';
import { InlayNotice } from './notice/notice.ts';
import { InlayStatus } from './status/status.ts';
import { InlayThinking } from './thinking/thinking.ts';
import { InlayToolCall } from './tool-call/tool-call.ts';
import { InlayUserMessage } from './user-message/user-message.ts';
import { InlayWelcome } from './welcome/welcome.ts';

/** Every tag of this package and its class. `define.ts` registers exactly this table. */
export const tags = {
  'inlay-chat': InlayChat,
  'inlay-launcher': InlayLauncher,
  'inlay-composer': InlayComposer,
  'inlay-message-list': InlayMessageList,
  'inlay-user-message': InlayUserMessage,
  'inlay-agent-message': InlayAgentMessage,
  'inlay-markdown': InlayMarkdown,
  'inlay-thinking': InlayThinking,
  'inlay-tool-call': InlayToolCall,
  'inlay-notice': InlayNotice,
  'inlay-status': InlayStatus,
  'inlay-welcome': InlayWelcome,
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
