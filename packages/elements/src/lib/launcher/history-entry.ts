import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { isOwnEntry } from './visit.ts';

export interface HistoryEntryOptions {
  /** Mark that identifies the history entries of this launcher. */
  readonly name: () => string;
  /**
   * Called when the user navigates back from the entry or forward to it.
   *
   * @param isOnEntry - Whether the current history entry is the launcher’s.
   */
  readonly onNavigate: (isOnEntry: boolean) => void;
}

/**
 * A session history entry that exists while the panel covers the page, so that the back button and
 * the back gesture close the panel instead of leaving the page. The entry has the page's URL and
 * state, plus a mark. Only an entry with the mark is ever left with `history.back()`: if a router has
 * navigated since, the history is not changed.
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

  /** Adds or removes the entry so that it exists only if `wanted`. */
  sync(wanted: boolean): void {
    this.#wanted = wanted;
    if (this.#leaving) return;
    clearTimeout(this.#timer);
    const isOnEntry = isOwnEntry(this.#options.name());
    if (wanted && !isOnEntry) this.#push();
    // Deferred, because the page may close the panel and navigate in the same task.
    if (!wanted && isOnEntry) this.#timer = setTimeout(() => this.#leave());
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
    const pageState = typeof state === 'object' ? state : {};
    try {
      history.pushState({ ...pageState, inlay: this.#options.name() }, '');
    } catch {
      // The frame has no history, or there were too many `pushState` calls. The back button then leaves the page.
    }
  }

  #leave() {
    if (this.#wanted || !isOwnEntry(this.#options.name())) return;
    this.#leaving = true;
    history.back();
  }

  readonly #handlePop = (event: PopStateEvent) => {
    if (!this.#leaving) {
      this.#options.onNavigate(isOwnEntry(this.#options.name()));
      return;
    }
    // Hidden from the page, whose router would load the current route again.
    event.stopImmediatePropagation();
    this.#leaving = false;
    this.sync(this.#wanted);
  };
}
