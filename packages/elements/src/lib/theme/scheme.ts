/**
 * What to write as `color-scheme` below an element: what is wanted of it, or for `auto` what the
 * page says. Only where the page says nothing does the user's system decide.
 */
export function schemeFor(element: Element, wanted = 'auto'): string {
  if (wanted !== 'auto') return wanted;
  return getComputedStyle(element).colorScheme === 'normal' ? 'light dark' : '';
}
