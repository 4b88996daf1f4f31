import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { ReadingLine } from './reading-line.ts';
import { ScrollAnimation } from './scroll-animation.ts';

/**
 * Automatic scrolling. `bottom` keeps the end in view while the user is there. `question-top` scrolls
 * a sent message to the top, and the answer grows below it. `off` only scrolls a sent message into
 * view.
 */
export type FollowMode = 'bottom' | 'question-top' | 'off';

/** Maximum distance from the end at which the view follows the end, in CSS pixels. */
const nearEnd = 40;

/** Events by which the user can scroll. */
const inputEvents = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointerup'] as const;

export interface FollowOptions {
  /** Returns the first row that reaches below `edge`, in CSS pixels of the viewport. */
  readonly rowBelow: (edge: number) => HTMLElement | null;
  readonly rowOf: (key: string) => HTMLElement | null;
  readonly mode: () => FollowMode;
  /** Whether there are no entries. */
  readonly isEmpty: () => boolean;
  /** Called when the visible range may have changed. Never called during layout. */
  readonly onViewChange: () => void;
  /** Whether the content has more rows below those that are rendered. */
  readonly hasMoreBelow: () => boolean;
}

/**
 * Keeps the scroll position: at the end while content is appended, or at the line being read while
 * content above or below it changes. Implements scroll anchoring, which some browsers lack. Adds
 * space below the content if the position would be out of range. Scrolls the scroller only, never
 * the page.
 */
