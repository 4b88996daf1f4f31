/**
 * Public interface. `<inlay-chat>` and `<inlay-launcher>` are for host pages, and `<inlay-markdown>`
 * can be used alone. All other elements are internal: their tags, parts and events can change.
 */
export type { Verbosity } from './lib/announcer/announcer.ts';
export type { MessageAction } from './lib/answer-actions/message-actions.ts';
export { InlayChat } from './lib/chat/chat.ts';
export { ChatOptions } from './lib/chat/chat-options.ts';
export type { Command, FindMentions, MentionOption } from './lib/composer/commands.ts';
export type {
  ClientTool,
  ClientToolCall,
  ClientTools,
} from './lib/controllers/tools-controller.ts';
export type {
  CardReply,
  Decision,
  FeedbackReason,
  InlayEventDetails,
  InlayEventMap,
  Rating,
} from './lib/events.ts';
export { defineChat } from './lib/first-tags.ts';
export { chooseLanguage, type LanguageChoice, textDirection } from './lib/i18n/choose-language.ts';
export { type Language, languages } from './lib/i18n/languages.ts';
export { english, type Plural, type StringOverrides, type Strings } from './lib/i18n/strings.ts';
export { InlayLauncher } from './lib/launcher/launcher.ts';
export type { Place, Placement } from './lib/launcher/place.ts';
export { InlayMarkdown } from './lib/markdown/markdown.ts';
export type { FollowMode } from './lib/message-list/follow-controller.ts';
export { allowOrigins } from './lib/options/allowed-origins.ts';
export { nearestName } from './lib/options/nearest-name.ts';
export { defineElements } from './lib/tags.ts';
export type { TokenName } from './lib/theme/tokens.ts';
