/**
 * Keeps the bubble clear of fixed elements of the page. Imports nothing, because `inlay.js` loads this
 * module before the chat.
 */

/** Distance that the bubble is moved towards the centre of the window; the style sheets use it. */
const shiftProperty = '--inlay-shift';
/** Distance to an obstacle and to the far edge of the window, in CSS pixels. */
const gap = 12;
/** Largest height of an obstacle that the bubble passes, as a fraction of the window's height. */
const maxObstacle = 0.7;
/** Delay of a check after a change, and interval of checks until `settlingTime` has passed, in milliseconds. */
const interval = 120;
/** Longest expected animation of a bar that appears. */
const settlingTime = 1_500;
/** Interval of checks without a change: no event tells that a shadow root or a frame shows a bar. */
const idleInterval = 1_000;
/** Smallest height of an on-screen keyboard, as in `ViewportController`. */
const minKeyboardHeight = 40;
/** Points of the bubble that are tested in each direction, as fractions of its size. */
const fractions = [0.02, 0.26, 0.5, 0.74, 0.98];

const dialogs = 'dialog, [role=dialog], [role=alertdialog]';
const controls =
  'a, button, input, select, textarea, label, summary, iframe, [tabindex], [role=button]';
const launchers = 'inlay-launcher, inlay-bubble';

const hosts = new WeakSet<Element>();
const invalidSelectors = new Set<string>();

/**
 * Moves the bubble away from fixed elements that it would cover, such as a cookie bar, and back when they
 * are gone. On a phone, makes the bubble smaller while the page scrolls down, and hides it while the
 * on-screen keyboard is open. Ends when the host is removed from the page.
 *
 * @param host - An `inlay-launcher`, or the `inlay-bubble` of the script tag.
 * @param avoid - Returns a selector of more elements that the bubble should not cover.
 */
export function keepClear(host: HTMLElement, avoid: () => string | undefined): void {
  if (hosts.has(host)) return;
  hosts.add(host);
  try {
    // A registered property can have a transition.
    const syntax = { syntax: '<length>', inherits: true, initialValue: '0px' };
    CSS.registerProperty({ name: shiftProperty, ...syntax });
  } catch {
    // Registered by another copy of this module, or not supported: the bubble then moves without transition.
  }
  const abort = new AbortController();
  const { signal } = abort;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let settledAt = 0;
  let lastTop = scrollY;

  const check = () => {
    if (!host.isConnected) {
      hosts.delete(host);
      observer.disconnect();
      abort.abort();
      return;
    }
    timer = setTimeout(check, performance.now() < settledAt ? interval : idleInterval);
    update(host, avoid());
  };
  const wake = () => {
    if (performance.now() > settledAt) {
      clearTimeout(timer);
      timer = setTimeout(check, interval);
    }
    settledAt = performance.now() + settlingTime;
  };
  const handleScroll = () => {
    if (Math.abs(scrollY - lastTop) < 8) return;
    const isSmall = scrollY > lastTop && matchMedia('(pointer: coarse)').matches;
    lastTop = scrollY;
    const bubble = host.shadowRoot?.querySelector<HTMLElement>('.bubble');
    // 44 px of the default 56 px remain, which are enough for a finger.
    if (bubble) bubble.style.scale = isSmall ? '0.8' : '';
  };
  const observer = new MutationObserver(wake);
  observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true });
  for (const type of ['pointerup', 'keyup', 'scroll', 'transitionend', 'animationend', 'load']) {
    document.addEventListener(type, wake, { signal, capture: true, passive: true });
  }
  for (const target of [window, visualViewport])
    target?.addEventListener('resize', wake, { signal });
  window.addEventListener('scroll', handleScroll, { signal, passive: true });
  check();
  wake();
}

function update(host: HTMLElement, avoid: string | undefined): void {
  const layer = host.shadowRoot?.querySelector<HTMLElement>('.layer');
  const corner = layer?.querySelector<HTMLElement>('.corner');
  const viewport = visualViewport;
  // While the panel covers the page, the page is inert, which hit testing ignores.
  if (!layer || !corner || !viewport || layer.querySelector(':modal')) return;
  layer.style.transition = `${shiftProperty} var(--inlay-motion-settle, 220ms)`;
  const isKeyboardOpen = innerHeight - viewport.height * viewport.scale > minKeyboardHeight;
  corner.style.visibility = isKeyboardOpen ? 'hidden' : '';

  const box = corner.getBoundingClientRect();
  // CSS `zoom` of the page.
  const zoom = box.width / corner.offsetWidth || 1;
  const current = Number.parseFloat(getComputedStyle(layer).getPropertyValue(shiftProperty)) || 0;
  const search = { host, layer, box, rest: box.bottom + current * zoom, avoid };
  const shift = Math.round((findClear(search, false) ?? findClear(search, true) ?? 0) / zoom);
  // Above a bubble that is so high, there is no room for the panel.
  layer.toggleAttribute('data-shifted', shift * zoom > innerHeight / 4);
  if (shift !== (Number.parseFloat(host.style.getPropertyValue(shiftProperty)) || 0)) {
    host.style.setProperty(shiftProperty, `${shift}px`);
  }
}

