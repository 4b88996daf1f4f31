import { fullJitter } from '../backoff.ts';
import { left, type Moment, moment } from '../moment.ts';
import type { Ports } from '../ports.ts';
import { Pause } from '../wait.ts';
import { refreshFloor } from './refresh-point.ts';

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
  #cooling: Moment | null = null;
  #failure: { at: Moment; delay: number } | null = null;
  #failures = 0;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#pause = new Pause(ports.clock);
  }

  /** Whether callers gave up less than a minute ago. */
  get cooling(): boolean {
    return left(this.#cooling, coolDown, this.#ports.clock) > 0;
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures;
  }

  /** Resolves when the source may be asked, or at once for an aborted signal. */
  async ready(signal: AbortSignal): Promise<void> {
    const began = moment(this.#ports.clock);
    while (!signal.aborted) {
      const wait = this.#remaining(began);
      if (wait <= 0) break;
      await this.#pause.wait(Math.min(wait, longestPause), signal);
    }
    this.#lastAttempt = moment(this.#ports.clock);
  }

  succeeded(): void {
    this.#lastSuccess = this.#lastAttempt;
    this.#cooling = null;
    this.#failure = null;
    this.#failures = 0;
  }

  /** Returns how many milliseconds the next attempt waits. */
  failed(): number {
    this.#failures += 1;
    const delay = fullJitter(this.#failures, this.#ports.random);
    this.#failure = { at: moment(this.#ports.clock), delay };
    return delay;
  }

  /** Callers gave up: nothing is asked for a minute. */
  coolDown(): void {
    this.#cooling = moment(this.#ports.clock);
  }

  /** The person wants it: nothing holds the next attempt back. */
  bypass(): void {
    this.#lastSuccess = null;
    this.#failures = 0;
    this.retryNow();
  }

  /** Something changed for the better, such as the network: the next attempt waits no longer. */
  retryNow(): void {
    this.#cooling = null;
    this.#failure = null;
    this.#pause.wake();
  }

  #remaining(began: Moment): number {
    const { clock, page } = this.#ports;
    return Math.max(
      left(this.#lastSuccess, refreshFloor, clock),
      left(this.#failure?.at ?? null, this.#failure?.delay ?? 0, clock),
      left(this.#cooling, coolDown, clock),
      page.online() ? 0 : left(this.#lastAttempt ?? began, offlineProbe, clock),
    );
  }
}
