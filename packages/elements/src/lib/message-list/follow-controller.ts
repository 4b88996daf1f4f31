import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { Glide } from './glide.ts';
import { ReadingLine } from './reading-line.ts';

/**
 * Where the view goes by itself. `bottom`: with the end, while the reader is there. `question-top`:
 * what the user sends goes to the top of the view, and the answer grows below it. `off`: nowhere;
 * what the user sends is only brought into view.
 */
export type FollowMode = 'bottom' | 'question-top' | 'off';

/** How far from the end, in pixels, still counts as being there. */
const nearEnd = 40;

/** By what a reader scrolls. */
const hands = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointerup'] as const;

export interface FollowOptions {
  /** The first row of which something shows below `edge`, in pixels of the window. */
  readonly rowBelow: (edge: number) => HTMLElement | null;
  readonly rowOf: (key: string) => HTMLElement | null;
  readonly mode: () => FollowMode;
  /** The view moved, or may show something else. Never called while the browser lays out. */
  readonly onLook: () => void;
  /**
   * What stands in the scroller was laid out, and may be as tall as it was not before. True where
   * something else is to be drawn for it.
   */
  readonly onResize: (changes: readonly ResizeObserverEntry[]) => boolean;
}

/**
 * Keeps a scroller where its reader wants it: at its end while that grows, or with the line that is
 * being read where it is, whatever changes above and below. It does by itself what some browsers
 * call scroll anchoring, because not all have it. Below the content it keeps just the room that the
 * view needs to stay. It moves the scroller alone, never the page around it.
 */