interface Search {
  readonly host: Element;
  readonly layer: Element;
  readonly box: DOMRect;
  /** Lower edge of the bubble without a shift. */
  readonly rest: number;
  readonly avoid: string | undefined;
}

/**
 * Finds the smallest shift at which the bubble covers nothing; null if there is none.
 *
 * @param onlyControls - Whether the bubble may cover everything but buttons, links and fields.
 */
function findClear(
  { host, layer, box, rest, avoid }: Search,
  onlyControls: boolean,
): number | null {
  const page = layer.getBoundingClientRect();
  const isHigh = layer.hasAttribute('data-high');
  // Heights are counted from the edge of the window at which the bubble is.
  const reachOf = ({ top, bottom }: DOMRect) => (isHigh ? bottom - page.top : page.bottom - top);
  const start = isHigh ? rest - box.height - page.top : page.bottom - rest;
  const limit = page.height - box.height - gap;
  const named = avoid ? elementsOf(avoid) : [];

  /** How far the fixed element reaches that contains an element; 0 for none. */
  function reachOfFixed(element: Element, seen: Set<Element>): number {
    let reach = 0;
    const control = element.closest(controls);
    const controlReach = control ? reachOf(control.getBoundingClientRect()) : 0;
    for (let each = element; each !== document.body; ) {
      seen.add(each);
      const { position, opacity, overflowY, top, bottom } = getComputedStyle(each);
      if (opacity === '0') return 0;
      const own = each.getBoundingClientRect();
      const isPassable =
        own.height < page.height * maxObstacle && reachOf(own) + gap <= limit && !onlyControls;
      const scrolls = overflowY !== 'visible' && each.scrollHeight > each.clientHeight + 1;
      if (isPassable) reach = Math.max(reach, reachOf(own));
      else if (onlyControls || each.matches(dialogs)) reach = controlReach;
      // The content of an application whose root is fixed.
      else if (scrolls) reach = 0;
      const isStuck = position === 'sticky' && (isHigh ? top : bottom) !== 'auto';
      if (position === 'fixed' || isStuck) return reach;
      const parent =
        each.assignedSlot ?? each.parentElement ?? (each.getRootNode() as Partial<ShadowRoot>).host;
      if (!parent) break;
      each = parent;
    }
    return 0;
  }

  /** How far the elements at a point reach. */
  function reachAt(root: DocumentOrShadowRoot, x: number, y: number, seen: Set<Element>): number {
    let reach = 0;
    for (const element of root.elementsFromPoint(x, y)) {
      if (element === host || seen.has(element)) continue;
      seen.add(element);
      if (element.matches(launchers)) {
        // Of two launchers, the later one moves.
        const isEarlier = host.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING;
        const corner = isEarlier && element.shadowRoot?.querySelector('.corner');
        if (corner) reach = Math.max(reach, reachOf(corner.getBoundingClientRect()));
        continue;
      }
      if (element.shadowRoot) reach = Math.max(reach, reachAt(element.shadowRoot, x, y, seen));
      reach = Math.max(reach, reachOfFixed(element, seen));
    }
    return reach;
  }

  let near = start;
  // Each round passes at least one obstacle.
  for (let round = 0; round < 12 && near <= limit; round += 1) {
    let reach = 0;
    const seen = new Set<Element>();
    const edge = isHigh ? page.top + near : page.bottom - near - box.height;
    for (const element of named) {
      const own = element.getBoundingClientRect();
      const isCovered =
        own.left < box.right &&
        box.left < own.right &&
        own.top < edge + box.height &&
        edge < own.bottom;
      if (isCovered) reach = Math.max(reach, reachOf(own));
    }
    for (const x of fractions) {
      for (const y of fractions) {
        const at = [box.left + box.width * x, edge + box.height * y] as const;
        reach = Math.max(reach, reachAt(document, ...at, seen));
      }
    }
    if (reach === 0) return isHigh ? start - near : near - start;
    near = Math.max(reach, near) + gap;
  }
  return null;
}

/** Elements that match a selector of the page. An invalid selector is reported once. */
function elementsOf(selector: string): Element[] {
  try {
    if (!invalidSelectors.has(selector)) return [...document.querySelectorAll(selector)];
  } catch {
    invalidSelectors.add(selector);
    console.error(`inlay: the option “avoid” needs a CSS selector, and is “${selector}”`);
  }
  return [];
}
