/** Where the focus goes among the messages, or `composer` to go back to writing. */
export type Step = 'previous' | 'next' | 'first' | 'last';

/**
 * As `aria-keyshortcuts` names them. Alt with the arrows is taken: JAWS and NVDA read sentences
 * by it, ChromeOS scrolls, macOS moves by paragraphs. The page keys alone scroll.
 */
export const keysToMove = 'Alt+PageUp Alt+PageDown';

/** What a key asks for; null where it is not for us. */
export function stepOf(event: KeyboardEvent): Step | 'composer' | null {
  const { key, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented } = event;
  if (ctrlKey || metaKey || shiftKey || defaultPrevented) return null;
  if (altKey) return key === 'PageUp' ? 'previous' : key === 'PageDown' ? 'next' : null;
  if (key === 'Escape') return 'composer';
  // In a field, or in something that scrolls, these have a meaning of their own.
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement && target.matches('.row'))) return null;
  return key === 'Home' ? 'first' : key === 'End' ? 'last' : null;
}
