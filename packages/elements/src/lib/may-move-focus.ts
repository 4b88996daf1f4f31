/**
 * Whether an action that took long may move focus into an element: focus is inside it, or lost. Otherwise
 * the user has moved focus elsewhere.
 */
export function mayMoveFocus(element: Element): boolean {
  const { activeElement, body } = document;
  return !activeElement || activeElement === body || element.matches(':focus-within');
}
