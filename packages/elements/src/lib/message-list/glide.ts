/**
 * A distance that shrinks to nothing in a moment: where the scroller is to go is asked anew in
 * each frame, so a goal that moves meanwhile is met all the same. How long it takes is the
 * scroller's own `transition-duration`: nothing where motion is not wanted.
 */
export class Glide {
  readonly #onMove: () => void;
  #distance = 0;
  #began = 0;
  #duration = 0;
  #frame = 0;
  #left = 0;

  constructor(onMove: () => void) {
    this.#onMove = onMove;
  }

  /** How many pixels are still to go. */
  get left(): number {
    return this.#left;
  }

  start(distance: number, scroller: HTMLElement) {
    this.stop();
    const seconds = Number.parseFloat(getComputedStyle(scroller).transitionDuration);
    // A page that is not shown has no frames.
    if (document.hidden || !(seconds > 0) || Math.abs(distance) < 1) return;
    this.#distance = distance;
    this.#left = distance;
    this.#duration = seconds * 1000;
    this.#began = performance.now();
    this.#frame = requestAnimationFrame(this.#step);
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.#left = 0;
  }

  #step = () => {
    const part = Math.min(1, (performance.now() - this.#began) / this.#duration);
    this.#left = this.#distance * (1 - part) ** 3;
    if (part < 1) this.#frame = requestAnimationFrame(this.#step);
    this.#onMove();
  };
}
