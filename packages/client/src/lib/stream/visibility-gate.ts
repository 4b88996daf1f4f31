import type { PageSignal, Ports } from '../ports.ts';
import type { Connection } from './connection.ts';

/** Time in milliseconds after which a hidden page closes its stream: HTTP/1.1 has six per host. */
const releaseAfter = 300_000;

/** Decides whether a stream may be open: while there is a network and the page is visible. */
export class VisibilityGate {
  readonly #ports: Ports;
  readonly #onClose: () => void;
  readonly #unsubscribe: () => void;
  #released: boolean;
  #timer: unknown = null;
  #resolveOpen: (() => void) | null = null;

  constructor(ports: Ports, onClose: () => void) {
    this.#ports = ports;
    this.#onClose = onClose;
    this.#unsubscribe = ports.page.watch((signal) => this.#handlePage(signal));
    // A page opened in the background connects when it is shown.
    this.#released = ports.page.hidden();
  }

  get open(): boolean {
    return this.#ports.page.online() && !this.#released;
  }

  /** The connection state while the gate is closed. */
  get connection(): Connection {
    return this.#ports.page.online() ? 'idle' : 'offline';
  }

  /** Resolves when the gate is open, or at once for an aborted signal. */
  async whenOpen(signal: AbortSignal): Promise<void> {
    while (!this.open && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#resolveOpen = resolve;
      });
    }
  }

  /** Opens the gate because of activity, even on a hidden page. */
  reopen(): void {
    const { clock, page } = this.#ports;
    clock.clearTimeout(this.#timer);
    if (page.hidden()) this.#timer = clock.setTimeout(() => this.shut(), releaseAfter);
    this.#released = false;
    if (this.open) this.#resolveOpen?.();
  }

  /** Closes the gate until the page is shown or active. */
  shut(): void {
    this.#released = true;
    this.#onClose();
  }

  close(): void {
    this.#unsubscribe();
    this.#ports.clock.clearTimeout(this.#timer);
    this.#released = false;
    this.#resolveOpen?.();
  }

  #handlePage(signal: PageSignal): void {
    const { page } = this.#ports;
    if (signal === 'hidden' ? !this.#released : !page.hidden()) this.reopen();
    if (this.open) this.#resolveOpen?.();
  }
}
