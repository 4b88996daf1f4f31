/** Minimum visible height of the line being read, in CSS pixels. */
const minVisibleHeight = 4;

/** Minimum number of children for a binary search. Fewer are searched linearly. */
const binarySearchFrom = 40;

/** A position in the content and its distance from the top of the viewport, in CSS pixels. */
interface Place {
  readonly node: Element | Text;
  /** Character offset in a text node. */
  readonly offset: number;
  top: number;
}

/**
 * The line that is being read and its position, to measure how far it has moved. Its ancestors are
 * stored too, innermost first, as a fallback if the text node is replaced.
 */
export class ReadingLine {
  /** Key of the row that contains the line. */
  readonly key: string;
  readonly #places: readonly Place[];
  readonly #rowTop: number;

  private constructor(row: HTMLElement, places: readonly Place[], rowTop: number) {
    this.key = row.dataset.key ?? '';
    this.#places = places;
    this.#rowTop = rowTop;
  }

  /**
   * Returns the first visible line between `edge` and `bottom`, in the row `first` or a later one,
   * because the edge may lie in the space between rows. Falls back to the row `first` itself.
   */
  static first(first: HTMLElement, edge: number, bottom: number): ReadingLine {
    for (let row: Element | null = first; row; row = row.nextElementSibling) {
      if (!(row instanceof HTMLElement) || row.dataset.key === undefined) continue;
      const { top } = row.getBoundingClientRect();
      if (top >= bottom) break;
      // Separators precede the entry; they are not used, because they appear and disappear.
      const textLine = lineBelow(row.lastElementChild ?? row, edge + minVisibleHeight);
      if (!textLine?.[0] || textLine[0].top >= bottom) continue;
      const places = [...textLine, { node: row, offset: 0, top }];
      return new ReadingLine(row, shifted(places, -edge), top - edge);
    }
    return ReadingLine.ofRow(first, first.getBoundingClientRect().top - edge);
  }

  /** Creates a line for a row at a distance from the edge, in CSS pixels. */
  static ofRow(row: HTMLElement, top: number): ReadingLine {
    return new ReadingLine(row, [{ node: row, offset: 0, top }], top);
  }

  /** Returns the line after the user scrolled by a distance in CSS pixels. */
  shifted(row: HTMLElement, distance: number): ReadingLine {
    return new ReadingLine(row, shifted(this.#places, distance), this.#rowTop + distance);
  }

  /**
   * Returns how far the line has moved down, in CSS pixels; null if it can't be measured.
   *
   * @param row - The row with the line's key, which may have been rendered again.
   */
  moved(row: HTMLElement | null, edge: number): number | null {
    for (const place of this.#places) {
      const top = topOf(place);
      if (top !== null) return top - edge - place.top;
    }
    return row ? row.getBoundingClientRect().top - edge - this.#rowTop : null;
  }
}

function shifted(places: readonly Place[], distance: number): Place[] {
  return places.map((place) => ({ ...place, top: place.top + distance }));
}

/** Returns the top of a position; null if it was removed or is hidden. */
function topOf({ node, offset }: Place): number | null {
  if (!node.isConnected) return null;
  if (node instanceof Text && offset >= node.length) return null;
  const box = node instanceof Text ? character(node, offset) : node.getBoundingClientRect();
  return box.height > 0 ? box.top : null;
}

/** Finds the first line in a node that reaches below the edge, with its ancestors, innermost first. */
function lineBelow(node: Node, edge: number): Place[] | null {
  if (node instanceof Text) return lineOfText(node, edge);
  if (!(node instanceof Element)) return null;
  const box = node.getBoundingClientRect();
  // A slot has no box. Elements of one pixel are visually hidden text.
  const hasNoBox = node instanceof HTMLSlotElement;
  if (!hasNoBox && (box.bottom <= edge || box.width <= 1)) return null;
  const children = childrenOf(node);
  for (let index = firstBelow(children, edge); index < children.length; index += 1) {
    const child = children[index];
    const line = child ? lineBelow(child, edge) : null;
    if (line) return hasNoBox ? line : [...line, { node, offset: 0, top: box.top }];
  }
  return null;
}

function childrenOf(node: Element): ArrayLike<Node> {
  if (node instanceof HTMLSlotElement) {
    const assigned = node.assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  return (node.shadowRoot ?? node).childNodes;
}

/** Finds the first child that reaches below the edge. Blocks are stacked, so binary search works. */
function firstBelow(children: ArrayLike<Node>, edge: number): number {
  if (children.length <= binarySearchFrom) return 0;
  const isBelow = (index: number) => {
    // A node without a box takes the position of the node before it.
    for (let position = index; position >= 0; position -= 1) {
      const child = children[position];
      if (child instanceof Element) return child.getBoundingClientRect().bottom > edge;
    }
    return false;
  };
  return bisect(children.length, isBelow);
}

function lineOfText(text: Text, edge: number): Place[] | null {
  if (text.data.trim() === '') return null;
  const range = document.createRange();
  range.selectNodeContents(text);
  const { bottom, width } = range.getBoundingClientRect();
  if (bottom <= edge || width <= 1) return null;
  const first = bisect(text.length, (index) => character(text, index).bottom > edge);
  // White space at the end of a line may have no box.
  for (let offset = first; offset < text.length; offset += 1) {
    const { top, height } = character(text, offset);
    if (height > 0) return [{ node: text, offset, top }];
  }
  return null;
}

function character(text: Text, offset: number): DOMRect {
  const range = document.createRange();
  range.setStart(text, offset);
  range.setEnd(text, offset + 1);
  return range.getBoundingClientRect();
}

/**
 * Binary search.
 *
 * @param predicate - A predicate that stays true once it is true.
 * @returns The first index for which it is true, or `length`.
 */
function bisect(length: number, predicate: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (predicate(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
