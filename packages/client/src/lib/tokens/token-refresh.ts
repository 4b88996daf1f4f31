import { retryDelay } from '../backoff.ts';
import { asInlayError, InlayError, isTemporary, retryableOf } from '../errors.ts';
import type { PageSignal, Ports } from '../ports.ts';
import {
  abortError,
  type DualTime,
  dualNow,
  Pause,
  remainingMs,
  untilAborted,
  withTimeout,
} from '../wait.ts';
import { expiredCode, hostErrors, minRefreshInterval } from './token.ts';
import type { TokenManagerOptions } from './token-source.ts';

/** Time after which a call that waits for a token fails, in milliseconds. */
const callTimeout = 15_000;
/** Time without token requests after a `callTimeout`, in milliseconds, unless the user reconnects. */
const coolDown = 60_000;
/** Interval of attempts, in milliseconds, while the browser reports that it is offline, maybe wrongly. */
const offlineInterval = 30_000;
/** Number of failures after which the backoff of a source with `validForMs` stops growing, at 4 s. */
const maxCountedFailures = 4;
/** Maximum duration of one timer in milliseconds, because sleep and throttling delay timers. */
const maxTimer = 30_000;
/** Maximum backoff for a source that provides expired tokens, in milliseconds. */
const maxExpiredBackoff = 300_000;
/** Number of consecutive invalid results after which access is denied. */
const maxInvalidResults = 3;

export interface TokenRefreshOptions
  extends Pick<TokenManagerOptions, 'source' | 'ports' | 'onDiagnostic'> {
  /** Requests one token, checks it and makes it the current one. */
  readonly obtain: (userSignal: AbortSignal) => Promise<string>;
  /** Whether the current token is still valid. */
  readonly hasValidToken: () => boolean;
  /** Whether the platform revoked a token within the last minute. */
  readonly wasRevoked: () => boolean;
  /** Called when the refresh failed for good. */
  readonly onDenied: (error: InlayError) => void;
  /** Called when a call starts or stops waiting for a token, and when a refresh ends. */
  readonly onChange: () => void;
}

/**
 * Refreshes the token. All callers share one refresh. A refresh is retried with backoff, and
 * rate-limited to protect the host's backend.
 */
export class TokenRefresh {
  readonly #options: TokenRefreshOptions;
  readonly #pause: Pause;
  #running: Promise<string> | null = null;
  /** Whether the running refresh fails at its first error. */
  #isSingleAttempt = false;
  #lastSuccess: DualTime | null = null;
  #lastAttempt: DualTime | null = null;
  #failure: { at: DualTime; delay: number; error: InlayError } | null = null;
  #failures = 0;
  /** Number of consecutive tokens that had expired when they were received, or soon after. */
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

