import { InlayError, isInlayError } from '../errors.ts';
import type { Ports } from '../ports.ts';
import { abortError, Pause, withTimeout } from '../wait.ts';

/** Time limit of a request, in milliseconds. */
const limit = 10_000;

/** Time until the browser reports a violation after the failure of its request, in milliseconds. */
const violationDelay = 100;

/** Sends requests without a token. */
export class Probes {
  readonly #ports: Ports;
  readonly #signal: AbortSignal;

  constructor(ports: Ports, signal: AbortSignal) {
    this.#ports = ports;
    this.#signal = signal;
  }

  /**
   * Returns the response of an address; null if there is none that the page may read; `timeout` after
   * 10 seconds.
   */
  async get(url: string, mode: RequestMode = 'cors'): Promise<Response | 'timeout' | null> {
    try {
      return await withTimeout(this.#ports.clock, limit, this.#signal, timeoutError, (signal) =>
        this.#ports.fetch(url, {
          mode,
          signal,
          credentials: 'omit',
          cache: 'no-store',
          referrerPolicy: 'no-referrer',
          redirect: mode === 'cors' ? 'manual' : 'follow',
        }),
      );
    } catch (error) {
      if (this.#signal.aborted) throw abortError(this.#signal);
      return isInlayError(error) ? 'timeout' : null;
    }
  }

  /** Waits until the browser has had time to report a policy violation. */
  violationsReported(): Promise<void> {
    return new Pause(this.#ports.clock).wait(violationDelay, this.#signal);
  }
}

function timeoutError(): InlayError {
  return new InlayError('NETWORK_ERROR', 'There was no response within 10 seconds.');
}
