import { retryDelay } from '../backoff.ts';
import { type DualTime, dualNow, remainingMs } from '../dual-clock.ts';
import { asInlayError, InlayError, retryableOf } from '../errors.ts';
import type { PageSignal, Ports } from '../ports.ts';
import { abortError, Pause, untilAborted, withTimeout } from '../wait.ts';
import { hostFaults, refreshFloor } from './token.ts';
import type { TokenManagerOptions } from './token-manager-options.ts';

/** How long a caller waits for a token before the call fails, in milliseconds. */
const waitLimit = 15_000;
/** How long no token is requested after a caller's wait failed, unless the user reconnects. */
const coolDown = 60_000;
/** Interval of attempts while the browser reports no network, because it is sometimes wrong. */
const offlineProbe = 30_000;
/** The number of failures after which the backoff of a source with `validForMs` stops growing: 4 s. */
const urgentFailures = 4;
/** Longest single timer, because sleep and throttling stretch timers. */
const longestPause = 30_000;
/** Longest backoff for a source whose tokens have expired when they arrive, in milliseconds. */
const slowest = 300_000;
const expiredCode = 'EMBED_TOKEN_EXPIRED';
/** The number of invalid values in a row that denies access. */
const toleratedInvalid = 3;

export interface TokenRefreshOptions
  extends Pick<TokenManagerOptions, 'source' | 'ports' | 'onDiagnostic'> {
  /** Requests one token, checks it and makes it the current one. */
  readonly obtain: (userSignal: AbortSignal) => Promise<string>;
  /** Whether the current token is still valid. */
  readonly degraded: () => boolean;
  /** Called when the refresh failed for good. */
  readonly onDenied: (error: InlayError) => void;
  /** Called when a caller begins to wait or fails to get a token, and when a refresh ends. */
  readonly onChange: () => void;
}

/**
 * Refreshes the token: one refresh at a time for any number of callers, retried with backoff, and
 * rate-limited for the sake of the host's backend.
 */
export class TokenRefresh {
  readonly #options: TokenRefreshOptions;
  readonly #pause: Pause;
  #running: Promise<string> | null = null;
  /** Whether the first failure of the running refresh is final. */
  #once = false;
  #lastSuccess: DualTime | null = null;
  #lastAttempt: DualTime | null = null;
  #failure: { at: DualTime; delay: number; error: InlayError } | null = null;
  #failures = 0;
  /** Number of consecutive tokens that had expired at their receipt, or soon after. */
  #expiredTokens = 0;
  #waitFailure: { at: DualTime; error: InlayError } | null = null;
  #firstRequest: DualTime | null = null;

  constructor(options: TokenRefreshOptions) {
    this.#options = options;
    this.#pause = new Pause(options.ports.clock);
  }

  get running(): boolean {
    return this.#running !== null;
  }

  /** Why the last attempt failed; null after a success and before the first attempt. */
  get failure(): InlayError | null {
    return this.#failure?.error ?? null;
  }

