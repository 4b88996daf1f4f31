import type { PageEnvironment, PageSignal } from '../ports.ts';

/** A page whose visibility and network a test controls. It reports changes as a browser does. */
export class FakePage implements PageEnvironment {
  readonly #listeners = new Set<(signal: PageSignal) => void>();
  #online = true;
  #hidden = false;

  online = (): boolean => this.#online;
  hidden = (): boolean => this.#hidden;

  watch = (listener: (signal: PageSignal) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Number of listeners. It should be 0 after everything is closed. */
  get watchers(): number {
    return this.#listeners.size;
  }

  /** Hides the page, as when the user selects another tab. */
  hide(): void {
    this.emit('hidden');
  }

  /** Shows the page again. */
  show(): void {
    this.emit('visible');
  }

  /** Reports that the browser is offline. `faults.goOffline()` disconnects open streams. */
  goOffline(): void {
    this.emit('offline');
  }

  goOnline(): void {
    this.emit('online');
  }

  /** Restores the page from the back/forward cache. */
  restore(): void {
    this.emit('restored');
  }

  focus(): void {
    this.emit('focus');
  }

  emit(signal: PageSignal): void {
    if (signal === 'online' || signal === 'offline') this.#online = signal === 'online';
    if (signal === 'visible' || signal === 'hidden') this.#hidden = signal === 'hidden';
    for (const listener of [...this.#listeners]) listener(signal);
  }
}
