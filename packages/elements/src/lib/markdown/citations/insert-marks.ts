import { createElement } from '../../create-element.ts';
import { english } from '../../i18n/all-strings.ts';
import type { CitedDocument } from '../extras.ts';
import { MarkdownDocument } from '../markdown-document.ts';
import type { Citation } from './sources.ts';

/** Maximum number of marks in a text. */
const maxMarks = 200;

/** Elements that count as one character. */
const atomicElements = 'img, .blocked-image, .math, [part=footnote-mark], br, input';

/** Maximum length of an element that is kept on the same line as the mark after it, in characters. */
const maxJoinedElement = 24;

/** Elements that can't contain a mark. A mark inside one of these is inserted after it. */
const indivisibleElements = 'a, code';

interface Position {
  readonly block: Element;
  /** Number of characters before the position in the block. */
  readonly offset: number;
}

/**
 * Inserts a mark for each citation into the rendered text. To find the position of a mark in the DOM,
 * the text before the citation is also rendered into a detached element: the end of the content of that
 * element corresponds to the position in `content`. Blocks that receive no mark do not change.
 *
 * @param document - The document that is rendered into `content`.
 * @param text - The Markdown of the document.
 */
export function insertMarks(
  content: Element,
  document: CitedDocument,
  text: string,
  citations: readonly Citation[],
  createMark: (citation: Citation) => Element,
): void {
  const probe = window.document.createElement('div');
  const probeDocument = new MarkdownDocument(probe, {
    imageOrigins: [],
    strings: english,
    chosenImages: new Set(),
    reference: (label) => document.reference(label),
    lengthsOnly: true,
  });
  const sorted = citations
    .flatMap((citation) =>
      citation.endIndex === null
        ? []
        : [{ citation, end: Math.min(citation.endIndex, text.length) }],
    )
    .sort((a, b) => a.end - b.end)
    .slice(0, maxMarks);
  for (const { citation, end } of sorted) {
    probeDocument.update(text.slice(0, end), true);
    const position = probeDocument.latest && positionIn(content, probe, probeDocument.latest);
    if (position) insertMark(position, createMark(citation));
  }
}

/** Removes all marks. */
export function removeMarks(content: Element): void {
  for (const mark of content.querySelectorAll('.cite')) mark.remove();
  for (const joined of content.querySelectorAll('.joined'))
    joined.replaceWith(...joined.childNodes);
}

/**
 * Returns the position in `content` that corresponds to the end of the block `latest` in `probe`;
 * undefined if there is none, as in code blocks and formulas, which can't have marks.
 */
function positionIn(content: Element, probe: Element, latest: Element): Position | undefined {
  // A table row has empty cells for text that has not arrived.
  const cells = latest.localName === 'tr' ? [...latest.children] : [latest];
  const cell = cells.findLast((each) => each.hasChildNodes());
  if (!cell || cell.matches('.code, .math, .plain')) return undefined;
  const path: number[] = [];
  // Footnotes are found by their labels, because their order can change until the text is complete.
  const note = cell.closest<HTMLElement>('.note');
  const topNote = note ?? probe;
  for (
    let ancestor: Element = cell;
    ancestor !== topNote;
    ancestor = ancestor.parentElement ?? topNote
  ) {
    path.unshift([...(ancestor.parentElement?.children ?? [])].indexOf(ancestor));
  }
  let block: Element | null | undefined = note
    ? content.querySelector(`.note[data-label="${CSS.escape(note.dataset.label ?? '')}"]`)
    : content;
  for (const index of path) block = block?.children[index];
  if (!block || block.matches('.code, .math, .plain')) return undefined;
  const offset = [...leaves(cell)].reduce((sum, leaf) => sum + lengthOf(leaf), 0);
  return { block, offset };
}

/** The text nodes and atomic elements of an element in order, without citation marks. */
function* leaves(element: Element): Generator<Text | Element> {
  for (const node of element.childNodes) {
    if (node instanceof Text) yield node;
    else if (!(node instanceof Element) || node.matches('.cite')) continue;
    else if (node.matches(atomicElements)) yield node;
    else yield* leaves(node);
  }
}

const lengthOf = (leaf: Text | Element) => (leaf instanceof Text ? leaf.length : 1);

function insertMark({ block, offset }: Position, mark: Element): void {
  let remaining = offset;
  let anchor: ChildNode | undefined;
  for (const leaf of leaves(block)) {
    anchor = leaf;
    if (lengthOf(leaf) >= remaining) break;
    remaining -= lengthOf(leaf);
  }
  if (!anchor) return;
  const outer = anchor.parentElement?.closest(indivisibleElements);
  if (outer && block.contains(outer)) anchor = outer;
  else if (anchor instanceof Text && remaining < anchor.length) anchor.splitText(remaining);
  while (anchor.parentElement && anchor.parentElement !== block && !anchor.nextSibling) {
    anchor = anchor.parentElement;
  }
  while (anchor.nextSibling instanceof Element && anchor.nextSibling.matches('.cite')) {
    anchor = anchor.nextSibling;
  }
  const end = anchor.parentElement?.matches('.joined') ? undefined : endOf(anchor);
  if (!end) {
    anchor.after(mark);
    return;
  }
  const joined = createElement('span', { class: 'joined' });
  end.replaceWith(joined);
  joined.append(end, mark);
}

/**
 * Returns the end of the text before a mark, to keep it on the same line as the mark; undefined for a long
 * link or other element. Browsers break lines before buttons even after a word joiner.
 */
function endOf(anchor: ChildNode): ChildNode | undefined {
  if (!(anchor instanceof Text)) {
    return (anchor.textContent ?? '').length <= maxJoinedElement ? anchor : undefined;
  }
  const start = anchor.data.search(/\S{1,8}$/);
  return start < 0 ? undefined : anchor.splitText(start);
}
