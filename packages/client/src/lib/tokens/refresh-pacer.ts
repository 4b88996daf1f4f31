import { fullJitter } from '../backoff.ts';
import type { InlayError } from '../errors.ts';
import { left, type Moment, moment } from '../moment.ts';
import type { Ports } from '../ports.ts';
import { abortError, Pause } from '../wait.ts';
import { refreshFloor } from './refresh-point.ts';
import { unavailable } from './token-errors.ts';

/** How long nothing is asked after callers gave up, unless the person wants it. */
const coolDown = 60_000;
/** Without a network, one try in this time: the browser's word is not quite to be trusted. */
const offlineProbe = 30_000;
/** No pause is longer, so that sleep and throttled timers can't stretch it. */
const longestPause = 30_000;

/** Decides how soon the token source may be asked again. */
export class RefreshPacer {
  readonly #ports: Ports;
  readonly #pause: Pause;
  #lastSuccess: Moment | null = null;
  #lastAttempt: Moment | null = null;
  #failure: { at: Moment; delay: number; error: InlayError } | null = null;
  #failures = 0;
  #gaveUp: { at: Moment; error: InlayError } | null = null;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#pause = new Pause(ports.clock);
  }

  /** What callers were told who gave up less than a minute ago; null where none did. */
  get gaveUp(): InlayError | null {
    return this.#gaveUp && this.#cooling > 0 ? this.#gaveUp.error : null;
  }

  /** Resolves when the source may be asked. Rejects when the signal is aborted. */
  async ready(signal: AbortSignal): Promise<void> {
    const began = moment(this.#ports.clock);
    for (let wait = this.#remaining(began); wait > 0; wait = this.#remaining(began)) {
      await this.#pause.wait(Math.min(wait, longestPause), signal);
      if (signal.aborted) break;
    }
    if (signal.aborted) throw abortError(signal);
    this.#lastAttempt = moment(this.#ports.clock);
  }

  succeeded(): void {
    this.#lastSuccess = this.#lastAttempt;
    this.#gaveUp = null;
    this.#failure = null;
    this.#failures = 0;
  }

  /** Returns how many milliseconds the next attempt waits. */
  failed(error: InlayError): number {
    this.#failures += 1;
    const delay = fullJitter(this.#failures, this.#ports.random);
    this.#failure = { at: moment(this.#ports.clock), delay, error };
    return delay;
  }

  /** A caller gives up: nothing is asked for a minute. Returns what all who give up are told. */
  giveUp(): InlayError {
    const error = this.gaveUp ?? this.#failure?.error ?? unavailable();
    if (!this.gaveUp) this.#gaveUp = { at: moment(this.#ports.clock), error };
    return error;
  }

  /** The person wants it: nothing holds the next attempt back. */
  bypass(): void {
    this.#lastSuccess = null;
    this.#failures = 0;
    this.retryNow();
  }

  /** Something changed for the better, such as the network: the next attempt waits no longer. */
  retryNow(): void {
    this.#gaveUp = null;
    this.#failure = null;
    this.#pause.wake();
  }

  get #cooling(): number {
    return left(this.#gaveUp?.at, coolDown, this.#ports.clock);
  }

  #remaining(began: Moment): number {
    const { clock, page } = this.#ports;
    return Math.max(
      left(this.#lastSuccess, refreshFloor, clock),
      left(this.#failure?.at, this.#failure?.delay ?? 0, clock),
      this.#cooling,
      page.online() ? 0 : left(this.#lastAttempt ?? began, offlineProbe, clock),
    );
  }
}
