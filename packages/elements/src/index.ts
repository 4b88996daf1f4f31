export * from './lib/agent-message/agent-message.ts';
export * from './lib/agent-message/message-actions.ts';
export { InlayCard } from './lib/card/card.ts';
export { InlayChart } from './lib/chart/chart.ts';
export * from './lib/chat/chat.ts';
export * from './lib/chat/chat-options.ts';
export * from './lib/composer/composer.ts';
export type {
  ClientTool,
  ClientToolCall,
  ClientTools,
} from './lib/controllers/tools-controller.ts';
export type * from './lib/entry-memory.ts';
export * from './lib/events.ts';
export { InlayFeedback } from './lib/feedback/feedback.ts';
export { type FileBlock, InlayFile, type LoadFile } from './lib/file/file.ts';
export { defineChat, firstTags } from './lib/first-tags.ts';
export * from './lib/i18n/strings.ts';
export * from './lib/launcher/launcher.ts';
export * from './lib/markdown/markdown.ts';
export { InlayMessageEditor } from './lib/message-editor/message-editor.ts';
export * from './lib/message-list/message-list.ts';
export * from './lib/notice/notice.ts';
export * from './lib/status/status.ts';
export * from './lib/tags.ts';
export * from './lib/theme/tokens.ts';
export * from './lib/thinking/thinking.ts';
export { InlayToolCall } from './lib/tool-call/tool-call.ts';
export * from './lib/user-message/user-message.ts';
export * from './lib/welcome/welcome.ts';
