import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Tolerance for fractional scroll positions, in CSS pixels. */
const tolerance = 2;

/**
 * Observes whether the end of a scroll container was in view. A container that fits without scrolling
 * counts as read as soon as it is rendered.
 */
export class ReadToEnd implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #box: () => HTMLElement | null;
  #observed: HTMLElement | null = null;
  #observer: ResizeObserver | undefined;
  #isRead = false;

  /** @param box - Returns the container; null if there is nothing to read. */
  constructor(host: ReactiveControllerHost, box: () => HTMLElement | null) {
    this.#host = host;
    this.#box = box;
    host.addController(this);
  }

  get isRead(): boolean {
    return this.#isRead;
  }

  /** Starts again, for other content. */
  restart(): void {
    this.#isRead = false;
  }

  hostConnected() {
    this.#host.requestUpdate();
  }

  hostUpdated() {
    const box = this.#box();
    if (box !== this.#observed) {
      this.hostDisconnected();
      this.#observed = box;
      if (box) {
        // The box may be hidden at first, and has no size then.
        this.#observer = new ResizeObserver(this.#check);
        this.#observer.observe(box);
        box.addEventListener('scroll', this.#check, { passive: true });
      }
    }
    this.#check();
  }

  hostDisconnected() {
    this.#observer?.disconnect();
    this.#observed?.removeEventListener('scroll', this.#check);
    this.#observed = null;
  }

  readonly #check = () => {
    const box = this.#observed;
    if (this.#isRead || !box || box.clientHeight === 0) return;
    if (box.scrollTop + box.clientHeight < box.scrollHeight - tolerance) return;
    this.#isRead = true;
    this.#host.requestUpdate();
  };
}
