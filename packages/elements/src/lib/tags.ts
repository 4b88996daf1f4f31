import { InlayAgentMessage } from './agent-message/agent-message.ts';
import { InlayAnswerActions } from './answer-actions/answer-actions.ts';
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
import { firstTags } from './first-tags.ts';
import { installExtras } from './markdown/extras.ts';
import { InlayMarkdown } from './markdown/markdown.ts';
import * as markdownExtras from './markdown/markdown-extras.ts';
import { InlayMenu } from './menu/menu.ts';
import { InlayMessageEditor } from './message-editor/message-editor.ts';
import { InlayMessageList } from './message-list/message-list.ts';
import { InlayNotice } from './notice/notice.ts';
import { InlayQuota } from './quota/quota.ts';
import { register, type TagTable } from './register.ts';
import { InlaySuggestions } from './suggestions/suggestions.ts';
import { InlayThinking } from './thinking/thinking.ts';
import { InlayToolCall } from './tool-call/tool-call.ts';
import { InlayUserActions } from './user-actions/user-actions.ts';
import { InlayUserMessage } from './user-message/user-message.ts';

/** Every tag of this package and its class. */
export const tags = {
  ...firstTags,
  'inlay-message-list': InlayMessageList,
  'inlay-user-message': InlayUserMessage,
  'inlay-agent-message': InlayAgentMessage,
  'inlay-quota': InlayQuota,
  'inlay-attachments': InlayAttachments,
  'inlay-answer-actions': InlayAnswerActions,
  'inlay-card': InlayCard,
  'inlay-notice': InlayNotice,
  'inlay-thinking': InlayThinking,
  'inlay-tool-call': InlayToolCall,
  'inlay-user-actions': InlayUserActions,
  'inlay-chart': InlayChart,
  'inlay-consent': InlayConsent,
  'inlay-feedback': InlayFeedback,
  'inlay-file': InlayFile,
  'inlay-markdown': InlayMarkdown,
  'inlay-menu': InlayMenu,
  'inlay-message-editor': InlayMessageEditor,
  'inlay-suggestions': InlaySuggestions,
  'inlay-conversation-item': InlayConversationItem,
  'inlay-conversation-list': InlayConversationList,
} as const satisfies TagTable;

/** Registers every tag that is not registered yet, so that a page can use each by itself. */
export function defineElements(registry?: CustomElementRegistry): void {
  installExtras(markdownExtras);
  register(tags, registry);
}
