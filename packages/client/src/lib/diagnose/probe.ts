import { InlayError, isInlayError } from '../errors.ts';
import type { Ports } from '../ports.ts';
import { abortError, Pause, withTimeout } from '../wait.ts';

/** How long one question may take, in milliseconds. */
const limit = 10_000;

/** The browser tells of a violation a moment after the request has failed. */
const violationDelay = 100;

/** Questions that need no token, and have none. */
export class Probes {
  readonly #ports: Ports;
  readonly #signal: AbortSignal;

  constructor(ports: Ports, signal: AbortSignal) {
    this.#ports = ports;
    this.#signal = signal;
  }

  /**
   * What an address answers; null where nothing comes, or nothing that the page may see; `late` where
   * it takes more than 10 seconds.
   */
  async get(url: string, mode: RequestMode = 'cors'): Promise<Response | 'late' | null> {
    try {
      return await withTimeout(this.#ports.clock, limit, this.#signal, late, (signal) =>
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
      return isInlayError(error) ? 'late' : null;
    }
  }

  /** Until the browser has told why it let nothing out, if it did not. */
  violationsTold(): Promise<void> {
    return new Pause(this.#ports.clock).wait(violationDelay, this.#signal);
  }
}

function late(): InlayError {
  return new InlayError('NETWORK_ERROR', 'There was no answer within 10 seconds.');
}
