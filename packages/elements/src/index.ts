/**
 * Public interface. `<inlay-chat>` and `<inlay-launcher>` are for host pages, and `<inlay-markdown>`
 * can be used alone. All other elements are internal: their tags, parts and events can change.
 */

export { nearestName } from '@inlay/protocol/nearest-name';
export { defineElements } from './lib/all-tags.ts';
export type { Verbosity } from './lib/announcer/announcer.ts';
export type { MessageAction } from './lib/answer-actions/message-actions.ts';
export type { CardRenderer, CardRendererContext, CardRenderers } from './lib/card/custom-blocks.ts';
export { InlayChat } from './lib/chat/chat.ts';
export { ChatOptions } from './lib/chat/chat-options.ts';
export type {
  ClientTool,
  ClientToolCall,
  ClientTools,
} from './lib/chat/tools-controller.ts';
export type { Command, FindMentions, MentionOption } from './lib/composer/commands.ts';
export type {
  CardReply,
  Decision,
  FeedbackReason,
  InlayEventDetails,
  InlayEventMap,
  Rating,
} from './lib/events.ts';
export { english, type StringOverrides, type Strings } from './lib/i18n/all-strings.ts';
export { chooseLanguage, type LanguageChoice, textDirection } from './lib/i18n/choose-language.ts';
export { type Language, languages } from './lib/i18n/languages.ts';
export type { Plural } from './lib/i18n/plural.ts';
export { InlayLauncher } from './lib/launcher/launcher.ts';
export type { Place, Placement } from './lib/launcher/place.ts';
export { InlayMarkdown } from './lib/markdown/markdown.ts';
export type { FollowMode } from './lib/message-list/follow-controller.ts';
export { allowOrigins } from './lib/options/allowed-origins.ts';
export { defineChat } from './lib/tags.ts';
export type { TokenName } from './lib/theme/tokens.ts';
