import { waitFor } from '../backoff.ts';
import { asInlayError, InlayError, retryableOf } from '../errors.ts';
import { left, type Moment, moment } from '../moment.ts';
import { abortError, Pause, untilAborted, withTimeout } from '../wait.ts';
import { refreshFloor } from './refresh-point.ts';
import { hostFaults } from './token-errors.ts';
import type { TokenManagerOptions } from './token-facts.ts';

/** How long a caller waits for a token before it gives up, in milliseconds. */
const waitLimit = 15_000;
/** How long nothing is asked after callers gave up, unless the person wants it. */
const coolDown = 60_000;
/** Without a network, one try in this time: the browser's word is not quite to be trusted. */
const offlineProbe = 30_000;
/** The backoff of a source that can be asked for a limited time grows with this many failures: to 4 s. */
const urgentFailures = 4;
/** No pause is longer, so that sleep and throttled timers can't stretch it. */
const longestPause = 30_000;
/** Longest time between two questions to a source whose tokens have run out, in milliseconds. */
const slowest = 300_000;
/** The code of a token that has run out. */
const expired = 'EMBED_TOKEN_EXPIRED';
/** How many values that are no tokens are borne in a row. */
const toleratedInvalid = 3;

export interface RefresherOptions
  extends Pick<TokenManagerOptions, 'source' | 'ports' | 'onDiagnostic'> {
  /** Gets one token, and gives it out if it is good. */
  readonly obtain: (life: AbortSignal) => Promise<string>;
  /** Whether the token at hand still works. */
  readonly degraded: () => boolean;
  /** There is no token, and none is asked for any more. */
  readonly onEnd: (error: InlayError) => void;
  /** Somebody waits for a refresh, or gave up waiting, or it ended. */
  readonly onChange: () => void;
}

/**
 * Refreshes the token: once at a time for any number of callers, as often as it takes, and no
 * sooner than is good for the source.
 */
export class Refresher {
  readonly #options: RefresherOptions;
  readonly #pause: Pause;
  /** The refresh that runs. */
  #flight: Promise<string> | null = null;
  /** Whether its first failure is its last. */
  #once = false;
  #lastSuccess: Moment | null = null;
  #lastAttempt: Moment | null = null;
  #failure: { at: Moment; delay: number; error: InlayError } | null = null;
  #failures = 0;
  /** Tokens in a row that had run out when they came, or soon after. */
  #spent = 0;
  #gaveUp: { at: Moment; error: InlayError } | null = null;
  /** When the first token was asked for. */
  #firstAsked: Moment | null = null;

  constructor(options: RefresherOptions) {
    this.#options = options;
    this.#pause = new Pause(options.ports.clock);
  }

  get running(): boolean {
    return this.#flight !== null;
  }

  /** Why the last attempt failed; null where it succeeded, or where nothing was tried. */
  get failure(): InlayError | null {
    return this.#failure?.error ?? null;
  }

