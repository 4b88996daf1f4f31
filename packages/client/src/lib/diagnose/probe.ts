import { InlayError, isInlayError } from '../errors.ts';
import type { Ports } from '../ports.ts';
import { abortError, Pause, withTimeout } from '../wait.ts';

/** Time limit of a request, in milliseconds. */
const requestTimeout = 10_000;

/** Time within which the browser reports a policy violation after the request failed, in milliseconds. */
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
   * Requests an address. Resolves with the response, with null if there is none that the page may read,
   * or with `timeout` after 10 seconds.
   */
  async get(url: string, mode: RequestMode = 'cors'): Promise<Response | 'timeout' | null> {
    try {
      return await withTimeout(
        this.#ports.clock,
        requestTimeout,
        this.#signal,
        timeoutError,
        (signal) =>
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
  waitForViolations(): Promise<void> {
    return new Pause(this.#ports.clock).wait(violationDelay, this.#signal);
  }
}

function timeoutError(): InlayError {
  return new InlayError('NETWORK_ERROR', 'There was no response within 10 seconds.');
}

/** A request that the page's Content Security Policy blocked. */
interface Violation {
  /** Origin of the request; `an address` if the browser reports no HTTP URL. */
  readonly blocked: string;
  readonly directive: string;
}

/** Records requests that the page's policy blocks. */
export class ViolationObserver {
  readonly #violations: Violation[] = [];
  /** Null outside a document. */
  readonly #target: EventTarget | null = globalThis.document ?? null;

  constructor() {
    this.#target?.addEventListener('securitypolicyviolation', this.#record);
  }

  get isSupported(): boolean {
    return this.#target !== null;
  }

  get latest(): Violation | null {
    return this.#violations.at(-1) ?? null;
  }

  close(): void {
    this.#target?.removeEventListener('securitypolicyviolation', this.#record);
  }

  readonly #record = (event: Event) => {
    const { disposition, effectiveDirective, blockedURI } = event as SecurityPolicyViolationEvent;
    if (disposition !== 'enforce' || effectiveDirective !== 'connect-src') return;
    const blocked = /^https?:/.test(blockedURI) ? new URL(blockedURI).origin : 'an address';
    this.#violations.push({ blocked, directive: effectiveDirective });
  };
}
