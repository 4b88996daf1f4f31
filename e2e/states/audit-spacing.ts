/** Text that a person sets wider: none of it may get out of reach. Each finding is a line. */
import { describe, everything, isShown, lineOf } from './tree.ts';

/** WCAG 2.2, 1.4.12. */
const spacing = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-block-end: 2em !important; }`;

/** Nothing is cut off where a person sets text wider. */
export function auditSpacing(): string[] {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(spacing);
  const roots = [document, ...everything().flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  for (const root of roots) root.adoptedStyleSheets.push(sheet);
  const found = everything()
    .filter((element) => isShown(element) && !element.closest('.visually-hidden, textarea, select'))
    .flatMap((element) => {
      const cut = textsOf(element).some((text) => isCutOff(text, element));
      return cut ? [`text-spacing: ${describe(element)} is cut off`] : [];
    });
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`text-spacing: the page is ${scrollWidth} px wide`);
  for (const root of roots) {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
  }
  return found;
}

function textsOf(element: Element): Text[] {
  return [...element.childNodes].filter(
    (node): node is Text => node instanceof Text && node.data.trim() !== '',
  );
}

/** Names and previews are shortened wherever there is no room for them. */
function isShortened(element: Element): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  return textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
}

type Axis = 'x' | 'y';

/** From one edge to the other, in pixels of the window. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const holds = (outer: Span, inner: Span, slack: number) =>
  inner.from >= outer.from - slack && inner.to <= outer.to + slack;

const spanOf = (box: DOMRect, axis: Axis): Span =>
  axis === 'x' ? { from: box.left, to: box.right } : { from: box.top, to: box.bottom };

/** All that can be scrolled into a box. */
function reachOf(box: Element, axis: Axis): Span {
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

/** Whether a part of a text can't be seen, however what it stands in is scrolled. */
function isCutOff(text: Text, element: HTMLElement): boolean {
  const line = lineOf(element);
  if (line.some(isShortened)) return false;
  const range = document.createRange();
  range.selectNodeContents(text);
  const drawn = range.getBoundingClientRect();
  return isCutAlong('x', spanOf(drawn, 'x'), line) || isCutAlong('y', spanOf(drawn, 'y'), line);
}

/** Goes outwards: what can be scrolled into a box is as good as in it, for all that is around it. */
function isCutAlong(axis: Axis, text: Span, line: readonly Element[]): boolean {
  const slack = axis === 'x' ? 1 : 3;
  let span = text;
  for (const box of line) {
    // What these two hide, the window hides, and scrolls to.
    if (box === document.body || box === document.documentElement) return false;
    const style = getComputedStyle(box);
    const overflow = axis === 'x' ? style.overflowX : style.overflowY;
    const edges = spanOf(box.getBoundingClientRect(), axis);
    if (overflow === 'auto' || overflow === 'scroll') {
      if (!holds(reachOf(box, axis), span, slack)) return true;
      span = { from: Math.max(span.from, edges.from), to: Math.min(span.to, edges.to) };
      // None of it is in view now: what can be brought there lies within the edges.
      if (span.from > span.to) span = edges;
    } else if (overflow !== 'visible' || box.matches('button:not(.bubble), summary')) {
      if (style.display !== 'contents' && !holds(edges, span, slack)) return true;
    }
    // Of what is drawn over everything, only the window hides a part.
    if (style.position === 'fixed') return !holds(windowAlong(axis), span, slack);
  }
  return false;
}

const windowAlong = (axis: Axis): Span => ({
  from: 0,
  to: axis === 'x' ? innerWidth : innerHeight,
});