  /**
   * The error of calls that failed to get a token during the last minute, or during a longer backoff
   * for expired tokens; null if there are none.
   */
  get waitFailure(): InlayError | null {
    const duration = Math.max(coolDown, this.#expiredTokens > 2 ? (this.#failure?.delay ?? 0) : 0);
    return this.#waitFailure && this.#remainingMs(this.#waitFailure.at, duration) > 0
      ? this.#waitFailure.error
      : null;
  }

  /** Starts a refresh, or returns the running one. */
  start(userSignal: AbortSignal, once = false): Promise<string> {
    this.#isSingleAttempt = once || (this.running && this.#isSingleAttempt);
    if (this.#running !== null) return this.#running;
    const running = this.#run(userSignal).finally(() => {
      if (this.#running === running) this.#running = null;
      this.#options.onChange();
    });
    this.#running = running;
    // A scheduled refresh has no caller that would handle its rejection.
    running.catch(() => {});
    return running;
  }

  /**
   * Waits for a refresh.
   *
   * @throws {InlayError} When access is denied or a signal aborts; immediately during the cool-down; and
   *   after 15 seconds, unless the source has `validForMs`.
   */
  async token(userSignal: AbortSignal, signal?: AbortSignal, once?: boolean): Promise<string> {
    const running = this.start(userSignal, once);
    this.#options.onChange();
    if (this.waitFailure && !this.#isSingleAttempt) throw this.waitFailure;
    await this.#waitForSource(userSignal);
    const { clock } = this.#options.ports;
    const onTimeout = () => this.#failWait();
    const result = this.#isTimeLimited
      ? untilAborted(running, userSignal)
      : withTimeout(clock, callTimeout, userSignal, onTimeout, () => running);
    return untilAborted(result, signal);
  }

  /**
   * Records a token that had expired when it was received, or soon after. From the second consecutive
   * expired token on, the backoff doubles, up to five minutes.
   */
  recordExpired(cause: InlayError): void {
    this.#expiredTokens += 1;
    if (this.#expiredTokens < 2) return;
    const error = retryableOf(cause);
    const delay = Math.min(maxExpiredBackoff, minRefreshInterval * 2 ** (this.#expiredTokens - 2));
    this.#failure = { at: this.#now(), delay, error };
    if (this.#expiredTokens > 2) this.#waitFailure = { at: this.#now(), error };
  }

  /** Whether the previous token had expired when it was received, or soon after. */
  get hasExpired(): boolean {
    return this.#expiredTokens > 0;
  }

  /** Records that a token was valid for a while. */
  recordValid(): void {
    this.#expiredTokens = 0;
  }

  /** Abandons a running refresh, because its token would be the previous user's. */
  detach(): void {
    this.#running = null;
  }

  /** Lets the next attempt start immediately, because the user requested it. */
  skipWaits(): void {
    this.#lastSuccess = null;
    this.retryNow();
  }

  /** Retries when the browser is online again, unless the source requested a longer wait. */
  handleNetworkReturn(): void {
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
    const { obtain, onDenied, onDiagnostic, hasValidToken, wasRevoked } = this.#options;
    await this.#waitForSource(userSignal);
    this.#firstRequest ??= this.#now();
    for (let invalid = 0; ; ) {
      await this.#waitUntilAllowed(userSignal);
      if (this.#remainingTime === 0) {
        const error = hostedLinkExpiredError();
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
        const error = asInlayError(cause, onDiagnostic);
        const { code } = error;
        const hasExpired = code === expiredCode;
        invalid = hostErrors.has(error) ? invalid + 1 : 0;
        // The error page of a proxy is a temporary fault: it does not deny access.
        const canRetry = hasExpired || isTemporary(error);
        if (!canRetry || invalid >= maxInvalidResults || (this.#isSingleAttempt && wasRevoked())) {
          onDenied(error);
          throw error;
        }
        this.#failures += 1;
        const failures = this.#isTimeLimited
          ? Math.min(this.#failures, maxCountedFailures)
          : this.#failures;
        const delay = retryDelay(error.retryAfterMs, failures, this.#options.ports.random);
        this.#failure = { at: this.#now(), delay, error };
        if (hasExpired) this.recordExpired(error);
        if (this.#isSingleAttempt) {
          // The next refresh continues after the cool-down.
          this.#waitFailure = { at: this.#now(), error };
          this.#running = null;
          void this.start(userSignal);
          throw error;
        }
        onDiagnostic?.({ type: 'token_retry', code, delayMs: delay, degraded: hasValidToken() });
      }
    }
  }

  get #isTimeLimited(): boolean {
    return this.#options.source.validForMs !== undefined;
  }

  /** Milliseconds for which the source can still provide its first token; `Infinity` without a limit. */
  get #remainingTime(): number {
    const { validForMs } = this.#options.source;
    return validForMs === undefined ? Infinity : this.#remainingMs(this.#firstRequest, validForMs);
  }

  #waitForSource(userSignal: AbortSignal): Promise<void> {
    return untilAborted(this.#options.source.ready ?? Promise.resolve(), userSignal);
  }

  async #waitUntilAllowed(userSignal: AbortSignal): Promise<void> {
    const started = this.#now();
    for (;;) {
      if (userSignal.aborted) throw abortError(userSignal);
      const wait = Math.max(
        this.#remainingMs(this.#lastSuccess, minRefreshInterval),
        this.#remainingMs(this.#failure?.at, this.#failure?.delay ?? 0),
        this.#remainingMs(this.#waitFailure?.at, coolDown),
        this.#options.ports.page.online()
          ? 0
          : this.#remainingMs(this.#lastAttempt ?? started, offlineInterval),
      );
      if (wait === 0 || this.#remainingTime === 0) return;
      await this.#pause.wait(Math.min(wait, maxTimer, this.#remainingTime), userSignal);
    }
  }

  /** Starts the cool-down of a minute, during which all calls fail with the same error. */
  #failWait(): InlayError {
    const error =
      this.waitFailure ??
      this.#failure?.error ??
      new InlayError('TOKEN_UNAVAILABLE', 'No token is available.', { retryable: true });
    if (!this.waitFailure) this.#waitFailure = { at: this.#now(), error };
    this.#options.onChange();
    return error;
  }

  #now(): DualTime {
    return dualNow(this.#options.ports.clock);
  }

  #remainingMs(start: DualTime | null | undefined, duration: number): number {
    return remainingMs(start, duration, this.#options.ports.clock);
  }
}

function hostedLinkExpiredError(): InlayError {
  return new InlayError(expiredCode, 'The hosted link has expired. Request a new one.');
}

/** Maximum time between two checks, in milliseconds. */
const maxCheckInterval = 30_000;

/** Checks whether a refresh is due: by timer, and on page events after which timers may be late. */
export class RefreshSchedule {
  readonly #ports: Ports;
  readonly #check: (signal: PageSignal | null) => number | null;
  readonly #unsubscribe: () => void;
  #timer: unknown = null;

  /** @param check Starts a refresh if it is due. Returns the milliseconds until the next check, or null. */
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
    // 0 means that a refresh was due and has started. Timers need whole milliseconds.
    const wait = Math.ceil(Math.min(due || maxCheckInterval, maxCheckInterval));
    this.#timer = clock.setTimeout(() => this.check(), wait);
  }

  close(): void {
    this.#unsubscribe();
    this.#ports.clock.clearTimeout(this.#timer);
  }
}
