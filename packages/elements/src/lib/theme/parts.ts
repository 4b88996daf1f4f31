/**
 * Values of `exportparts`, by which a page can style parts of nested elements. The outer name of a
 * part is `element__part`; the outermost box of an element is its part `base`. A page can style
 * everything else only by custom properties.
 */

/** Exports parts of an element as `element__part`. */
const exportedParts = (element: string, parts: string) =>
  parts
    .split(' ')
    .map((part) => `${part}: ${element}__${part}`)
    .join(', ');

/** The same parts for the next element outwards, where they already have their outer names. */
const forwardedParts = (list: string) => list.replace(/[\w-]+: /g, '');

export const markdownParts = exportedParts('markdown', 'code inline-code link table image sources');
export const answerActionsParts = `${exportedParts('answer-actions', 'base action quote')}, feedback__base`;
export const userActionsParts = exportedParts('user-actions', 'base action versions');
export const agentMessageParts = `content: agent-message__content, ${forwardedParts(`${markdownParts}, ${answerActionsParts}`)}`;
export const userMessageParts = `${exportedParts('user-message', 'bubble files delivery')}, ${forwardedParts(userActionsParts)}`;
export const messageListParts = `${exportedParts(
  'message-list',
  'scroller jump date-separator unread-separator shortcuts-hint',
)}, ${forwardedParts(`${userMessageParts}, ${agentMessageParts}`)}, thinking__summary, tool-call__base, card__base, notice__base`;
export const composerParts = `${exportedParts('composer', 'base field attach dictate mode send stop disclaimer')}, attachments__attachment`;
export const welcomeParts = exportedParts('welcome', 'greeting suggestion');

/** All parts of `inlay-chat` and of the elements inside it, as the launcher exports them. */
export const chatParts = `${exportedParts('chat', 'base title-bar input-area conversations')}, ${forwardedParts(
  `${welcomeParts}, ${messageListParts}, ${composerParts}`,
)}, conversation-list__search, conversation-item__base, menu__base, status__base, consent__base, quota__base, suggestions__suggestion`;

/** Slots of `inlay-chat` that `inlay-launcher` has, too. */
export const launcherSlots = ['avatar', 'header', 'actions', 'empty', 'footer'] as const;
