export interface SelectedText {
  readonly text: string;
  /** Position of the selection's last line in the viewport, in CSS pixels. */
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

/** Non-standard `ShadowRoot.getSelection` of browsers without `getComposedRanges`. */
interface SelectingRoot {
  readonly getSelection?: () => Selection | null;
}

/** The selection inside an element of a shadow tree; null unless it lies entirely inside. */
export function selectionIn(element: Element): SelectedText | null {
  const range = rangeIn(element.getRootNode());
  if (!range || range.collapsed || !element.contains(range.commonAncestorContainer)) return null;
  const text = range.toString().trim();
  const line = [...range.getClientRects()].at(-1);
  if (!text || !line) return null;
  return { text: linesOf(range) || text, left: line.left, right: line.right, bottom: line.bottom };
}

function rangeIn(root: Node): Range | null {
  const selection = getSelection();
  if (!selection || !(root instanceof ShadowRoot)) return null;
  if (typeof selection.getComposedRanges !== 'function') {
    const rootSelection = (root as SelectingRoot).getSelection?.() ?? selection;
    return rootSelection.rangeCount > 0 ? rootSelection.getRangeAt(0) : null;
  }
  const [found] = selection.getComposedRanges({ shadowRoots: [root] });
  if (!found || found.startContainer.getRootNode() !== root) return null;
  if (found.endContainer.getRootNode() !== root) return null;
  const range = document.createRange();
  range.setStart(found.startContainer, found.startOffset);
  range.setEnd(found.endContainer, found.endOffset);
  return range;
}

const blocks = 'p, li, pre, tr, h1, h2, h3, h4, h5, h6, .line, .lines > *';

/** The text with one line per block; `Range.toString` omits line breaks. */
function linesOf(range: Range): string {
  const fragment = range.cloneContents();
  for (const button of fragment.querySelectorAll('button')) button.remove();
  for (const block of fragment.querySelectorAll(blocks)) block.append('\n');
  return (fragment.textContent ?? '').replace(/\n{2,}/g, '\n').trim();
}
