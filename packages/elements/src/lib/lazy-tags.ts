import type { LazyTag, LoadElements } from './lazy-elements.ts';
import { installExtras } from './markdown/extras.ts';
import type * as messageChunk from './message-list/message-chunk.ts';

/**
 * The elements that render user messages and agent messages. Inner elements come first, so that they are
 * registered before the list renders.
 */
export const messageTags = (chunk: typeof messageChunk) => ({
  'inlay-markdown': chunk.InlayMarkdown,
  'inlay-answer-actions': chunk.InlayAnswerActions,
  'inlay-user-actions': chunk.InlayUserActions,
  'inlay-agent-message': chunk.InlayAgentMessage,
  'inlay-user-message': chunk.InlayUserMessage,
  'inlay-message-list': chunk.InlayMessageList,
});

/** Loads the message chunk, which provides several elements. */
const loadMessages = async () => messageTags(await import('./message-list/message-chunk.ts'));

/** Loads the conversation list with its items. */
const loadConversations = async () => {
  const { InlayConversationItem, InlayConversationList } = await import(
    './conversation-list/conversation-list.ts'
  );
  return {
    'inlay-conversation-item': InlayConversationItem,
    'inlay-conversation-list': InlayConversationList,
  };
};

/** Elements that a chat loads on demand, and the module that implements rare Markdown syntax. */
export const lazyTags: Partial<Record<LazyTag, LoadElements>> = {
  'inlay-message-list': loadMessages,
  'inlay-markdown': loadMessages,
  'inlay-conversation-item': loadConversations,
  'inlay-conversation-list': loadConversations,
  'inlay-attachments': async () => (await import('./attachments/attachments.ts')).InlayAttachments,
  'inlay-card': async () => (await import('./card/card.ts')).InlayCard,
  'inlay-chart': async () => (await import('./chart/chart.ts')).InlayChart,
  'inlay-consent': async () => (await import('./consent/consent.ts')).InlayConsent,
  'inlay-feedback': async () => (await import('./feedback/feedback.ts')).InlayFeedback,
  'inlay-file': async () => (await import('./file/file.ts')).InlayFile,
  'inlay-lightbox': async () => (await import('./lightbox/lightbox.ts')).InlayLightbox,
  'inlay-menu': async () => (await import('./menu/menu.ts')).InlayMenu,
  'inlay-message-editor': async () =>
    (await import('./message-editor/message-editor.ts')).InlayMessageEditor,
  'inlay-notice': async () => (await import('./notice/notice.ts')).InlayNotice,
  'inlay-quota': async () => (await import('./quota/quota.ts')).InlayQuota,
  'inlay-suggestions': async () => (await import('./suggestions/suggestions.ts')).InlaySuggestions,
  'inlay-thinking': async () => (await import('./thinking/thinking.ts')).InlayThinking,
  'inlay-tool-call': async () => (await import('./tool-call/tool-call.ts')).InlayToolCall,
  'inlay-user-text': async () => (await import('./user-message/user-text.ts')).InlayUserText,
  'markdown-extras': async () => {
    installExtras(await import('./markdown/markdown-extras.ts'));
    return {};
  },
};
