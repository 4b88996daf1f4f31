/** Calls `change`, which replaces nodes of `element` but not its text, and restores the selection. */
export function preserveSelection(element: Element, change: () => void): void {
  const root = element.getRootNode();
  const selection = getSelection();
  const range =
    root instanceof ShadowRoot && selection && 'getComposedRanges' in selection
      ? selection.getComposedRanges({ shadowRoots: [root] })[0]
      : undefined;
  const start = range && offsetOf(element, range.startContainer, range.startOffset);
  const end = range && offsetOf(element, range.endContainer, range.endOffset);
  const isBackward = selection?.direction === 'backward';
  change();
  if (!selection || start === undefined || end === undefined || start === end) return;
  const from = positionOf(element, isBackward ? end : start);
  const to = positionOf(element, isBackward ? start : end);
  if (from && to) selection.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
}

function offsetOf(element: Element, container: Node, offset: number): number | undefined {
  if (!element.contains(container)) return undefined;
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(container, offset);
  return before.toString().length;
}

function positionOf(element: Element, offset: number): { node: Text; offset: number } | undefined {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let remaining = offset;
  for (let node = texts.nextNode(); node instanceof Text; node = texts.nextNode()) {
    if (remaining <= node.length) return { node, offset: remaining };
    remaining -= node.length;
  }
  return undefined;
}
