import type { PageSignal, Ports } from '../ports.ts';
import type { Connection } from './transport.ts';

/** Time in milliseconds after which a hidden page closes its stream, to free its connection. */
const closeAfter = 300_000;

/**
 * Decides whether a stream may be open: only while the browser is online, and not after the page has
 * been hidden for five minutes.
 */
export class VisibilityGate {
  readonly #ports: Ports;
  readonly #onClose: () => void;
  readonly #unsubscribe: () => void;
  #isClosed: boolean;
  #timer: unknown = null;
  #resolveOpen: (() => void) | null = null;

  constructor(ports: Ports, onClose: () => void) {
    this.#ports = ports;
    this.#onClose = onClose;
    this.#unsubscribe = ports.page.watch((signal) => this.#handlePage(signal));
    // A page opened in the background connects when it is shown.
    this.#isClosed = ports.page.hidden();
  }

  get open(): boolean {
    return this.#ports.page.online() && !this.#isClosed;
  }

  /** The connection state while the gate is closed. */
  get connection(): Connection {
    return this.#ports.page.online() ? 'idle' : 'offline';
  }

  /** Resolves when the gate is open, or immediately for an aborted signal. */
  async waitUntilOpen(signal: AbortSignal): Promise<void> {
    while (!this.open && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#resolveOpen = resolve;
      });
    }
  }

  /** Opens the gate because the user is active, even on a hidden page. */
  reopen(): void {
    const { clock, page } = this.#ports;
    clock.clearTimeout(this.#timer);
    if (page.hidden()) this.#timer = clock.setTimeout(() => this.closeWhileHidden(), closeAfter);
    this.#isClosed = false;
    if (this.open) this.#resolveOpen?.();
  }

  /** Closes the gate until the page is shown or the user is active. */
  closeWhileHidden(): void {
    this.#isClosed = true;
    this.#onClose();
  }

  close(): void {
    this.#unsubscribe();
    this.#ports.clock.clearTimeout(this.#timer);
    this.#isClosed = false;
    this.#resolveOpen?.();
  }

  #handlePage(signal: PageSignal): void {
    const { page } = this.#ports;
    if (signal === 'hidden' ? !this.#isClosed : !page.hidden()) this.reopen();
    if (this.open) this.#resolveOpen?.();
  }
}
