/** Audits text with increased spacing: no text may become unreachable. Returns one string per finding. */
import { allElements, ancestorsOf, describe, isShown } from './tree.ts';

/** Text spacing of WCAG 2.2, 1.4.12. */
const spacing = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-block-end: 2em !important; }`;

/** Finds text that is clipped with increased spacing. */
export function auditSpacing(): string[] {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(spacing);
  const roots = [document, ...allElements().flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  for (const root of roots) root.adoptedStyleSheets.push(sheet);
  const findings = allElements()
    .filter((element) => isShown(element) && !element.closest('.visually-hidden, textarea, select'))
    .flatMap((element) => {
      const hasClippedText = textsOf(element).some((text) => isClipped(text, element));
      return hasClippedText ? [`text-spacing: ${describe(element)} is clipped`] : [];
    });
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) findings.push(`text-spacing: the page is ${scrollWidth} px wide`);
  for (const root of roots) {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
  }
  return findings;
}

function textsOf(element: Element): Text[] {
  return [...element.childNodes].filter(
    (node): node is Text => node instanceof Text && node.data.trim() !== '',
  );
}

/**
 * Whether the text is deliberately truncated: with an ellipsis, like names and previews, or with a mask at the
 * end of what a button expands.
 */
function isTruncated(element: Element): boolean {
  const { maskImage, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element);
  return (
    textOverflow === 'ellipsis' ||
    webkitLineClamp !== 'none' ||
    (maskImage !== 'none' && overflowY === 'hidden')
  );
}

type Axis = 'x' | 'y';

/** Range along one axis, in pixels of the viewport. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const contains = (outer: Span, inner: Span, slack: number) =>
  inner.from >= outer.from - slack && inner.to <= outer.to + slack;

const spanOf = (box: DOMRect, axis: Axis): Span =>
  axis === 'x' ? { from: box.left, to: box.right } : { from: box.top, to: box.bottom };

/** The range that can be scrolled into view in a box. */
function scrollableRange(box: Element, axis: Axis): Span {
  const { left, right, top } = box.getBoundingClientRect();
  if (axis === 'y') {
    const from = top + box.clientTop - box.scrollTop;
    return { from, to: from + box.scrollHeight };
  }
  if (getComputedStyle(box).direction === 'rtl') {
    const to = right - (box.getBoundingClientRect().width - box.clientWidth - box.clientLeft);
    return { from: to - box.scrollLeft - box.scrollWidth, to: to - box.scrollLeft };
  }
  const from = left + box.clientLeft - box.scrollLeft;
  return { from, to: from + box.scrollWidth };
}

/** Whether a part of a text stays hidden at every scroll position. */
function isClipped(text: Text, element: HTMLElement): boolean {
  const ancestors = ancestorsOf(element);
  if (ancestors.some(isTruncated)) return false;
  const range = document.createRange();
  range.selectNodeContents(text);
  const textBox = range.getBoundingClientRect();
  return (
    isClippedAlong('x', spanOf(textBox, 'x'), ancestors) ||
    isClippedAlong('y', spanOf(textBox, 'y'), ancestors)
  );
}

/** Checks all ancestors, from the innermost. Text that can be scrolled into view in a box is not clipped by it. */
function isClippedAlong(axis: Axis, text: Span, ancestors: readonly Element[]): boolean {
  const slack = axis === 'x' ? 1 : 3;
  let span = text;
  for (const box of ancestors) {
    // The overflow of these two elements applies to the viewport, which can be scrolled.
    if (box === document.body || box === document.documentElement) return false;
    const style = getComputedStyle(box);
    const overflow = axis === 'x' ? style.overflowX : style.overflowY;
    const edges = spanOf(box.getBoundingClientRect(), axis);
    if (overflow === 'auto' || overflow === 'scroll') {
      if (!contains(scrollableRange(box, axis), span, slack)) return true;
      span = { from: Math.max(span.from, edges.from), to: Math.min(span.to, edges.to) };
      // Text that is scrolled out of view can be scrolled to anywhere within this box, so the outer
      // boxes must contain the whole box.
      if (span.from > span.to) span = edges;
    } else if (overflow !== 'visible' || box.matches('button:not(.bubble), summary')) {
      if (style.display !== 'contents' && !contains(edges, span, slack)) return true;
    }
    // Only the viewport clips fixed elements.
    if (style.position === 'fixed') return !contains(viewportSpan(axis), span, slack);
  }
  return false;
}

const viewportSpan = (axis: Axis): Span => ({
  from: 0,
  to: axis === 'x' ? innerWidth : innerHeight,
});
