import type { Connection } from '../conversation/state.ts';
import type { PageSignal, Ports } from '../ports.ts';

/** A hidden page gives its connection back after this time: a browser has six for each host. */
const releaseAfter = 300_000;

/** Says whether a stream may be open at all: there is a network, and someone who looks. */
export class ReconnectGate {
  readonly #ports: Ports;
  readonly #onShut: () => void;
  readonly #unwatch: () => void;
  #released = false;
  #timer: unknown = null;
  #passed: (() => void) | null = null;

  constructor(ports: Ports, onShut: () => void) {
    this.#ports = ports;
    this.#onShut = onShut;
    this.#unwatch = ports.page.watch((signal) => this.#handlePage(signal));
    if (ports.page.hidden()) this.#handlePage('hidden');
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

  close(): void {
    this.#unwatch();
    this.#ports.clock.clearTimeout(this.#timer);
    this.#released = false;
    this.#passed?.();
  }

  #handlePage(signal: PageSignal): void {
    const { clock, page } = this.#ports;
    if (signal === 'hidden' || !page.hidden()) clock.clearTimeout(this.#timer);
    if (signal === 'hidden') {
      this.#timer = clock.setTimeout(() => {
        this.#released = true;
        this.#onShut();
      }, releaseAfter);
    } else if (!page.hidden()) {
      this.#released = false;
    }
    if (this.open) this.#passed?.();
  }
}
