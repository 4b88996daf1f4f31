import type { ReactiveController, ReactiveControllerHost } from 'lit';

export interface TeaserOptions {
  /** Text and delay in seconds of the teaser; null for none. */
  readonly plan: () => { readonly text: string; readonly delay: number } | null;
  readonly onShow: () => void;
}

/** Shows the teaser once, after a delay. */
export class TeaserController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: TeaserOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #planned = '';
  #text = '';
  /** Whether the teaser was shown on this page, even if storage is not available. */
  #done = false;

  constructor(host: ReactiveControllerHost, options: TeaserOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** Text of the teaser; empty while it is hidden. */
  get text(): string {
    return this.#text;
  }

  show(text: string): void {
    this.#text = text;
    this.#done = true;
    this.#options.onShow();
    this.#host.requestUpdate();
  }

  hide(): void {
    if (!this.#text) return;
    this.#text = '';
    this.#host.requestUpdate();
  }

  hostUpdated() {
    const plan = this.#done ? null : this.#options.plan();
    const planned = plan ? `${plan.delay} ${plan.text}` : '';
    if (planned === this.#planned) return;
    this.hostDisconnected();
    this.#planned = planned;
    if (plan) this.#timer = setTimeout(() => this.show(plan.text), plan.delay * 1000);
  }

  hostDisconnected() {
    clearTimeout(this.#timer);
    this.#planned = '';
  }
}
