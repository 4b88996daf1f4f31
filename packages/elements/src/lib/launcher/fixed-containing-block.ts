/** Properties that make an element the containing block of fixed descendants. */
const transforms = ['transform', 'translate', 'rotate', 'scale', 'perspective'] as const;
const filters = ['filter', 'backdropFilter'] as const;
const containingWillChange =
  /\b(transform|translate|rotate|scale|perspective|filter|backdrop-filter|contain)\b/;

/**
 * Whether an ancestor is the containing block of a fixed element. Reads styles instead of comparing
 * positions: if the ancestor is as large as the window, the positions differ only after scrolling.
 */
export function hasFixedContainingBlock(element: Element): boolean {
  for (let each = flatTreeParent(element); each; each = flatTreeParent(each)) {
    const style = getComputedStyle(each);
    const isSet = (name: keyof CSSStyleDeclaration) => (style[name] || 'none') !== 'none';
    // A filter on the root element has no such effect.
    const isRoot = each === document.documentElement;
    const contained =
      /paint|layout|strict|content/.test(style.contain) ||
      /auto|hidden/.test(style.contentVisibility) ||
      /size/.test(style.containerType);
    if (
      transforms.some(isSet) ||
      contained ||
      containingWillChange.test(style.willChange) ||
      (!isRoot && filters.some(isSet))
    )
      return true;
  }
  return false;
}

/** Parent of an element in the flat tree. */
function flatTreeParent(element: Element): Element | null {
  const parent = element.assignedSlot ?? element.parentNode;
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}
