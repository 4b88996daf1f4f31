import { loadElement } from './load-element.ts';

const conversation = () => import('./message-list/conversation.ts');

/**
 * Elements that a first message can be written without. A template renders their tag at once, `need`
 * fetches the class, and the element wakes with the properties that it was given meanwhile. What
 * only entries of a conversation need stands in `entry-parts.ts`, and comes with the list of them.
 */
const parts: Record<`inlay-${string}`, () => Promise<CustomElementConstructor>> = {
  'inlay-allowance': async () => (await import('./allowance/allowance.ts')).InlayAllowance,
  'inlay-attachments': async () => (await import('./attachments/attachments.ts')).InlayAttachments,
  'inlay-consent': async () => (await import('./consent/consent.ts')).InlayConsent,
  'inlay-agent-message': async () => (await conversation()).InlayAgentMessage,
  'inlay-message-list': async () => (await conversation()).InlayMessageList,
  'inlay-user-message': async () => (await conversation()).InlayUserMessage,
  'inlay-menu': async () => (await import('./menu/menu.ts')).InlayMenu,
  'inlay-status': async () => (await import('./status/status.ts')).InlayStatus,
  'inlay-suggestions': async () => (await import('./suggestions/suggestions.ts')).InlaySuggestions,
  'inlay-thread-list': async () => (await import('./thread-list/thread-list.ts')).InlayThreadList,
  'inlay-markdown': async () => (await import('./markdown/markdown.ts')).InlayMarkdown,
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

/** Loads what draws a conversation: the messages first, so that the list finds them awake. */
export async function needList(): Promise<boolean> {
  await need('inlay-user-message');
  await need('inlay-agent-message');
  return need('inlay-message-list');
}
