import type { ReactiveController, ReactiveControllerHost } from 'lit';

export interface TeaserOptions {
  /** The teaser, and after how many seconds it comes; null where none may come. */
  readonly plan: () => { readonly text: string; readonly delay: number } | null;
  readonly onShow: () => void;
}

/** Lets the teaser come once, some time after the page has loaded. */
export class TeaserController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: TeaserOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #planned = '';
  #text = '';
  /** It has had its turn on this page, also where nothing can be remembered. */
  #done = false;

  constructor(host: ReactiveControllerHost, options: TeaserOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** What it says; empty while it is not shown. */
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
