/** Below the edge, in pixels, at least this much of a line must show to be the one that is read. */
const showing = 4;

/** From this many children on, those above the edge are passed over by halves, not one by one. */
const many = 40;

/** Something in the text, and where its top stands, in pixels of the window. */
interface Place {
  readonly node: Element | Text;
  /** The character, where the node is text. */
  readonly offset: number;
  top: number;
}

/**
 * The line under the reader's eye: where it stood, so that it can be told how far it has moved.
 * With it come the elements around it, from the inside out, for when the text itself is replaced.
 */
export class ReadingLine {
  /** Of the row that it is in. */
  readonly key: string;
  /** Whether nothing was drawn yet between the edge and its row. */
  readonly isUnderNothing: boolean;
  readonly #places: readonly Place[];
  readonly #rowTop: number;

  private constructor(
    row: HTMLElement,
    places: readonly Place[],
    rowTop: number,
    isUnderNothing = false,
  ) {
    this.key = row.dataset.key ?? '';
    this.isUnderNothing = isUnderNothing;
    this.#places = places;
    this.#rowTop = rowTop;
  }

  /**
   * The first line that shows between two heights, in a row or in one of those after it: the edge may
   * stand in the room below an answer. Where none shows, the first row itself is held on to.
   */
  static first(first: HTMLElement, edge: number, bottom: number): ReadingLine {
    const isUnderNothing = first.getBoundingClientRect().top > edge;
    for (let row: Element | null = first; row; row = row.nextElementSibling) {
      if (!(row instanceof HTMLElement) || row.dataset.key === undefined) continue;
      const { top } = row.getBoundingClientRect();
      if (top >= bottom) break;
      // Day and divider, before it, come and go with what is around.
      const found = lineBelow(row.lastElementChild ?? row, edge + showing);
      if (!found?.[0] || found[0].top >= bottom) continue;
      const places = [...found, { node: row, offset: 0, top }];
      return new ReadingLine(row, rebased(places, edge), top - edge, isUnderNothing);
    }
    return ReadingLine.ofRow(first, first.getBoundingClientRect().top - edge);
  }

  /** A row that is to stand so many pixels below the edge. */
  static ofRow(row: HTMLElement, top: number): ReadingLine {
    return new ReadingLine(row, [{ node: row, offset: 0, top }], top);
  }

  /** The reader has moved it by so many pixels. */
  shifted(row: HTMLElement, distance: number): ReadingLine {
    const places = this.#places.map((place) => ({ ...place, top: place.top + distance }));
    return new ReadingLine(row, places, this.#rowTop + distance);
  }

  /**
   * How many pixels it is now below where it was. `row` is the one with its key, which may have
   * been drawn anew; null when nothing is left to measure by.
   */
  moved(row: HTMLElement | null, edge: number): number | null {
    for (const place of this.#places) {
      const top = topOf(place);
      if (top !== null) return top - edge - place.top;
    }
    return row ? row.getBoundingClientRect().top - edge - this.#rowTop : null;
  }
}

function rebased(places: readonly Place[], edge: number): Place[] {
  return places.map((place) => ({ ...place, top: place.top - edge }));
}

/** Null for what is gone, or hidden. */
function topOf({ node, offset }: Place): number | null {
  if (!node.isConnected) return null;
  if (node instanceof Text && offset >= node.length) return null;
  const box = node instanceof Text ? character(node, offset) : node.getBoundingClientRect();
  return box.height > 0 ? box.top : null;
}

/** The first line in a node that reaches below the edge, and what it is in, innermost first. */
function lineBelow(node: Node, edge: number): Place[] | null {
  if (node instanceof Text) return lineOfText(node, edge);
  if (!(node instanceof Element)) return null;
  const box = node.getBoundingClientRect();
  // A slot has no box of its own. What is one pixel wide is there to be heard.
  const boxless = node instanceof HTMLSlotElement;
  if (!boxless && (box.bottom <= edge || box.width <= 1)) return null;
  const children = childrenOf(node);
  for (let index = firstBelow(children, edge); index < children.length; index += 1) {
    const child = children[index];
    const line = child ? lineBelow(child, edge) : null;
    if (line) return boxless ? line : [...line, { node, offset: 0, top: box.top }];
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

/** Blocks stand one below the other: among many, the first that counts is found by halving. */
function firstBelow(children: ArrayLike<Node>, edge: number): number {
  if (children.length <= many) return 0;
  const isBelow = (index: number) => {
    // What has no box is taken for the element before it.
    for (let at = index; at >= 0; at -= 1) {
      const child = children[at];
      if (child instanceof Element) return child.getBoundingClientRect().bottom > edge;
    }
    return false;
  };
  return bisect(children.length, isBelow);
}

function lineOfText(text: Text, edge: number): Place[] | null {
  if (text.data.trim() === '') return null;
  const whole = document.createRange();
  whole.selectNodeContents(text);
  const { bottom, width } = whole.getBoundingClientRect();
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

/** The first index for which it holds, given that it holds for all after; `length` if for none. */
export function bisect(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
