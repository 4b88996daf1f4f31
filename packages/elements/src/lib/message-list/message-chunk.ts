import { InlayAgentMessage } from '../agent-message/agent-message.ts';
import { InlayAnswerActions } from '../answer-actions/answer-actions.ts';
import { InlayMarkdown } from '../markdown/markdown.ts';
import type { TagTable } from '../register.ts';
import { InlayUserActions } from '../user-actions/user-actions.ts';
import { InlayUserMessage } from '../user-message/user-message.ts';
import { InlayMessageList } from './message-list.ts';

/**
 * The elements of the chunk that renders user messages and agent messages. Inner elements come first,
 * so that they are registered before the list renders.
 */
export const messageTags = {
  'inlay-markdown': InlayMarkdown,
  'inlay-answer-actions': InlayAnswerActions,
  'inlay-user-actions': InlayUserActions,
  'inlay-agent-message': InlayAgentMessage,
  'inlay-user-message': InlayUserMessage,
  'inlay-message-list': InlayMessageList,
} as const satisfies TagTable;