export class FollowController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: FollowOptions;
  readonly #resize = new ResizeObserver((changes) => this.#handleResize(changes));
  readonly #glide = new Glide(() => this.#settle());
  #scroller: HTMLElement | null = null;
  #room: HTMLElement | null = null;
  #observed = new Set<Element>();
  #frame = 0;
  /** Whether to draw in that frame, and not only to look. */
  #stale = false;
  /** Null at the end, and where nothing can be read. */
  #line: ReadingLine | null = null;
  #following = true;
  #atEnd = true;
  #top = 0;
  /** The furthest the view could be scrolled when it was put there. */
  #end = 0;
  /** Until when a reader may be scrolling, by the page's clock, in milliseconds. */
  #hand = 0;
  /** Whether the view was away from the page, which may have put it to its top. */
  #away = true;

  constructor(host: ReactiveControllerHost, options: FollowOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** Whether the view goes with the end. */
  get following(): boolean {
    return this.#following;
  }

  /** Whether the end is in view. */
  get atEnd(): boolean {
    return this.#atEnd;
  }

  /** Key of the row that is being read, or gone to; null at the end. */
  get key(): string | null {
    return this.#line?.key ?? null;
  }

  /** What scrolls, and what makes room at its end. To be called once, after the first render. */
  attach(scroller: HTMLElement, room: HTMLElement) {
    this.#scroller = scroller;
    this.#room = room;
    this.hostConnected();
  }

  hostConnected() {
    this.#scroller?.addEventListener('scroll', this.#handleScroll, { passive: true });
    for (const type of hands) {
      this.#scroller?.addEventListener(type, this.#handleHand, { passive: true });
    }
    this.hostUpdated();
  }

  hostDisconnected() {
    this.#scroller?.removeEventListener('scroll', this.#handleScroll);
    for (const type of hands) this.#scroller?.removeEventListener(type, this.#handleHand);
    this.#resize.disconnect();
    this.#observed.clear();
    this.#glide.stop();
    this.#away = true;
    cancelAnimationFrame(this.#frame);
  }

  hostUpdate() {
    if (this.#scroller && !this.#away) this.#handleMove(this.#scroller);
  }

  hostUpdated() {
    const scroller = this.#scroller;
    const { parentElement } = this.#room ?? {};
    if (!scroller || !parentElement) return;
    // The room is left out: it is made by what is learnt here.
    const wanted = new Set([scroller, ...parentElement.children]);
    if (this.#room) wanted.delete(this.#room);
    const gone = [...this.#observed].filter((element) => !wanted.has(element));
    const come = [...wanted].filter((element) => !this.#observed.has(element));
    this.#observed = wanted;
    for (const element of gone) this.#resize.unobserve(element);
    for (const element of come) this.#resize.observe(element, { box: 'border-box' });
    // WebKit scrolls up when, in the middle of all this, little is left. The reader did not.
    if (gone.length > 0 && !this.#away) this.#top = scroller.scrollTop;
  }

  /** Goes to the end and stays there. */
  toEnd() {
    const distance = this.#scroller ? this.#distance(this.#scroller) : 0;
    this.#following = true;
    this.#line = null;
    this.#begin(distance);
  }

  /**
   * Brings a row to the top of the view, with room made below it where too little follows. It has
   * to be in the page.
   */
  toTop(row: HTMLElement) {
    this.#place(row, 0);
  }

  /** Brings a row to the top of the view, or as near to it as what follows allows. */
  toRow(row: HTMLElement) {
    const scroller = this.#scroller;
    if (!scroller || !this.#room) return;
    const after = this.#room.getBoundingClientRect().top - row.getBoundingClientRect().top;
    const rest = scroller.clientHeight - after - this.#leastRoom;
    if (rest <= 0) this.#place(row, 0);
    else if (this.#options.mode() === 'bottom') this.toEnd();
    else this.#place(row, rest);
  }

  /** Brings a row into view, as far as it has to be moved. */
  intoView(row: HTMLElement) {
    const scroller = this.#scroller;
    if (!scroller) return;
    const { top, bottom, height } = row.getBoundingClientRect();
    const edge = this.#edge(scroller);
    const lowest = Math.max(0, scroller.clientHeight - height - this.#leastRoom);
    if (top < edge) this.#place(row, 0);
    else if (bottom > edge + scroller.clientHeight) this.#place(row, lowest);
  }

  /** Stays at the line that is being read, whatever comes. */
  hold() {
    if (!this.#scroller || this.#scroller.clientHeight === 0) return;
    this.#glide.stop();
    this.#following = false;
    this.#read(this.#scroller);
  }

  /** Begins anew, at the end. */
  reset() {
    this.#glide.stop();
    this.#following = true;
    this.#line = null;
  }

  /** In pixels. */
  get #leastRoom(): number {
    return this.#room ? Number.parseFloat(getComputedStyle(this.#room).minBlockSize) : 0;
  }

  /** Brings a row to so many pixels below the top of the view, and keeps it there. */
  #place(row: HTMLElement, top: number) {
    const scroller = this.#scroller;
    if (!scroller) return;
    this.#following = false;
    this.#line = ReadingLine.ofRow(row, top);
    this.#begin(this.#line.moved(row, this.#edge(scroller)) ?? 0);
  }

  #begin(distance: number) {
    const scroller = this.#scroller;
    if (!scroller) return;
    // Further away, nothing is drawn on the way there.
    const isNear = Math.abs(distance) <= scroller.clientHeight;
    this.#glide.start(isNear ? distance : 0, scroller);
    this.#top = scroller.scrollTop;
    this.#host.requestUpdate();
    this.#look();
  }

  #edge(scroller: HTMLElement): number {
    return scroller.getBoundingClientRect().top + scroller.clientTop;
  }

  /** How far it is to the end, in pixels. */
  #distance({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
    return scrollHeight - scrollTop - clientHeight;
  }

  #read(scroller: HTMLElement) {
    const edge = this.#edge(scroller);
    const row = this.#options.rowBelow(edge);
    const bottom = edge + scroller.clientHeight;
    // While the view goes fast, it may show nothing that is drawn already.
    const isShown = row !== null && row.getBoundingClientRect().top < bottom;
    this.#line = isShown ? ReadingLine.first(row, edge, bottom) : null;
  }

  /** Puts the view where it is to be. */
  #settle() {
    const scroller = this.#scroller;
    const room = this.#room;
    if (!scroller || !room || scroller.clientHeight === 0) return;
    const edge = this.#edge(scroller);
    const line = this.#line;
    const moved = line?.moved(this.#options.rowOf(line.key), edge) ?? 0;
    let aim = scroller.scrollTop + moved;
    const end = room.getBoundingClientRect().top - edge + scroller.scrollTop;
    const lowest = Math.max(aim, aim - this.#glide.left);
    this.#makeRoom(room, this.#following ? 0 : lowest + scroller.clientHeight - end);
    if (this.#following) aim = scroller.scrollHeight - scroller.clientHeight;

    const next = aim - this.#glide.left;
    if (Math.abs(next - scroller.scrollTop) >= 0.5) scroller.scrollTop = next;
    this.#top = scroller.scrollTop;
    this.#end = scroller.scrollHeight - scroller.clientHeight;
    // Above the first row there is nothing to scroll to: then the line has moved for good.
    const isLost = !line || this.#top - next > 1 || this.#isCovered(line, edge);
    if (!this.#following && isLost) this.#read(scroller);
    this.#setAtEnd(end - aim - scroller.clientHeight <= nearEnd);
  }

  /** Whether what is read is not the line any more: after a long way, what was above it is drawn later. */
  #isCovered(line: ReadingLine, edge: number): boolean {
    return line.isUnderNothing && this.#options.rowBelow(edge)?.dataset.key !== line.key;
  }

  #makeRoom(room: HTMLElement, size: number) {
    const wanted = `${Math.max(0, size)}px`;
    if (room.style.blockSize !== wanted) room.style.setProperty('block-size', wanted);
  }

  #setAtEnd(atEnd: boolean) {
    if (atEnd === this.#atEnd) return;
    this.#atEnd = atEnd;
    this.#stale = true;
    this.#lookSoon();
  }

  /** Once the layout is done: drawing while the browser measures would make it measure again. */
  #lookSoon() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      if (this.#stale) this.#host.requestUpdate();
      this.#stale = false;
      this.#look();
    });
  }

  #handleResize(changes: readonly ResizeObserverEntry[]) {
    const scroller = this.#scroller;
    // An element that is not shown has no sizes to learn from.
    if (!scroller?.clientHeight) {
      this.#away = true;
      return;
    }
    if (this.#away) this.#top = scroller.scrollTop;
    this.#away = false;
    if (this.#options.onResize(changes)) this.#stale = true;
    this.#handleMove(scroller);
    this.#settle();
    this.#lookSoon();
  }

  #handleScroll = () => {
    if (!this.#away) this.#look();
  };

  #handleHand = ({ type }: Event) => {
    // Whoever holds the bar may hold it for long, and browsers do not tell of letting it go.
    this.#hand = type === 'pointerdown' ? Number.POSITIVE_INFINITY : performance.now() + 1000;
  };

  /** Puts all in its place first: what has just changed must not show where the reader is not. */
  #look() {
    if (!this.#scroller) return;
    this.#handleMove(this.#scroller);
    this.#settle();
    this.#options.onLook();
  }

  /** Finds out whether the reader has scrolled: only what is neither our move nor the browser's. */
  #handleMove(scroller: HTMLElement) {
    const distance = scroller.scrollTop - this.#top;
    // Content that became shorter is no reader who left, also where it has grown again meanwhile.
    const left = this.#distance(scroller);
    const changed = Math.abs(scroller.scrollTop + left - this.#end) >= 1;
    const isNobody = this.#following && changed && performance.now() > this.#hand;
    const slipped = distance < 0 && (left <= 1 || isNobody);
    if (Math.abs(distance) >= 0.5 && !slipped) this.#handleReader(scroller, distance);
  }

  #handleReader(scroller: HTMLElement, distance: number) {
    this.#top = scroller.scrollTop;
    this.#glide.stop();
    if (this.#following) {
      if (distance < 0) this.hold();
    } else if (this.#options.mode() === 'bottom' && distance > 0 && this.#isNearEnd(scroller)) {
      this.#following = true;
      this.#line = null;
    } else {
      // What changed in the same moment must not pass for the reader's move.
      const row = this.#line && this.#options.rowOf(this.#line.key);
      this.#line = row && this.#line ? this.#line.shifted(row, -distance) : null;
      this.#settle();
      this.#read(scroller);
    }
    this.#settle();
  }

  #isNearEnd(scroller: HTMLElement): boolean {
    return this.#distance(scroller) <= nearEnd;
  }
}
