/** Returns the first tab stop of an element, including itself, slotted content and open shadow trees. */
export function firstFocusable(element: Element): HTMLElement | null {
  if (
    element instanceof HTMLElement &&
    element.tabIndex >= 0 &&
    !element.matches(':disabled') &&
    element.checkVisibility({ visibilityProperty: true })
  )
    return element;
  const children =
    element instanceof HTMLSlotElement
      ? element.assignedElements({ flatten: true })
      : (element.shadowRoot ?? element).children;
  for (const child of children) {
    const found = firstFocusable(child);
    if (found) return found;
  }
  return null;
}
