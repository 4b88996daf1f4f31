/**
 * Eases the remaining distance of a scroll animation to zero, and calls `onMove` in each frame. `onMove`
 * sets the scroll position to the target minus `remaining`, so the target may move during the
 * animation. The duration is the scroller's `transition-duration`, which is zero with reduced motion.
 */
export class ScrollAnimation {
  readonly #onMove: () => void;
  #distance = 0;
  #startedAt = 0;
  #duration = 0;
  #frame = 0;
  #remaining = 0;

  constructor(onMove: () => void) {
    this.#onMove = onMove;
  }

  /** Remaining distance in CSS pixels. */
  get remaining(): number {
    return this.#remaining;
  }

  start(distance: number, scroller: HTMLElement) {
    this.stop();
    const seconds = Number.parseFloat(getComputedStyle(scroller).transitionDuration);
    // A hidden page gets no animation frames.
    if (document.hidden || !(seconds > 0) || Math.abs(distance) < 1) return;
    this.#distance = distance;
    this.#remaining = distance;
    this.#duration = seconds * 1000;
    this.#startedAt = performance.now();
    this.#frame = requestAnimationFrame(this.#step);
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.#remaining = 0;
  }

  #step = () => {
    const progress = Math.min(1, (performance.now() - this.#startedAt) / this.#duration);
    this.#remaining = this.#distance * (1 - progress) ** 3;
    if (progress < 1) this.#frame = requestAnimationFrame(this.#step);
    this.#onMove();
  };
}
