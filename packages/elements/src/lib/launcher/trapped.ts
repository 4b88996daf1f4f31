/** Properties that make an ancestor, rather than the window, what `position: fixed` goes by. */
const transforms = ['transform', 'translate', 'rotate', 'scale', 'perspective'] as const;
const filters = ['filter', 'backdropFilter'] as const;
const changing =
  /\b(transform|translate|rotate|scale|perspective|filter|backdrop-filter|contain)\b/;

/**
 * Whether an ancestor keeps a fixed element from standing where it should in the window. Asked of the
 * styles: by its measures, an ancestor of the window's size looks harmless until the page scrolls.
 */
export function isTrapped(element: Element): boolean {
  for (let each = above(element); each; each = above(each)) {
    const style = getComputedStyle(each);
    const isSet = (name: keyof CSSStyleDeclaration) => (style[name] || 'none') !== 'none';
    // On the root element, a filter has no such effect.
    const isRoot = each === document.documentElement;
    const contained =
      /paint|layout|strict|content/.test(style.contain) ||
      /auto|hidden/.test(style.contentVisibility) ||
      /size/.test(style.containerType);
    if (
      transforms.some(isSet) ||
      contained ||
      changing.test(style.willChange) ||
      (!isRoot && filters.some(isSet))
    )
      return true;
  }
  return false;
}

/** The parent by which an element is drawn: through slots and out of shadow trees. */
function above(element: Element): Element | null {
  const parent = element.assignedSlot ?? element.parentNode;
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}
