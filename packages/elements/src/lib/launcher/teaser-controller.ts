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
  #plannedKey = '';
  #text = '';
  /** Whether the teaser was shown since the page was loaded. Does not depend on storage. */
  #wasShown = false;

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
    this.#wasShown = true;
    this.#options.onShow();
    this.#host.requestUpdate();
  }

  hide(): void {
    if (!this.#text) return;
    this.#text = '';
    this.#host.requestUpdate();
  }

  hostUpdated() {
    const plan = this.#wasShown ? null : this.#options.plan();
    const plannedKey = plan ? `${plan.delay} ${plan.text}` : '';
    if (plannedKey === this.#plannedKey) return;
    this.hostDisconnected();
    this.#plannedKey = plannedKey;
    if (plan) this.#timer = setTimeout(() => this.show(plan.text), plan.delay * 1000);
  }

  hostDisconnected() {
    clearTimeout(this.#timer);
    this.#plannedKey = '';
  }
}
