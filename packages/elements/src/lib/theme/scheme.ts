/**
 * The `color-scheme` for the content of an element.
 *
 * @param scheme - `light`, `dark`, or `auto` for the page's scheme.
 * @returns For `auto`, the empty string, which inherits the page's scheme, or `light dark`, which
 *   follows the user's system, if the page sets none.
 */
export function schemeFor(element: Element, scheme = 'auto'): string {
  if (scheme !== 'auto') return scheme;
  return getComputedStyle(element).colorScheme === 'normal' ? 'light dark' : '';
}
