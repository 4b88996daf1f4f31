/**
 * What axe does not look at, of what is on the page: sizes of targets, the way of the focus, text
 * that a person sets wider, and motion. Each finding is a line.
 */

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

/** WCAG 2.2, 1.4.12. */
const spacing = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-block-end: 2em !important; }`;

/** Every element of the page, in the order in which they are drawn and reached: slots included. */
export function everything(root: Node = document.body): HTMLElement[] {
  const within = (node: Node): HTMLElement[] => {
    if (!(node instanceof HTMLElement)) return [];
    return [node, ...childrenOf(node).flatMap(within)];
  };
  return within(root);
}

function childrenOf(element: HTMLElement): readonly Node[] {
  if (element instanceof HTMLSlotElement) {
    const assigned = element.assignedElements();
    return assigned.length > 0 ? assigned : [...element.children];
  }
  return [...(element.shadowRoot ?? element).children];
}

/** How an element is called in a finding. */
export function describe(element: Element): string {
  const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
  const root = element.getRootNode();
  const host = root instanceof ShadowRoot ? `${root.host.localName} ` : '';
  const words = name.replace(/\s+/g, ' ').trim().slice(0, 40);
  return `${host}${element.localName}${words ? ` “${words}”` : ''}`;
}

function isShown(element: HTMLElement): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
}

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

/** The element, and all that it is drawn in, from the inside out. */
function lineOf(element: Element): Element[] {
  const line: Element[] = [];
  for (let at: Element | null = element; at; at = above(at)) line.push(at);
  return line;
}

function above(element: Element): Element | null {
  const parent = element.assignedSlot ?? element.parentNode;
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}

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

/** Whether a part of a text lies outside the button it is in, or of a box that hides the rest. */
function isCutOff(text: Text, element: HTMLElement): boolean {
  const range = document.createRange();
  range.selectNodeContents(text);
  const drawn = range.getBoundingClientRect();
  const line = lineOf(element);
  // Names and previews are shortened wherever there is no room for them.
  const isShortened = line.some((one) => {
    const { textOverflow, webkitLineClamp } = getComputedStyle(one);
    return textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
  });
  if (isShortened) return false;
  return line.some((one) => {
    const { overflowX, overflowY } = getComputedStyle(one);
    const isButton = one.matches('button:not(.bubble), summary');
    const box = one.getBoundingClientRect();
    const isWide = drawn.left < box.left - 1 || drawn.right > box.right + 1;
    const isHigh = drawn.top < box.top - 3 || drawn.bottom > box.bottom + 3;
    return (
      ((isButton || overflowX === 'hidden') && isWide) ||
      ((isButton || overflowY === 'hidden') && isHigh)
    );
  });
}

/** Where less motion is asked for, nothing moves. */
export function auditMotion(): string[] {
  return everything().flatMap((element) =>
    element
      .getAnimations({ subtree: false })
      .filter(({ playState, effect }) => {
        const { endTime = 0 } = effect?.getComputedTiming() ?? {};
        return playState === 'running' && Number(endTime) > 0;
      })
      .map(() => `motion: ${describe(element)} moves`),
  );
}
