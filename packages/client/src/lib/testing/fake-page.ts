import type { PageEnvironment, PageSignal } from '../ports.ts';

/** A page that is hidden, shown, and cut off by a test. It tells its watchers as a browser would. */
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

  /** How many listen. After everything is closed, nobody should. */
  get watchers(): number {
    return this.#listeners.size;
  }

  /** The person looks at another tab. */
  hide(): void {
    this.emit('hidden');
  }

  /** The person looks again. */
  show(): void {
    this.emit('visible');
  }

  /** The browser says that there is no network. What is open is cut by `faults.goOffline()`. */
  goOffline(): void {
    this.emit('offline');
  }

  goOnline(): void {
    this.emit('online');
  }

  /** The page comes back from the back/forward cache. */
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
