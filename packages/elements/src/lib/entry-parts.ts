import { loadElement } from './load-element.ts';

/** Elements that an entry of a conversation may need, fetched when the first one does. */
const parts: Record<`inlay-${string}`, () => Promise<CustomElementConstructor>> = {
  'inlay-answer-actions': async () =>
    (await import('./answer-actions/answer-actions.ts')).InlayAnswerActions,
  'inlay-card': async () => (await import('./card/card.ts')).InlayCard,
  'inlay-file': async () => (await import('./file/file.ts')).InlayFile,
  'inlay-markdown': async () => (await import('./markdown/markdown.ts')).InlayMarkdown,
  'inlay-message-editor': async () =>
    (await import('./message-editor/message-editor.ts')).InlayMessageEditor,
  'inlay-notice': async () => (await import('./notice/notice.ts')).InlayNotice,
  'inlay-thinking': async () => (await import('./thinking/thinking.ts')).InlayThinking,
  'inlay-tool-call': async () => (await import('./tool-call/tool-call.ts')).InlayToolCall,
  'inlay-user-actions': async () =>
    (await import('./user-actions/user-actions.ts')).InlayUserActions,
};

/** As `need` of `on-demand.ts`, for what is within an entry. */
export function needPart(tag: keyof typeof parts): Promise<boolean> {
  const fetchClass = parts[tag];
  return fetchClass ? loadElement(tag, fetchClass) : Promise.resolve(false);
}
