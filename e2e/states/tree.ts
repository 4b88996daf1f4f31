/** What is on the page, shadow trees and slots included. */

/** Every element of the page, in the order in which they are drawn and reached: slots included. */
export function everything(root: Node = document.body): HTMLElement[] {
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

/** How an element is called in a finding. */
export function describe(element: Element): string {
  const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
  const root = element.getRootNode();
  const host = root instanceof ShadowRoot ? `${root.host.localName} ` : '';
  const words = name.replace(/\s+/g, ' ').trim().slice(0, 40);
  return `${host}${element.localName}${words ? ` “${words}”` : ''}`;
}

/** Whether there is anything of it to see. */
export function isShown(element: HTMLElement): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
}

/** The element, and all that it is drawn in, from the inside out. */
export function lineOf(element: Element): Element[] {
  const line: Element[] = [];
  for (let at: Element | null = element; at; at = above(at)) line.push(at);
  return line;
}

/** What an element is drawn in: its slot, its parent, or the host of its tree. */
export function above(element: Element): Element | null {
  const parent = element.assignedSlot ?? element.parentNode;
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}
