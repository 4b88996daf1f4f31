/**
 * Scroll animation as a remaining distance that eases to zero. The target is read again in each
 * frame, so it may move during the animation. The duration is the scroller's `transition-duration`,
 * which is zero with reduced motion.
 */
export class Glide {
  readonly #onMove: () => void;
  #distance = 0;
  #startedAt = 0;
  #duration = 0;
  #frame = 0;
  #left = 0;

  constructor(onMove: () => void) {
    this.#onMove = onMove;
  }

  /** Remaining distance in CSS pixels. */
  get left(): number {
    return this.#left;
  }

  start(distance: number, scroller: HTMLElement) {
    this.stop();
    const seconds = Number.parseFloat(getComputedStyle(scroller).transitionDuration);
    // A hidden page gets no animation frames.
    if (document.hidden || !(seconds > 0) || Math.abs(distance) < 1) return;
    this.#distance = distance;
    this.#left = distance;
    this.#duration = seconds * 1000;
    this.#startedAt = performance.now();
    this.#frame = requestAnimationFrame(this.#step);
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.#left = 0;
  }

  #step = () => {
    const progress = Math.min(1, (performance.now() - this.#startedAt) / this.#duration);
    this.#left = this.#distance * (1 - progress) ** 3;
    if (progress < 1) this.#frame = requestAnimationFrame(this.#step);
    this.#onMove();
  };
}
