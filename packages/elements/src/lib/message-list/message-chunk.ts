import { InlayAgentMessage } from '../agent-message/agent-message.ts';
import { InlayAnswerActions } from '../answer-actions/answer-actions.ts';
import { InlayMarkdown } from '../markdown/markdown.ts';
import type { TagTable } from '../register.ts';
import { InlayUserActions } from '../user-actions/user-actions.ts';
import { InlayUserMessage } from '../user-message/user-message.ts';
import { InlayMessageList } from './message-list.ts';

/**
 * The message list and Markdown, as one chunk: everything that a plain answer is drawn with. Inner
 * elements come first, so that the list finds them registered.
 */
export const messageTags = {
  'inlay-markdown': InlayMarkdown,
  'inlay-answer-actions': InlayAnswerActions,
  'inlay-user-actions': InlayUserActions,
  'inlay-agent-message': InlayAgentMessage,
  'inlay-user-message': InlayUserMessage,
  'inlay-message-list': InlayMessageList,
} as const satisfies TagTable;
