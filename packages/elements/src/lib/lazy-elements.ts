import { extras, installExtras } from './markdown/extras.ts';
import { isForeign, register, type TagTable } from './register.ts';
import { retryImport } from './retry-import.ts';

const loadMessageChunk = async () => (await import('./message-list/message-chunk.ts')).messageTags;

/**
 * Lazy-loaded elements of a chat, with the import of their chunks. A template renders the tag without
 * waiting for its chunk. When the chunk has loaded, the element is upgraded, with the properties set so far.
 */
const lazyElements = {
  'inlay-message-list': loadMessageChunk,
  'inlay-markdown': loadMessageChunk,
  'inlay-quota': async () => ({
    'inlay-quota': (await import('./quota/quota.ts')).InlayQuota,
  }),
  'inlay-attachments': async () => ({
    'inlay-attachments': (await import('./attachments/attachments.ts')).InlayAttachments,
  }),
  'inlay-card': async () => ({ 'inlay-card': (await import('./card/card.ts')).InlayCard }),
  'inlay-chart': async () => ({ 'inlay-chart': (await import('./chart/chart.ts')).InlayChart }),
  'inlay-consent': async () => ({
    'inlay-consent': (await import('./consent/consent.ts')).InlayConsent,
  }),
  'inlay-feedback': async () => ({
    'inlay-feedback': (await import('./feedback/feedback.ts')).InlayFeedback,
  }),
  'inlay-file': async () => ({ 'inlay-file': (await import('./file/file.ts')).InlayFile }),
  'inlay-menu': async () => ({ 'inlay-menu': (await import('./menu/menu.ts')).InlayMenu }),
  'inlay-message-editor': async () => ({
    'inlay-message-editor': (await import('./message-editor/message-editor.ts')).InlayMessageEditor,
  }),
  'inlay-notice': async () => ({
    'inlay-notice': (await import('./notice/notice.ts')).InlayNotice,
  }),
  'inlay-suggestions': async () => ({
    'inlay-suggestions': (await import('./suggestions/suggestions.ts')).InlaySuggestions,
  }),
  'inlay-thinking': async () => ({
    'inlay-thinking': (await import('./thinking/thinking.ts')).InlayThinking,
  }),
  'inlay-conversation-item': async () => ({
    'inlay-conversation-item': (await import('./conversation-list/conversation-list.ts'))
      .InlayConversationItem,
  }),
  'inlay-conversation-list': async () => ({
    'inlay-conversation-list': (await import('./conversation-list/conversation-list.ts'))
      .InlayConversationList,
  }),
  'inlay-tool-call': async () => ({
    'inlay-tool-call': (await import('./tool-call/tool-call.ts')).InlayToolCall,
  }),
  // Not an element: a module that provides its code to the Markdown elements.
  'markdown-extras': async () => {
    installExtras(await import('./markdown/markdown-extras.ts'));
    return {};
  },
} satisfies Record<string, () => Promise<TagTable>>;

export type LazyTag = keyof typeof lazyElements;

const pendingLoads = new Map<LazyTag, Promise<boolean>>();
const failedTags = new Set<LazyTag>();
const listeners = new Set<() => void>();

/** Whether an element is registered, or the module `markdown-extras` installed. */
export function isRegistered(tag: LazyTag): boolean {
  if (tag === 'markdown-extras') return extras() !== undefined;
  return customElements.get(tag) !== undefined && !isForeign(tag);
}

/**
 * Loads an element for a template. Does nothing if loading it has failed before: templates call this for
 * each render, and the user decides when to retry (`retryFailedElements`).
 */
export function requestElement(tag: LazyTag): void {
  void waitForElement(tag);
}

/** Like `requestElement`. Resolves to whether the element is registered. */
export function waitForElement(tag: LazyTag): Promise<boolean> {
  return failedTags.has(tag) ? Promise.resolve(false) : loadElement(tag);
}

/** Loads and registers an element, also after a failure. Resolves to whether it is registered. */
export function loadElement(tag: LazyTag): Promise<boolean> {
  if (isRegistered(tag)) return Promise.resolve(true);
  const current = pendingLoads.get(tag) ?? load(tag);
  pendingLoads.set(tag, current);
  return current;
}

async function load(tag: LazyTag): Promise<boolean> {
  try {
    register(await retryImport<TagTable>(lazyElements[tag]));
  } catch {
    // The module could not be loaded: `someElementFailed` reports it.
  }
  if (isRegistered(tag)) failedTags.delete(tag);
  else failedTags.add(tag);
  pendingLoads.delete(tag);
  for (const notify of listeners) notify();
  return isRegistered(tag);
}

/** Whether the chunk of any element could not be loaded. */
export function someElementFailed(): boolean {
  return failedTags.size > 0;
}

/** Retries all chunks that could not be loaded. */
export function retryFailedElements(): void {
  for (const tag of failedTags) void loadElement(tag);
}

/** Calls a listener whenever an element was loaded or failed to load. Returns the unsubscribe function. */
export function onElementLoad(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