export class FollowController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: FollowOptions;
  readonly #resize = new ResizeObserver(() => this.#handleResize());
  readonly #animation = new ScrollAnimation(() => this.#settle());
  #scroller: HTMLElement | null = null;
  #spacer: HTMLElement | null = null;
  #observedElements = new Set<Element>();
  #frame = 0;
  /** Whether the next frame has to request an update. */
  #needsUpdate = false;
  /** The line being read; null while following the end or if no line is visible. */
  #line: ReadingLine | null = null;
  #following = true;
  #atEnd = true;
  #top = 0;
  /** Largest possible scroll position when the view was last positioned, in CSS pixels. */
  #maxScrollTop = 0;
  /** Time until which scrolling is attributed to the user, as a `performance.now()` value. */
  #userScrollUntil = 0;
  /** Whether the scroller was hidden or removed, which may have reset its position. */
  #isHidden = true;

  constructor(host: ReactiveControllerHost, options: FollowOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** Whether the view follows the end. */
  get following(): boolean {
    return this.#following;
  }

  /** Whether the end is in view. */
  get atEnd(): boolean {
    return this.#atEnd;
  }

  /** Key of the row that is being read or was scrolled to; null while following the end. */
  get key(): string | null {
    return this.#line?.key ?? null;
  }

  /**
   * Sets the elements. Call it once, after the first render.
   *
   * @param scroller - The scroll container.
   * @param spacer - The spacer at the end of its content.
   */
  attach(scroller: HTMLElement, spacer: HTMLElement) {
    this.#scroller = scroller;
    this.#spacer = spacer;
    this.hostConnected();
  }

  hostConnected() {
    this.#scroller?.addEventListener('scroll', this.#handleScroll, { passive: true });
    for (const type of inputEvents) {
      this.#scroller?.addEventListener(type, this.#handleInput, { passive: true });
    }
    this.hostUpdated();
  }

  hostDisconnected() {
    this.#scroller?.removeEventListener('scroll', this.#handleScroll);
    for (const type of inputEvents) this.#scroller?.removeEventListener(type, this.#handleInput);
    this.#resize.disconnect();
    this.#observedElements.clear();
    this.#animation.stop();
    this.#isHidden = true;
    cancelAnimationFrame(this.#frame);
  }

  hostUpdate() {
    if (this.#scroller && !this.#isHidden) this.#handleMove(this.#scroller);
  }

  hostUpdated() {
    const scroller = this.#scroller;
    const spacer = this.#spacer;
    if (!scroller || !spacer?.parentElement) return;
    const removed = this.#observedElements;
    const observed = new Set([scroller, ...spacer.parentElement.children]);
    // The spacer is not observed, because its height is set from these measurements.
    observed.delete(spacer);
    for (const element of observed) {
      if (!removed.delete(element)) this.#resize.observe(element, { box: 'border-box' });
    }
    for (const element of removed) this.#resize.unobserve(element);
    this.#observedElements = observed;
    // WebKit scrolls up if the content is short for a moment during an update.
    if (removed.size > 0 && !this.#isHidden) this.#top = scroller.scrollTop;
  }

  /** Scrolls to the end and follows it. */
  scrollToEnd() {
    const distance = this.#scroller ? this.#distance(this.#scroller) : 0;
    this.#following = true;
    this.#line = null;
    this.#startScroll(distance);
  }

  /** Scrolls a row to the top of the view, as far as the content below it allows. */
  scrollRowTowardsTop(row: HTMLElement) {
    const scroller = this.#scroller;
    if (!scroller || !this.#spacer) return;
    const after = this.#spacer.getBoundingClientRect().top - row.getBoundingClientRect().top;
    const space = scroller.clientHeight - after - this.#minSpacerHeight;
    if (space <= 0) this.scrollRowToTop(row);
    else if (this.#options.mode() === 'bottom') this.scrollToEnd();
    else this.scrollRowToTop(row, space);
  }

  /** Scrolls a row into view by the shortest distance. */
  scrollRowIntoView(row: HTMLElement) {
    const scroller = this.#scroller;
    if (!scroller) return;
    const { top, bottom, height } = row.getBoundingClientRect();
    const edge = this.#edge(scroller);
    const lowest = Math.max(0, scroller.clientHeight - height - this.#minSpacerHeight);
    if (top < edge) this.scrollRowToTop(row);
    else if (bottom > edge + scroller.clientHeight) this.scrollRowToTop(row, lowest);
  }

  /** Corrects the position immediately after rows were added out of view. */
  correct() {
    if (!this.#scroller || this.#isHidden) return;
    this.#handleMove(this.#scroller);
    this.#settle();
  }

  /** Stops following the end and keeps the line that is being read. */
  hold() {
    if (!this.#scroller || this.#scroller.clientHeight === 0) return;
    this.#animation.stop();
    this.#following = false;
    this.#read(this.#scroller);
  }

  /** Resets the position to the end, for another conversation. */
  reset() {
    this.#animation.stop();
    this.#following = true;
    this.#line = null;
  }

  /** Minimum height of the spacer, in CSS pixels. */
  get #minSpacerHeight(): number {
    return this.#spacer ? Number.parseFloat(getComputedStyle(this.#spacer).minBlockSize) : 0;
  }

  /**
   * Scrolls a rendered row to the top of the view or to a distance from it, in CSS pixels, and keeps it there.
   * Adds space below the content if needed.
   *
   * @param top - By default, the scroll margin of the row.
   */
  scrollRowToTop(row: HTMLElement, top = Number.parseFloat(getComputedStyle(row).scrollMarginTop)) {
    const scroller = this.#scroller;
    if (!scroller) return;
    this.#following = false;
    this.#line = ReadingLine.ofRow(row, top);
    this.#startScroll(this.#line.moved(row, this.#edge(scroller)) ?? 0);
  }

  #startScroll(distance: number) {
    const scroller = this.#scroller;
    if (!scroller) return;
    // Farther away, rows on the way are not rendered, so the scrolling is not animated.
    const isNear = Math.abs(distance) <= scroller.clientHeight;
    this.#animation.start(isNear ? distance : 0, scroller);
    this.#top = scroller.scrollTop;
    this.#host.requestUpdate();
    this.#updateView();
  }

  #edge(scroller: HTMLElement): number {
    return scroller.getBoundingClientRect().top + scroller.clientTop;
  }

  /** Distance to the end, in CSS pixels. */
  #distance({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
    return scrollHeight - scrollTop - clientHeight;
  }

  #read(scroller: HTMLElement) {
    const edge = this.#edge(scroller);
    const row = this.#options.rowBelow(edge);
    const bottom = edge + scroller.clientHeight;
    // During fast scrolling, the view may contain no rendered row.
    const isShown = row !== null && row.getBoundingClientRect().top < bottom;
    this.#line = isShown ? ReadingLine.first(row, edge, bottom) : null;
  }

  /** Corrects the scroll position after a change of the content. */
  #settle() {
    const scroller = this.#scroller;
    const spacer = this.#spacer;
    if (!scroller || !spacer || scroller.clientHeight === 0) return;
    const edge = this.#edge(scroller);
    const line = this.#line;
    const moved = line?.moved(this.#options.rowOf(line.key), edge) ?? 0;
    let target = scroller.scrollTop + moved;
    const end = spacer.getBoundingClientRect().top - edge + scroller.scrollTop;
    const lowest = Math.max(target, target - this.#animation.remaining);
    this.#setSpacerHeight(spacer, this.#following ? 0 : lowest + scroller.clientHeight - end);
    // A tall welcome screen is read from its start.
    if (this.#following && !this.#options.isEmpty())
      target = scroller.scrollHeight - scroller.clientHeight;

    const next = target - this.#animation.remaining;
    if (Math.abs(next - scroller.scrollTop) >= 0.5) scroller.scrollTop = next;
    this.#top = scroller.scrollTop;
    this.#maxScrollTop = scroller.scrollHeight - scroller.clientHeight;
    // If keeping the line would need a position above the first row, the reading line is determined
    // again.
    const isLost = !line || this.#top - next > 1;
    if (!this.#following && isLost) this.#read(scroller);
    const isAtEnd = end - target - scroller.clientHeight <= nearEnd;
    this.#setAtEnd(isAtEnd && !this.#options.hasMoreBelow());
  }

  #setSpacerHeight(spacer: HTMLElement, size: number) {
    const observed = `${Math.max(0, size)}px`;
    if (spacer.style.blockSize !== observed) spacer.style.setProperty('block-size', observed);
  }

  #setAtEnd(atEnd: boolean) {
    if (atEnd === this.#atEnd) return;
    this.#atEnd = atEnd;
    this.#needsUpdate = true;
    this.#scheduleUpdateView();
  }

  /** Waits for the next frame: rendering in a resize observer callback would cause another layout. */
  #scheduleUpdateView() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      if (this.#needsUpdate) this.#host.requestUpdate();
      this.#needsUpdate = false;
      this.#updateView();
    });
  }

  #handleResize() {
    const scroller = this.#scroller;
    // A hidden element has no size.
    if (!scroller?.clientHeight) {
      this.#isHidden = true;
      return;
    }
    if (this.#isHidden) this.#top = scroller.scrollTop;
    this.#isHidden = false;
    this.#handleMove(scroller);
    this.#settle();
    this.#scheduleUpdateView();
  }

  #handleScroll = () => {
    if (!this.#isHidden) this.#updateView();
  };

  #handleInput = ({ type }: Event) => {
    // A scrollbar drag has no time limit, and browsers do not report its end.
    this.#userScrollUntil =
      type === 'pointerdown' ? Number.POSITIVE_INFINITY : performance.now() + 1000;
  };

  /** Corrects the scroll position, and then reports the visible range, which depends on it. */
  #updateView() {
    if (!this.#scroller) return;
    this.#handleMove(this.#scroller);
    this.#settle();
    this.#options.onViewChange();
  }

  /** Handles a change of the scroll position if the user caused it, not this controller or the browser. */
  #handleMove(scroller: HTMLElement) {
    const distance = scroller.scrollTop - this.#top;
    const distanceToEnd = this.#distance(scroller);
    const maxScrollTop = scroller.scrollTop + distanceToEnd;
    // Browsers move a position that is out of range. WebKit does so in each layout of a frame, and the
    // content may be shorter in the first layout than in the layout after container queries.
    const isOutOfRange = distanceToEnd <= 1 || maxScrollTop < this.#top;
    // The position also changes if the content gets shorter, even if it has grown again since.
    const changed = Math.abs(maxScrollTop - this.#maxScrollTop) >= 1;
    const isBrowserScroll = this.#following && changed && performance.now() > this.#userScrollUntil;
    const isAdjustment = distance < 0 && (isOutOfRange || isBrowserScroll);
    if (Math.abs(distance) >= 0.5 && !isAdjustment) this.#handleUserScroll(scroller, distance);
  }

  #handleUserScroll(scroller: HTMLElement, distance: number) {
    this.#top = scroller.scrollTop;
    this.#animation.stop();
    if (this.#following) {
      if (distance < 0) this.hold();
    } else if (this.#options.mode() === 'bottom' && distance > 0 && this.#isNearEnd(scroller)) {
      this.#following = true;
      this.#line = null;
    } else {
      // A change of the content in the same frame must not be attributed to the user.
      const row = this.#line && this.#options.rowOf(this.#line.key);
      this.#line = row && this.#line ? this.#line.shifted(row, -distance) : null;
      this.#settle();
      this.#read(scroller);
    }
    this.#settle();
  }

  #isNearEnd(scroller: HTMLElement): boolean {
    return this.#distance(scroller) <= nearEnd && !this.#options.hasMoreBelow();
  }
}
