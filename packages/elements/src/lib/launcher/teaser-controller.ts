import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { lazy } from '../lazy.ts';
import type { TeaserRules } from './teaser-rules.ts';

const teaserRules = lazy(() => import('./teaser-rules.ts'));

interface TeaserPlan {
  readonly text: string;
  /** Seconds until the teaser is shown, without rules. */
  readonly delay: number;
  readonly rules: TeaserRules | null;
  /** Storage key of the launcher; empty if nothing is stored. */
  readonly name: string;
}

export interface TeaserOptions {
  /** The teaser to show; null for none. */
  readonly plan: () => TeaserPlan | null;
  readonly onShow: () => void;
}

/** Shows the teaser once, after a delay or when its rules hold. */
export class TeaserController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: TeaserOptions;
  #cancel = () => {};
  #plannedKey = '';
  /** Empty before the teaser is first shown. A hidden teaser keeps its text, so that it can fade out. */
  text = '';
  shown = false;
  /** Whether the teaser was shown since the page was loaded. Does not depend on storage. */
  #wasShown = false;

  constructor(host: ReactiveControllerHost, options: TeaserOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  show(text: string): void {
    this.text = text;
    this.shown = true;
    this.#wasShown = true;
    this.#options.onShow();
    this.#host.requestUpdate();
  }

  hide(): void {
    this.shown = false;
    this.#host.requestUpdate();
  }

  hostUpdated() {
    const plan = this.#wasShown ? null : this.#options.plan();
    const plannedKey = plan ? JSON.stringify(plan) : '';
    if (plannedKey === this.#plannedKey) return;
    this.hostDisconnected();
    this.#plannedKey = plannedKey;
    if (plan?.rules) void this.#waitForRules(plan, plan.rules, plannedKey);
    else if (plan) {
      const timer = setTimeout(() => this.show(plan.text), plan.delay * 1000);
      this.#cancel = () => clearTimeout(timer);
    }
  }

  async #waitForRules({ text, name }: TeaserPlan, rules: TeaserRules, plannedKey: string) {
    const module = await teaserRules.load();
    if (plannedKey !== this.#plannedKey) return;
    this.#cancel = module?.waitForRules(rules, name, () => this.show(text)) ?? this.#cancel;
  }

  hostDisconnected() {
    this.#cancel();
    this.#plannedKey = '';
  }
}
