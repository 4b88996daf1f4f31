/**
 * Which parts of the elements inside a page can style from outside, level by level: what stands in
 * `exportparts`. A part of an element inside is named `element__part`, and the box of an element is its
 * `base`. What is not named here is styled by the tokens alone.
 */

/** Names the parts of an element for those outside it. */
const exported = (element: string, parts: string) =>
  parts
    .split(' ')
    .map((part) => `${part}: ${element}__${part}`)
    .join(', ');

/** The same parts, one level further out: they keep their names. */
const passedOn = (list: string) => list.replace(/[\w-]+: /g, '');

export const markdownParts = exported('markdown', 'code inline-code link table image sources');
export const answerActionsParts = `${exported('answer-actions', 'base action quote')}, feedback__base`;
export const userActionsParts = exported('user-actions', 'base action versions');
export const agentMessageParts = `content: agent-message__content, ${passedOn(`${markdownParts}, ${answerActionsParts}`)}`;
export const userMessageParts = `${exported('user-message', 'bubble files delivery')}, ${passedOn(userActionsParts)}`;
export const messageListParts = `${exported(
  'message-list',
  'scroller jump date-separator unread-separator shortcuts-hint',
)}, ${passedOn(`${userMessageParts}, ${agentMessageParts}`)}, thinking__summary, tool-call__base, card__base, notice__base`;
export const composerParts = `${exported('composer', 'base field attach dictate mode send stop disclaimer')}, attachments__attachment`;
export const welcomeParts = exported('welcome', 'greeting suggestion');

/** Every part of `inlay-chat`, its own and those of the elements inside, for what is around it. */
export const chatParts = `${exported('chat', 'base title-bar input-area threads')}, ${passedOn(
  `${welcomeParts}, ${messageListParts}, ${composerParts}`,
)}, thread-list__search, thread__base, menu__base, status__base, consent__base, allowance__base, suggestions__suggestion`;

/** Slots of `inlay-chat`, which a page fills in `inlay-launcher` as well. */
export const launcherSlots = ['avatar', 'header', 'actions', 'empty', 'footer'] as const;
