import type { PageSignal, Ports } from '../ports.ts';
import type { Connection } from './connection.ts';

/** A hidden page gives its connection back after this time: a browser has six for each host. */
const releaseAfter = 300_000;

/** Says whether a stream may be open at all: there is a network, and someone who looks. */
export class VisibilityGate {
  readonly #ports: Ports;
  readonly #onShut: () => void;
  readonly #unwatch: () => void;
  #released: boolean;
  #timer: unknown = null;
  #passed: (() => void) | null = null;

  constructor(ports: Ports, onShut: () => void) {
    this.#ports = ports;
    this.#onShut = onShut;
    this.#unwatch = ports.page.watch((signal) => this.#handlePage(signal));
    // A page that was opened in the background reads when it is shown.
    this.#released = ports.page.hidden();
  }

  get open(): boolean {
    return this.#ports.page.online() && !this.#released;
  }

  /** What a shut gate means for the conversation. */
  get connection(): Connection {
    return this.#ports.page.online() ? 'idle' : 'offline';
  }

  /** Resolves when the gate is open, or at once for an aborted signal. */
  async passed(signal: AbortSignal): Promise<void> {
    while (!this.open && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#passed = resolve;
      });
    }
  }

  /** Something happens on the page, although it may be hidden. */
  pass(): void {
    const { clock, page } = this.#ports;
    clock.clearTimeout(this.#timer);
    if (page.hidden()) this.#timer = clock.setTimeout(() => this.shut(), releaseAfter);
    this.#released = false;
    if (this.open) this.#passed?.();
  }

  /** Nobody looks: until the page is shown, or something happens on it. */
  shut(): void {
    this.#released = true;
    this.#onShut();
  }

  close(): void {
    this.#unwatch();
    this.#ports.clock.clearTimeout(this.#timer);
    this.#released = false;
    this.#passed?.();
  }

  #handlePage(signal: PageSignal): void {
    const { page } = this.#ports;
    if (signal === 'hidden' ? !this.#released : !page.hidden()) this.pass();
    if (this.open) this.#passed?.();
  }
}
