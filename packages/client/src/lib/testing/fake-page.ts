import type { PageEnvironment, PageSignal } from '../ports.ts';

/** A page that is hidden, shown, and cut off by a test. */
export class FakePage implements PageEnvironment {
  readonly #listeners = new Set<(signal: PageSignal) => void>();
  #online = true;
  #hidden = false;

  online = () => this.#online;
  hidden = () => this.#hidden;

  watch = (listener: (signal: PageSignal) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  get watchers(): number {
    return this.#listeners.size;
  }

  emit(signal: PageSignal): void {
    if (signal === 'online' || signal === 'offline') this.#online = signal === 'online';
    if (signal === 'visible' || signal === 'hidden') this.#hidden = signal === 'hidden';
    for (const listener of [...this.#listeners]) listener(signal);
  }
}
