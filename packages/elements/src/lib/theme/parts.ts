/**
 * Which parts of the elements inside a page can style from outside, level by level: what stands in
 * `exportparts`. What is not named here is styled by the tokens alone.
 */

export const markdownParts = 'code, inline-code, link, table, image, sources';
export const answerParts = `actions, action, feedback, quote, ${markdownParts}`;
export const userParts = 'bubble, files, delivery, actions, action, versions';

export const listParts = `scroller, jump, day, new, keys, ${userParts}, answer, feedback, quote, ${markdownParts}, thinking, tool, card, notice`;
export const composerParts =
  'form, field, attach, attachment, dictate, mode, send, stop, disclaimer';

/** Every part of `inlay-chat`: its own, and those of the elements inside. */
export const chatParts = `root, header, foot, threads, thread, search, menu, greeting, starter, banner, suggestion, meter, consent, ${listParts}, ${composerParts}`;

/** Slots of `inlay-chat`, which a page fills in `inlay-launcher` as well. */
export const launcherSlots = ['avatar', 'header', 'actions', 'empty', 'footer'] as const;
