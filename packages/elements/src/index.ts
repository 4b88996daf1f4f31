export * from './lib/agent-message/agent-message.ts';
export type { Announcement, Verbosity } from './lib/announcer/announcer.ts';
export { InlayAnswerActions } from './lib/answer-actions/answer-actions.ts';
export * from './lib/answer-actions/message-actions.ts';
export type { AttachmentPolicy } from './lib/attachments/attachment-policy.ts';
export { InlayAttachments } from './lib/attachments/attachments.ts';
export type { Attachment, Upload } from './lib/attachments/uploads.ts';
export { InlayCard } from './lib/card/card.ts';
export { InlayChart } from './lib/chart/chart.ts';
export * from './lib/chat/chat.ts';
export * from './lib/chat/chat-options.ts';
export type * from './lib/composer/commands.ts';
export * from './lib/composer/composer.ts';
export * from './lib/composer/composer-options.ts';
export { InlayConsent } from './lib/consent/consent.ts';
export type {
  ClientTool,
  ClientToolCall,
  ClientTools,
} from './lib/controllers/tools-controller.ts';
export {
  InlayConversationItem,
  InlayConversationList,
} from './lib/conversation-list/conversation-list.ts';
export type * from './lib/entry-ui-state.ts';
export * from './lib/events.ts';
export { InlayFeedback } from './lib/feedback/feedback.ts';
export { type FileBlock, InlayFile, type LoadFile } from './lib/file/file.ts';
export { defineChat, firstTags } from './lib/first-tags.ts';
export * from './lib/i18n/choose-language.ts';
export { type Language, languages } from './lib/i18n/languages.ts';
export * from './lib/i18n/strings.ts';
export * from './lib/launcher/launcher.ts';
export * from './lib/markdown/markdown.ts';
export { InlayMenu } from './lib/menu/menu.ts';
export { InlayMessageEditor } from './lib/message-editor/message-editor.ts';
export * from './lib/message-list/message-list.ts';
export * from './lib/message-list/message-list-options.ts';
export * from './lib/notice/notice.ts';
export { nearestName } from './lib/options/nearest-name.ts';
export { InlayQuota } from './lib/quota/quota.ts';
export * from './lib/status/status.ts';
export { InlaySuggestions } from './lib/suggestions/suggestions.ts';
export * from './lib/tags.ts';
export * from './lib/theme/tokens.ts';
export * from './lib/thinking/thinking.ts';
export { InlayToolCall } from './lib/tool-call/tool-call.ts';
export { InlayUserActions } from './lib/user-actions/user-actions.ts';
export * from './lib/user-message/user-message.ts';
export * from './lib/welcome/welcome.ts';
