// What draws a conversation, for one file of the build: none of it is of use without the others.
export { InlayAgentMessage } from '../agent-message/agent-message.ts';
export { InlayUserMessage } from '../user-message/user-message.ts';
export { InlayMessageList } from './message-list.ts';