  /** What callers were told who gave up less than a minute ago; null where none did. */
  get gaveUp(): InlayError | null {
    const span = Math.max(coolDown, this.#spent > 2 ? (this.#failure?.delay ?? 0) : 0);
    return this.#gaveUp && this.#left(this.#gaveUp.at, span) > 0 ? this.#gaveUp.error : null;
  }

  /** Begins a refresh, or joins the one that runs. */
  begin(life: AbortSignal, once = false): Promise<string> {
    this.#once = once || (this.running && this.#once);
    if (this.#flight !== null) return this.#flight;
    const flight = this.#fly(life).finally(() => {
      if (this.#flight === flight) this.#flight = null;
      this.#options.onChange();
    });
    this.#flight = flight;
    // Nobody may be waiting for a refresh ahead of time.
    flight.catch(() => {});
    return flight;
  }

  /** Waits for a refresh: no longer than 15 seconds, the caller's signal, or this person's stay. */
  async token(life: AbortSignal, signal?: AbortSignal, once?: boolean): Promise<string> {
    const flight = this.begin(life, once);
    this.#options.onChange();
    if (this.gaveUp && !this.#once) throw this.gaveUp;
    await this.#sourceReady(life);
    const { clock } = this.#options.ports;
    const giveUp = () => this.#giveUp();
    const landing = this.#isUrgent
      ? untilAborted(flight, life)
      : withTimeout(clock, waitLimit, life, giveUp, () => flight);
    return untilAborted(landing, signal);
  }

  /**
   * A token had run out when it came, or soon after. The first of them may have been near its end;
   * after that the source is asked ever more slowly, down to once in five minutes.
   */
  spent(cause: InlayError): void {
    this.#spent += 1;
    if (this.#spent < 2) return;
    const error = retryableOf(cause);
    const delay = Math.min(slowest, refreshFloor * 2 ** (this.#spent - 2));
    this.#failure = { at: this.#now(), delay, error };
    if (this.#spent > 2) this.#gaveUp = { at: this.#now(), error };
  }

  /** A token has held for a while. */
  held(): void {
    this.#spent = 0;
  }

  /** The person changed: what a refresh that runs gives belongs to nobody. */
  drop(): void {
    this.#flight = null;
  }

  /** The person wants it: nothing holds the next attempt back. */
  bypass(): void {
    this.#lastSuccess = null;
    this.retryNow();
  }

  /** The network is back: the next attempt waits no longer than the source asked for. */
  reached(): void {
    if (this.#failure?.error.retryAfter == null) this.retryNow();
  }

  /** The next attempt waits no longer. */
  retryNow(): void {
    this.#gaveUp = null;
    this.#failure = null;
    this.#failures = 0;
    this.#spent = 0;
    this.#pause.wake();
  }

  async #fly(life: AbortSignal): Promise<string> {
    const { obtain, onEnd, onDiagnostic, degraded } = this.#options;
    await this.#sourceReady(life);
    this.#firstAsked ??= this.#now();
    for (let invalid = 0; ; ) {
      await this.#due(life);
      if (this.#timeLeft === 0) {
        const error = tooLate();
        onEnd(error);
        throw error;
      }
      const began = this.#now();
      this.#lastAttempt = began;
      try {
        const token = await obtain(life);
        this.#lastSuccess = began;
        this.#gaveUp = null;
        this.#failure = null;
        this.#failures = 0;
        return token;
      } catch (cause) {
        if (life.aborted) throw abortError(life);
        const error = asInlayError(cause);
        const { code } = error;
        const hasExpired = code === expired;
        invalid = hostFaults.has(error) ? invalid + 1 : 0;
        if ((!error.retryable && !hasExpired) || this.#once || invalid >= toleratedInvalid) {
          onEnd(error);
          throw error;
        }
        this.#failures += 1;
        const failures = this.#isUrgent ? Math.min(this.#failures, urgentFailures) : this.#failures;
        const delay = waitFor(error.retryAfter, failures, this.#options.ports.random);
        this.#failure = { at: this.#now(), delay, error };
        if (hasExpired) this.spent(error);
        onDiagnostic?.({ type: 'token_retry', code, delay, degraded: degraded() });
      }
    }
  }

  get #isUrgent(): boolean {
    return this.#options.source.askableFor !== undefined;
  }

  /** How long the source can still be asked for its first token, in milliseconds. */
  get #timeLeft(): number {
    const { askableFor } = this.#options.source;
    return askableFor === undefined ? Infinity : this.#left(this.#firstAsked, askableFor);
  }

  #sourceReady(life: AbortSignal): Promise<void> {
    return untilAborted(this.#options.source.ready ?? Promise.resolve(), life);
  }

  /** Resolves when the source may be asked. */
  async #due(life: AbortSignal): Promise<void> {
    const began = this.#now();
    for (;;) {
      if (life.aborted) throw abortError(life);
      const wait = Math.max(
        this.#left(this.#lastSuccess, refreshFloor),
        this.#left(this.#failure?.at, this.#failure?.delay ?? 0),
        this.#left(this.#gaveUp?.at, coolDown),
        this.#options.ports.page.online()
          ? 0
          : this.#left(this.#lastAttempt ?? began, offlineProbe),
      );
      if (wait === 0 || this.#timeLeft === 0) return;
      await this.#pause.wait(Math.min(wait, longestPause, this.#timeLeft), life);
    }
  }

  /** Nothing is asked for a minute. All who give up meanwhile are told the same. */
  #giveUp(): InlayError {
    const error =
      this.gaveUp ??
      this.#failure?.error ??
      new InlayError('TOKEN_UNAVAILABLE', 'No token could be had.', { retryable: true });
    if (!this.gaveUp) this.#gaveUp = { at: this.#now(), error };
    this.#options.onChange();
    return error;
  }

  #now(): Moment {
    return moment(this.#options.ports.clock);
  }

  #left(start: Moment | null | undefined, span: number): number {
    return left(start, span, this.#options.ports.clock);
  }
}

function tooLate(): InlayError {
  return new InlayError(
    'EMBED_TOKEN_EXPIRED',
    'The code of the hosted link has expired. Ask for a new link.',
  );
}
