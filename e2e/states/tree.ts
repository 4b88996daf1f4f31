/** Traversal of the page across shadow trees and slots. */

/** All elements in the order of the flat tree. */
export function allElements(root: Node = document.body): HTMLElement[] {
  const within = (node: Node): HTMLElement[] => {
    if (!(node instanceof HTMLElement)) return [];
    return [node, ...childrenOf(node).flatMap(within)];
  };
  return within(root);
}

function childrenOf(element: HTMLElement): readonly Node[] {
  if (element instanceof HTMLSlotElement) {
    const assigned = element.assignedElements();
    return assigned.length > 0 ? assigned : [...element.children];
  }
  return [...(element.shadowRoot ?? element).children];
}

/** Describes an element in a finding. */
export function describe(element: Element): string {
  const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
  const root = element.getRootNode();
  const host = root instanceof ShadowRoot ? `${root.host.localName} ` : '';
  const text = name.replace(/\s+/g, ' ').trim().slice(0, 40);
  return `${host}${element.localName}${text ? ` “${text}”` : ''}`;
}

/** Whether an element is visible. */
export function isShown(element: HTMLElement): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
}

/** The element and its ancestors in the flat tree, from inside out. */
export function ancestorsOf(element: Element): Element[] {
  const ancestors: Element[] = [];
  for (let current: Element | null = element; current; current = flatTreeParent(current))
    ancestors.push(current);
  return ancestors;
}

/** The parent in the flat tree: slot, parent element, or shadow host. */
export function flatTreeParent(element: Element): Element | null {
  const parent = element.assignedSlot ?? element.parentNode;
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}
