import { english } from '../../i18n/languages/en.ts';
import { MarkdownDocument } from '../markdown-document.ts';
import type { Citation } from './sources.ts';

/** Largest number of marks in a text. */
const maxMarks = 200;

/** Elements that count as one character. */
const atoms = 'img, .blocked-image, .math, .half-math, [part=footnote-mark], br, input';

/** Elements that can't contain a mark. A mark inside one of these is placed after it. */
const closed = 'a, code';

interface Place {
  readonly block: Element;
  /** Letters before it in the block. */
  readonly length: number;
}

/**
 * Puts a mark for each citation into what `document` has written into `content`. The text up to a
 * citation is written again, out of the page: where it ends there, the mark goes here. Blocks
 * without a mark are not touched.
 */
export function placeMarks(
  content: Element,
  document: MarkdownDocument,
  text: string,
  citations: readonly Citation[],
  markOf: (citation: Citation) => Element,
): void {
  const scratch = window.document.createElement('div');
  const measured = new MarkdownDocument(scratch, {
    imageOrigins: [],
    strings: english,
    chosenImages: new Set(),
    reference: (label) => document.reference(label),
    measured: true,
  });
  const placed = citations
    .flatMap((citation) =>
      citation.endIndex === null
        ? []
        : [{ citation, end: Math.min(citation.endIndex, text.length) }],
    )
    .sort((one, other) => one.end - other.end)
    .slice(0, maxMarks);
  for (const { citation, end } of placed) {
    measured.update(text.slice(0, end), true);
    const place = measured.latest && placeIn(content, scratch, measured.latest);
    if (place) insert(place, markOf(citation));
  }
}

/** Removes all marks. */
export function removeMarks(content: Element): void {
  for (const mark of content.querySelectorAll('.cite')) mark.remove();
}

/** Where the end of a block of `scratch` is in `content`. Code and formulas have no place for marks. */
function placeIn(content: Element, scratch: Element, latest: Element): Place | undefined {
  // The cells of a row that nothing was written to yet are there already.
  const cells = latest.localName === 'tr' ? [...latest.children] : [latest];
  const cell = cells.findLast((each) => each.hasChildNodes());
  if (!cell || cell.matches('.code, .math, .plain')) return undefined;
  const path: number[] = [];
  // Footnotes are in another order before all of the text is there.
  const note = cell.closest<HTMLElement>('.note');
  const top = note ?? scratch;
  for (let at: Element = cell; at !== top; at = at.parentElement ?? top) {
    path.unshift([...(at.parentElement?.children ?? [])].indexOf(at));
  }
  let block: Element | null | undefined = note
    ? content.querySelector(`.note[data-label="${CSS.escape(note.dataset.label ?? '')}"]`)
    : content;
  for (const index of path) block = block?.children[index];
  if (!block || block.matches('.code, .math, .plain')) return undefined;
  const length = [...pieces(cell)].reduce((sum, piece) => sum + lengthOf(piece), 0);
  return { block, length };
}

/** The texts and atoms of an element, in order, without marks. */
function* pieces(element: Element): Generator<Text | Element> {
  for (const node of element.childNodes) {
    if (node instanceof Text) yield node;
    else if (!(node instanceof Element) || node.matches('.cite')) continue;
    else if (node.matches(atoms)) yield node;
    else yield* pieces(node);
  }
}

const lengthOf = (piece: Text | Element) => (piece instanceof Text ? piece.length : 1);

function insert({ block, length }: Place, mark: Element): void {
  let left = length;
  let anchor: ChildNode | undefined;
  for (const piece of pieces(block)) {
    anchor = piece;
    if (lengthOf(piece) >= left) break;
    left -= lengthOf(piece);
  }
  if (!anchor) return;
  const outer = anchor.parentElement?.closest(closed);
  if (outer && block.contains(outer)) anchor = outer;
  else if (anchor instanceof Text && left < anchor.length) anchor.splitText(left);
  while (anchor.parentElement && anchor.parentElement !== block && !anchor.nextSibling) {
    anchor = anchor.parentElement;
  }
  while (anchor.nextSibling instanceof Element && anchor.nextSibling.matches('.cite')) {
    anchor = anchor.nextSibling;
  }
  anchor.after(mark);
}
