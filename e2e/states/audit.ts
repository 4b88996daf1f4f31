/**
 * Audits what axe does not check: target sizes, focus order, visible focus, and motion. Each audit
 * returns one string per finding.
 */

import { allElements, ancestorsOf, describe, flatTreeParent, isShown } from './tree.ts';

/** Interactive elements. */
const targets =
  'a[href], button, input, select, textarea, summary, [role="option"], [role="menuitem"]';

/** Focusable elements, including scrollable boxes. */
const stops = `${targets}, [tabindex]`;

/** Inline targets within text, which 2.5.8 excludes. */
const inlineTargets = 'p a, li a, td a, sup a, sup button, .source-card a, .blocked-image';

/** Overlays that the user opens and can close with Escape or by moving the focus, which 2.4.11 excludes. */
const dismissibleOverlays = '[popover], inlay-menu, .quote, .suggestions';

function isDisabled(element: HTMLElement): boolean {
  return element.matches(':disabled') || element.closest('[inert]') !== null;
}

/** The element that reacts to a click: for a checkbox or radio button, its label. */
function targetOf(element: HTMLElement): HTMLElement {
  const isBox = element instanceof HTMLInputElement && /radio|checkbox/.test(element.type);
  return (isBox && element.closest('label')) || element;
}

/**
 * Finds targets that are too small.
 *
 * @param minSize - Minimum width and height of a target, in CSS pixels.
 */
export function auditTargets(minSize: number): string[] {
  return allElements()
    .filter((element) => element.matches(targets) && !element.matches(inlineTargets))
    .filter((element) => isShown(element) && !isDisabled(element))
    .flatMap((element) => {
      const { width, height } = targetOf(element).getBoundingClientRect();
      const isSmall = Math.min(width, height) < minSize - 0.5;
      const size = `${Math.round(width)} × ${Math.round(height)}`;
      return isSmall ? [`target-size: ${describe(element)} is ${size} px`] : [];
    });
}

/** The focusable elements in tab order. */
function tabStops(): HTMLElement[] {
  return allElements().filter(
    (element) =>
      element.matches(stops) &&
      element.tabIndex >= 0 &&
      !isDisabled(element) &&
      element.checkVisibility({ visibilityProperty: true }),
  );
}

/** Checks that all tab stops are visible and in visual order. */
export function auditOrder(): string[] {
  const rtl = getComputedStyle(document.documentElement).direction === 'rtl';
  return tabStops().flatMap((stop, index, all) => {
    const findings: string[] = [];
    const name = describe(stop);
    if (stop.tabIndex > 0) findings.push(`tab-order: ${name} has a positive tabindex`);
    if (!isShown(stop)) findings.push(`tab-order: ${name} has no size`);
    if (stop.closest('[aria-hidden="true"]'))
      findings.push(`tab-order: ${name} is hidden from screen readers`);
    const before = all[index - 1];
    if (before && scrollerOf(before) === scrollerOf(stop) && isAbovePrevious(before, stop, rtl)) {
      findings.push(`tab-order: ${describe(before)} comes before ${name}, which is above it`);
    }
    return findings;
  });
}

/** Focuses each stop, and checks that its focus is visible and not covered. */
export function auditFocus(): string[] {
  return tabStops().flatMap((stop) => {
    if (!isShown(stop)) return [];
    stop.blur();
    const before = focusStyles(stop);
    stop.focus();
    // Moving the focus can close an overlay and so remove its elements.
    if (!stop.matches(':focus') || !isShown(stop)) return [];
    const findings: string[] = [];
    if (focusStyles(stop) === before)
      findings.push(`focus-visible: ${describe(stop)} looks the same`);
    const cover = coverOf(stop);
    // A menu closes one frame after the focus has left it.
    if (cover && !cover.closest('[role="menu"]'))
      findings.push(`focus-obscured: ${describe(stop)} lies under ${describe(cover)}`);
    stop.blur();
    return findings;
  });
}

/** Styles of the element and two ancestors that can show the focus. */
function focusStyles(element: HTMLElement): string {
  const styles: string[] = [];
  let current: Element | null = element;
  for (let up = 0; current && up < 3; up += 1, current = flatTreeParent(current)) {
    const { outline, boxShadow, borderColor } = getComputedStyle(current);
    // The ring of a message is around its ::before.
    styles.push(outline, boxShadow, borderColor, getComputedStyle(current, '::before').outline);
  }
  return styles.join();
}

/** Whether the next stop is above the previous stop, and not in the next column. */
function isAbovePrevious(previous: Element, next: Element, rtl: boolean): boolean {
  const previousBox = previous.getBoundingClientRect();
  const nextBox = next.getBoundingClientRect();
  const beside = rtl
    ? nextBox.right <= previousBox.left + 1
    : nextBox.left >= previousBox.right - 1;
  return nextBox.bottom <= previousBox.top && !beside;
}

function scrollerOf(element: Element): Element | null {
  return (
    ancestorsOf(element).find((ancestor) => ancestor !== element && isClipping(ancestor)) ?? null
  );
}

function isClipping(element: Element): boolean {
  return getComputedStyle(element).overflowY !== 'visible';
}

/** The element that covers the centre of another element. Null if the centre is uncovered or out of view. */
function coverOf(element: HTMLElement): Element | null {
  const target = targetOf(element);
  const { left, top, width, height } = target.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return null;
  for (const ancestor of ancestorsOf(target).filter(isClipping)) {
    const clip = ancestor.getBoundingClientRect();
    if (x < clip.left || x > clip.right || y < clip.top || y > clip.bottom) return null;
  }
  const topElement = topElementAt(x, y);
  if (
    !topElement ||
    ancestorsOf(topElement).includes(target) ||
    ancestorsOf(target).includes(topElement)
  )
    return null;
  return ancestorsOf(topElement).some((ancestor) => ancestor.matches(dismissibleOverlays))
    ? null
    : topElement;
}

function topElementAt(x: number, y: number): Element | null {
  let topElement = document.elementFromPoint(x, y);
  while (topElement?.shadowRoot) {
    const inner: Element | null = topElement.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === topElement) break;
    topElement = inner;
  }
  return topElement;
}

/** Finds animations that run despite `prefers-reduced-motion`. */
export function auditMotion(): string[] {
  const roots = [document, ...allElements().flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  const moving = new Set(roots.flatMap((root) => root.getAnimations()));
  return [...moving].flatMap(({ playState, effect, timeline }) => {
    // An animation on a scroll timeline, such as a fade at an edge, moves only when the user scrolls.
    if (!(timeline instanceof DocumentTimeline)) return [];
    // A delay without a duration is not motion.
    const { activeDuration = 0 } = effect?.getComputedTiming() ?? {};
    if (playState !== 'running' || Number(activeDuration) === 0) return [];
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    return [`motion: ${target ? describe(target) : 'something'} moves`];
  });
}
