/** Target of a focus move among the messages. */
export type Step = 'previous' | 'next' | 'first' | 'last';

/**
 * Value of `aria-keyshortcuts`. Alt with the arrow keys is not available: JAWS and NVDA read
 * sentences with it, ChromeOS scrolls, macOS moves by paragraphs. Page Up and Page Down alone scroll.
 */
export const keysToMove = 'Alt+PageUp Alt+PageDown';

/** Returns the focus move for a key, `composer` to return to the composer, or null for other keys. */
export function stepOf(event: KeyboardEvent): Step | 'composer' | null {
  const { key, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented } = event;
  if (ctrlKey || metaKey || shiftKey || defaultPrevented) return null;
  if (altKey) return key === 'PageUp' ? 'previous' : key === 'PageDown' ? 'next' : null;
  if (key === 'Escape') return 'composer';
  // Fields and scroll containers use these keys themselves.
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement && target.matches('.row'))) return null;
  return key === 'Home' ? 'first' : key === 'End' ? 'last' : null;
}
