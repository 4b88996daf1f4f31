/**
 * What axe does not look at, of what is on the page: sizes of targets, the way of the focus, and
 * motion. Each finding is a line.
 */

import { above, describe, everything, isShown, lineOf } from './tree.ts';

/** What a person presses, or writes into. */
const targets =
  'a[href], button, input, select, textarea, summary, [role="option"], [role="menuitem"]';

/** What can have the focus: scrolling boxes as well. */
const stops = `${targets}, [tabindex]`;

/** WCAG 2.2, 2.5.8. */
const smallest = 24;

/** What stands in a line of text is as high as the line: 2.5.8 excepts it. */
const inText = 'p a, li a, td a, sup a, sup button, .source-card a, .blocked-image';

/** What a person opens over the conversation, and closes with Escape or by going on: 2.4.11 excepts it. */
const passing = '[popover], inlay-menu, .quote, .suggestions';

function isDisabled(element: HTMLElement): boolean {
  return element.matches(':disabled') || element.closest('[inert]') !== null;
}

/** A box to tick is pressed by its label. */
function targetOf(element: HTMLElement): HTMLElement {
  const isBox = element instanceof HTMLInputElement && /radio|checkbox/.test(element.type);
  return (isBox && element.closest('label')) || element;
}

/** @param least - In CSS pixels: how wide and high a target is at least. */
export function auditTargets(least = smallest): string[] {
  return everything()
    .filter((element) => element.matches(targets) && !element.matches(inText))
    .filter((element) => isShown(element) && !isDisabled(element))
    .flatMap((element) => {
      const { width, height } = targetOf(element).getBoundingClientRect();
      const isSmall = Math.min(width, height) < least - 0.5;
      const size = `${Math.round(width)} × ${Math.round(height)}`;
      return isSmall ? [`target-size: ${describe(element)} is ${size} px`] : [];
    });
}

/** What the Tab key comes to, in its order. */
function stopsOnTheWay(): HTMLElement[] {
  return everything().filter(
    (element) =>
      element.matches(stops) &&
      element.tabIndex >= 0 &&
      !isDisabled(element) &&
      element.checkVisibility({ visibilityProperty: true }),
  );
}

/** Who goes by the Tab key meets what is to be seen, and in the order in which it stands. */
export function auditOrder(): string[] {
  const rtl = getComputedStyle(document.documentElement).direction === 'rtl';
  return stopsOnTheWay().flatMap((stop, index, all) => {
    const found: string[] = [];
    const name = describe(stop);
    if (stop.tabIndex > 0) found.push(`tab-order: ${name} has a positive tabindex`);
    if (!isShown(stop)) found.push(`tab-order: ${name} has no size`);
    if (stop.closest('[aria-hidden="true"]')) found.push(`tab-order: ${name} is hidden from some`);
    const before = all[index - 1];
    if (before && scrollerOf(before) === scrollerOf(stop) && goesBack(before, stop, rtl)) {
      found.push(`tab-order: ${describe(before)} comes before ${name}, which is above it`);
    }
    return found;
  });
}

/** Gives the focus to one after the other: each shows it, and none has it under something else. */
export function auditFocus(): string[] {
  return stopsOnTheWay().flatMap((stop) => {
    if (!isShown(stop)) return [];
    stop.blur();
    const before = looksAround(stop);
    stop.focus();
    // What the focus closes on its way is gone, and can't be looked at.
    if (!stop.matches(':focus') || !isShown(stop)) return [];
    const found: string[] = [];
    if (looksAround(stop) === before) found.push(`focus-visible: ${describe(stop)} looks the same`);
    const cover = coverOf(stop);
    if (cover) found.push(`focus-obscured: ${describe(stop)} lies under ${describe(cover)}`);
    stop.blur();
    return found;
  });
}

/** By what the focus is shown: on the element itself, or on a box around it. */
function looksAround(element: HTMLElement): string {
  const looks: string[] = [];
  let at: Element | null = element;
  for (let up = 0; at && up < 3; up += 1, at = above(at)) {
    const { outline, boxShadow, borderColor } = getComputedStyle(at);
    looks.push(outline, boxShadow, borderColor);
  }
  return looks.join();
}

/** Whether the next one is above, and not in the next column. */
function goesBack(one: Element, next: Element, rtl: boolean): boolean {
  const a = one.getBoundingClientRect();
  const b = next.getBoundingClientRect();
  const beside = rtl ? b.right <= a.left + 1 : b.left >= a.right - 1;
  return b.bottom <= a.top && !beside;
}

function scrollerOf(element: Element): Element | null {
  return lineOf(element).find((one) => one !== element && isClipping(one)) ?? null;
}

function isClipping(element: Element): boolean {
  return getComputedStyle(element).overflowY !== 'visible';
}

/** What is drawn over its middle, though the middle is in view; null for nothing. */
function coverOf(element: HTMLElement): Element | null {
  const target = targetOf(element);
  const { left, top, width, height } = target.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return null;
  for (const one of lineOf(target).filter(isClipping)) {
    const clip = one.getBoundingClientRect();
    if (x < clip.left || x > clip.right || y < clip.top || y > clip.bottom) return null;
  }
  const drawn = drawnAt(x, y);
  if (!drawn || lineOf(drawn).includes(target) || lineOf(target).includes(drawn)) return null;
  return lineOf(drawn).some((one) => one.matches(passing)) ? null : drawn;
}

function drawnAt(x: number, y: number): Element | null {
  let drawn = document.elementFromPoint(x, y);
  while (drawn?.shadowRoot) {
    const inner: Element | null = drawn.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === drawn) break;
    drawn = inner;
  }
  return drawn;
}

/** Where less motion is asked for, nothing moves. */
export function auditMotion(): string[] {
  const roots = [document, ...everything().flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  const moving = new Set(roots.flatMap((root) => root.getAnimations()));
  return [...moving].flatMap(({ playState, effect }) => {
    // What waits, and then is there at once, does not move.
    const { activeDuration = 0 } = effect?.getComputedTiming() ?? {};
    if (playState !== 'running' || Number(activeDuration) === 0) return [];
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    return [`motion: ${target ? describe(target) : 'something'} moves`];
  });
}
