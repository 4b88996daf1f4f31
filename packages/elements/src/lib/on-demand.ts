import { loadElement } from './load-element.ts';

/**
 * Elements that a conversation can begin without. A template renders their tag at once, `need`
 * fetches the class, and the element wakes with the properties that it was given meanwhile.
 */
const parts: Record<`inlay-${string}`, () => Promise<CustomElementConstructor>> = {
  'inlay-allowance': async () => (await import('./allowance/allowance.ts')).InlayAllowance,
  'inlay-attachments': async () => (await import('./attachments/attachments.ts')).InlayAttachments,
  'inlay-answer-actions': async () =>
    (await import('./answer-actions/answer-actions.ts')).InlayAnswerActions,
  'inlay-card': async () => (await import('./card/card.ts')).InlayCard,
  'inlay-chart': async () => (await import('./chart/chart.ts')).InlayChart,
  'inlay-consent': async () => (await import('./consent/consent.ts')).InlayConsent,
  'inlay-feedback': async () => (await import('./feedback/feedback.ts')).InlayFeedback,
  'inlay-file': async () => (await import('./file/file.ts')).InlayFile,
  'inlay-message-editor': async () =>
    (await import('./message-editor/message-editor.ts')).InlayMessageEditor,
  'inlay-menu': async () => (await import('./menu/menu.ts')).InlayMenu,
  'inlay-notice': async () => (await import('./notice/notice.ts')).InlayNotice,
  'inlay-thinking': async () => (await import('./thinking/thinking.ts')).InlayThinking,
  'inlay-status': async () => (await import('./status/status.ts')).InlayStatus,
  'inlay-suggestions': async () => (await import('./suggestions/suggestions.ts')).InlaySuggestions,
  'inlay-thread': async () => (await import('./thread-list/thread-list.ts')).InlayThread,
  'inlay-thread-list': async () => (await import('./thread-list/thread-list.ts')).InlayThreadList,
  'inlay-tool-call': async () => (await import('./tool-call/tool-call.ts')).InlayToolCall,
  'inlay-markdown': async () => (await import('./markdown/markdown.ts')).InlayMarkdown,
  'inlay-user-actions': async () =>
    (await import('./user-actions/user-actions.ts')).InlayUserActions,
};

/**
 * Loads an element that is wanted now. Resolves with whether it is there: where its file can't be
 * fetched, the chat goes on without it, and the next call tries again. An element of the table that
 * wants another one calls `loadElement` itself, so that it does not import its own table.
 */
export function need(tag: keyof typeof parts): Promise<boolean> {
  const fetchClass = parts[tag];
  return fetchClass ? loadElement(tag, fetchClass) : Promise.resolve(false);
}

/** Whether an element of this tag wakes at once. Until then a template shows something in its place. */
export function isRegistered(tag: keyof typeof parts): boolean {
  return customElements.get(tag) !== undefined;
}
