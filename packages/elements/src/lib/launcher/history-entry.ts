import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { isOwnEntry } from './visit.ts';

export interface HistoryEntryOptions {
  /** What marks the entry as that of this launcher. */
  readonly name: () => string;
  /** The user went back from the entry, or forward to it. */
  readonly onTravel: (isOwn: boolean) => void;
}

/**
 * An entry of the browser's history for as long as something covers the page, so that the back
 * button and the back gesture uncover it rather than leave the page. The entry has the page's own
 * address and state, plus a mark: only an entry with the mark is ever gone back from. Where a router
 * has moved on meanwhile, nothing is undone.
 */
export class HistoryEntry implements ReactiveController {
  readonly #options: HistoryEntryOptions;
  #wanted = false;
  #leaving = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost, options: HistoryEntryOptions) {
    this.#options = options;
    host.addController(this);
  }

  /** Makes the entry, or leaves it, so that there is one exactly where it is wanted. */
  sync(wanted: boolean): void {
    this.#wanted = wanted;
    if (this.#leaving) return;
    clearTimeout(this.#timer);
    const isOwn = isOwnEntry(this.#options.name());
    if (wanted && !isOwn) this.#push();
    // Later, for a page that closes the panel and goes elsewhere in one breath.
    if (!wanted && isOwn) this.#timer = setTimeout(() => this.#leave());
  }

  hostConnected() {
    this.#leaving = false;
    window.addEventListener('popstate', this.#handlePop, true);
  }

  hostDisconnected() {
    window.removeEventListener('popstate', this.#handlePop, true);
    this.sync(false);
  }

  #push() {
    const { state } = history;
    const kept = typeof state === 'object' ? state : {};
    try {
      history.pushState({ ...kept, inlay: this.#options.name() }, '');
    } catch {
      // A frame without a history, or a browser that finds it too much: back leaves the page then.
    }
  }

  #leave() {
    if (this.#wanted || !isOwnEntry(this.#options.name())) return;
    this.#leaving = true;
    history.back();
  }

  readonly #handlePop = (event: PopStateEvent) => {
    if (!this.#leaving) {
      this.#options.onTravel(isOwnEntry(this.#options.name()));
      return;
    }
    // Nothing has changed for the page: a router that heard of it would load its route again.
    event.stopImmediatePropagation();
    this.#leaving = false;
    this.sync(this.#wanted);
  };
}