  /** The error of callers that waited in vain during the last minute; null without any. */
  get waitFailure(): InlayError | null {
    const span = Math.max(coolDown, this.#expiredTokens > 2 ? (this.#failure?.delay ?? 0) : 0);
    return this.#waitFailure && this.#remainingMs(this.#waitFailure.at, span) > 0
      ? this.#waitFailure.error
      : null;
  }

  /** Starts a refresh, or returns the running one. */
  start(userSignal: AbortSignal, once = false): Promise<string> {
    this.#once = once || (this.running && this.#once);
    if (this.#running !== null) return this.#running;
    const running = this.#run(userSignal).finally(() => {
      if (this.#running === running) this.#running = null;
      this.#options.onChange();
    });
    this.#running = running;
    // A refresh ahead of time has no caller who would handle its rejection.
    running.catch(() => {});
    return running;
  }

  /**
   * Waits for a refresh.
   *
   * @throws {InlayError} After 15 seconds, or when a signal aborts.
   */
  async token(userSignal: AbortSignal, signal?: AbortSignal, once?: boolean): Promise<string> {
    const running = this.start(userSignal, once);
    this.#options.onChange();
    if (this.waitFailure && !this.#once) throw this.waitFailure;
    await this.#sourceReady(userSignal);
    const { clock } = this.#options.ports;
    const onTimeout = () => this.#failWait();
    const result = this.#isUrgent
      ? untilAborted(running, userSignal)
      : withTimeout(clock, waitLimit, userSignal, onTimeout, () => running);
    return untilAborted(result, signal);
  }

  /**
   * Records a token that had expired at its receipt, or soon after. The first may have been close to
   * its end. From the second on, the backoff doubles, up to five minutes.
   */
  recordExpired(cause: InlayError): void {
    this.#expiredTokens += 1;
    if (this.#expiredTokens < 2) return;
    const error = retryableOf(cause);
    const delay = Math.min(slowest, refreshFloor * 2 ** (this.#expiredTokens - 2));
    this.#failure = { at: this.#now(), delay, error };
    if (this.#expiredTokens > 2) this.#waitFailure = { at: this.#now(), error };
  }

  /** Records that a token was valid for a while. */
  recordValid(): void {
    this.#expiredTokens = 0;
  }

  /** Detaches a running refresh, because its token would be the former user's. */
  detach(): void {
    this.#running = null;
  }

  /** Lets the next attempt start at once, because the user requested it. */
  skipWaits(): void {
    this.#lastSuccess = null;
    this.retryNow();
  }

  /** Retries after the network is back, unless the source requested a longer wait. */
  onNetwork(): void {
    if (this.#failure?.error.retryAfterMs == null) this.retryNow();
  }

  /** Ends the backoff. */
  retryNow(): void {
    this.#waitFailure = null;
    this.#failure = null;
    this.#failures = 0;
    this.#expiredTokens = 0;
    this.#pause.wake();
  }

  async #run(userSignal: AbortSignal): Promise<string> {
    const { obtain, onDenied, onDiagnostic, degraded } = this.#options;
    await this.#sourceReady(userSignal);
    this.#firstRequest ??= this.#now();
    for (let invalid = 0; ; ) {
      await this.#waitUntilAllowed(userSignal);
      if (this.#timeLeft === 0) {
        const error = codeExpired();
        onDenied(error);
        throw error;
      }
      const started = this.#now();
      this.#lastAttempt = started;
      try {
        const token = await obtain(userSignal);
        this.#lastSuccess = started;
        this.#waitFailure = null;
        this.#failure = null;
        this.#failures = 0;
        return token;
      } catch (cause) {
        if (userSignal.aborted) throw abortError(userSignal);
        const error = asInlayError(cause);
        const { code } = error;
        const hasExpired = code === expiredCode;
        invalid = hostFaults.has(error) ? invalid + 1 : 0;
        if ((!error.retryable && !hasExpired) || this.#once || invalid >= toleratedInvalid) {
          onDenied(error);
          throw error;
        }
        this.#failures += 1;
        const failures = this.#isUrgent ? Math.min(this.#failures, urgentFailures) : this.#failures;
        const delay = retryDelay(error.retryAfterMs, failures, this.#options.ports.random);
        this.#failure = { at: this.#now(), delay, error };
        if (hasExpired) this.recordExpired(error);
        onDiagnostic?.({ type: 'token_retry', code, delay, degraded: degraded() });
      }
    }
  }

  get #isUrgent(): boolean {
    return this.#options.source.validForMs !== undefined;
  }

  /** Milliseconds in which the source can still be called for its first token. */
  get #timeLeft(): number {
    const { validForMs } = this.#options.source;
    return validForMs === undefined ? Infinity : this.#remainingMs(this.#firstRequest, validForMs);
  }

  #sourceReady(userSignal: AbortSignal): Promise<void> {
    return untilAborted(this.#options.source.ready ?? Promise.resolve(), userSignal);
  }

  async #waitUntilAllowed(userSignal: AbortSignal): Promise<void> {
    const started = this.#now();
    for (;;) {
      if (userSignal.aborted) throw abortError(userSignal);
      const wait = Math.max(
        this.#remainingMs(this.#lastSuccess, refreshFloor),
        this.#remainingMs(this.#failure?.at, this.#failure?.delay ?? 0),
        this.#remainingMs(this.#waitFailure?.at, coolDown),
        this.#options.ports.page.online()
          ? 0
          : this.#remainingMs(this.#lastAttempt ?? started, offlineProbe),
      );
      if (wait === 0 || this.#timeLeft === 0) return;
      await this.#pause.wait(Math.min(wait, longestPause, this.#timeLeft), userSignal);
    }
  }

  /** Starts the cool-down of a minute. Callers that fail during it get the same error. */
  #failWait(): InlayError {
    const error =
      this.waitFailure ??
      this.#failure?.error ??
      new InlayError('TOKEN_UNAVAILABLE', 'No token could be had.', { retryable: true });
    if (!this.waitFailure) this.#waitFailure = { at: this.#now(), error };
    this.#options.onChange();
    return error;
  }

  #now(): DualTime {
    return dualNow(this.#options.ports.clock);
  }

  #remainingMs(start: DualTime | null | undefined, span: number): number {
    return remainingMs(start, span, this.#options.ports.clock);
  }
}

function codeExpired(): InlayError {
  return new InlayError(
    expiredCode,
    'The code of the hosted link has expired. Ask for a new link.',
  );
}

/** Longest time between two checks, in milliseconds. */
const longestTick = 30_000;

/** Checks whether a refresh is due: on page events after which timers may be late, and by timer. */
export class RefreshSchedule {
  readonly #ports: Ports;
  readonly #check: (signal: PageSignal | null) => number | null;
  readonly #unsubscribe: () => void;
  #timer: unknown = null;

  /** @param check Starts what is due. Returns the milliseconds until the next check; null for none. */
  constructor(ports: Ports, check: (signal: PageSignal | null) => number | null) {
    this.#ports = ports;
    this.#check = check;
    this.#unsubscribe = ports.page.watch((signal) => this.check(signal));
  }

  check(signal: PageSignal | null = null): void {
    const { clock } = this.#ports;
    clock.clearTimeout(this.#timer);
    const due = this.#check(signal);
    if (due === null) return;
    // 0 is due now and has been started. Timers take whole milliseconds.
    const wait = Math.ceil(Math.min(due || longestTick, longestTick));
    this.#timer = clock.setTimeout(() => this.check(), wait);
  }

  close(): void {
    this.#unsubscribe();
    this.#ports.clock.clearTimeout(this.#timer);
  }
}
