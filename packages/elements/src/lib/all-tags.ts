import { InlayAttachments } from './attachments/attachments.ts';
import { InlayCard } from './card/card.ts';
import { InlayChart } from './chart/chart.ts';
import { InlayConsent } from './consent/consent.ts';
import {
  InlayConversationItem,
  InlayConversationList,
} from './conversation-list/conversation-list.ts';
import { InlayFeedback } from './feedback/feedback.ts';
import { InlayFile } from './file/file.ts';
import { InlayLauncher } from './launcher/launcher.ts';
import { messageTags } from './lazy-tags.ts';
import { InlayLightbox } from './lightbox/lightbox.ts';
import { installExtras } from './markdown/extras.ts';
import * as markdownExtras from './markdown/markdown-extras.ts';
import { InlayMenu } from './menu/menu.ts';
import { InlayMessageEditor } from './message-editor/message-editor.ts';
import * as messageChunk from './message-list/message-chunk.ts';
import { InlayNotice } from './notice/notice.ts';
import { InlayQuota } from './quota/quota.ts';
import { register, type TagTable } from './register.ts';
import { InlaySuggestions } from './suggestions/suggestions.ts';
import { chatTags } from './tags.ts';
import { InlayThinking } from './thinking/thinking.ts';
import { InlayToolCall } from './tool-call/tool-call.ts';
import { InlayUserText } from './user-message/user-text.ts';
import { InlayVisitorClaim } from './visitor-claim/visitor-claim.ts';

/**
 * Every tag of this package and its class. Not part of `tags.ts`, because a module that is imported
 * statically as well is not loaded on demand.
 */
export const allTags = {
  ...chatTags,
  'inlay-launcher': InlayLauncher,
  ...messageTags(messageChunk),
  'inlay-attachments': InlayAttachments,
  'inlay-card': InlayCard,
  'inlay-chart': InlayChart,
  'inlay-consent': InlayConsent,
  'inlay-conversation-item': InlayConversationItem,
  'inlay-conversation-list': InlayConversationList,
  'inlay-feedback': InlayFeedback,
  'inlay-file': InlayFile,
  'inlay-lightbox': InlayLightbox,
  'inlay-menu': InlayMenu,
  'inlay-message-editor': InlayMessageEditor,
  'inlay-notice': InlayNotice,
  'inlay-quota': InlayQuota,
  'inlay-suggestions': InlaySuggestions,
  'inlay-thinking': InlayThinking,
  'inlay-tool-call': InlayToolCall,
  'inlay-user-text': InlayUserText,
  'inlay-visitor-claim': InlayVisitorClaim,
} as const satisfies TagTable;

/** Registers every tag that is not registered yet, so that a page can use each by itself. */
export function defineElements(registry?: CustomElementRegistry): void {
  installExtras(markdownExtras);
  register(allTags, registry);
}
