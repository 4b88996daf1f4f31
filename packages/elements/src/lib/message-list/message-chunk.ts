/** The chunk that renders user messages and agent messages. */
export { InlayAgentMessage } from '../agent-message/agent-message.ts';
export { InlayAnswerActions } from '../answer-actions/answer-actions.ts';
export { InlayMarkdown } from '../markdown/markdown.ts';
export { InlayUserActions } from '../user-actions/user-actions.ts';
export { InlayUserMessage } from '../user-message/user-message.ts';
export { InlayMessageList } from './message-list.ts';
