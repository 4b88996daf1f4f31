/** The scroll container of each observed element. */
const scrollers = new WeakMap<Element, HTMLElement>();

// Created on first use, because servers that render the elements have no such class.
let observer: ResizeObserver | undefined;

/** Listeners for whether the content of a scroll container overflows. */
const listeners = new WeakMap<HTMLElement, (overflows: boolean) => void>();

/** Scroll containers that are measured in the next frame. */
const changedScrollers = new Set<HTMLElement>();

/**
 * Measures in the next frame. Within the callback, measuring would lay out content that `content-visibility`
 * skips and change observed sizes, which Firefox and WebKit report to the page as a "ResizeObserver loop" error.
 */
function handleResize(changes: readonly ResizeObserverEntry[]): void {
  if (changedScrollers.size === 0) requestAnimationFrame(updateTabStops);
  for (const { target } of changes) {
    const scroller = scrollers.get(target);
    if (scroller) changedScrollers.add(scroller);
  }
}

function updateTabStops(): void {
  const overflowing = new Map<HTMLElement, boolean>();
  // Reads all sizes before the first change, so that the layout is computed once.
  for (const scroller of changedScrollers) {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = scroller;
    overflowing.set(scroller, scrollWidth > clientWidth || scrollHeight > clientHeight);
  }
  changedScrollers.clear();
  for (const scroller of overflowing.keys()) observeChildren(scroller);
  for (const [scroller, overflows] of overflowing) {
    if (overflows) scroller.tabIndex = 0;
    else scroller.removeAttribute('tabindex');
    listeners.get(scroller)?.(overflows);
  }
}

function observe(element: Element, scroller: HTMLElement): void {
  if (scrollers.has(element)) return;
  scrollers.set(element, scroller);
  observer?.observe(element);
}

function observeChildren(scroller: HTMLElement): void {
  for (const child of scroller.children) observe(child, scroller);
}

/**
 * Makes a scroll container focusable while its content overflows, so that it can be scrolled with the
 * keyboard, and is no tab stop otherwise. Not every browser does this by itself.
 *
 * @param onMeasure - Called with whether the content overflows, after each change of a size.
 */
export function focusWhenScrollable(
  scroller: HTMLElement,
  onMeasure?: (overflows: boolean) => void,
): void {
  if (onMeasure) listeners.set(scroller, onMeasure);
  observer ??= new ResizeObserver(handleResize);
  // The children are observed only after the container has been laid out. For a thousand containers that
  // `content-visibility` skips, observing the children immediately takes minutes in WebKit.
  if (scrollers.has(scroller)) observeChildren(scroller);
  else observe(scroller, scroller);
}
