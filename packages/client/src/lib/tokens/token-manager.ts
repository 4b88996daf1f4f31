import { retryDelay } from '../backoff.ts';
import {
  AuthDeniedError,
  asInlayError,
  closedError,
  InlayError,
  isInlayError,
  isTemporary,
  retryableOf,
  subjectChanged,
} from '../errors.ts';
import { Listeners } from '../listeners.ts';
import {
  abortError,
  type DualTime,
  dualNow,
  Pause,
  remainingMs,
  untilAborted,
  withTimeout,
} from '../wait.ts';
import { type AuthState, isAccessDenied, statusOf } from './auth-state.ts';
import { expiredCode, minRefreshInterval, Token } from './token.ts';
import { asTokenError, hostErrors, readGrant } from './token-grant.ts';
import type { TokenFacts, TokenManagerOptions } from './token-source.ts';

/** Time after which a call that waits for a token fails, in milliseconds. */
const callTimeout = 15_000;
/** Time limit of one request to the source or the platform, in milliseconds. */
const requestTimeout = 10_000;
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
/** Age in milliseconds above which a rejected token is assumed to have been valid when received. */
const provenAge = 60_000;
/** Time within which a second revocation is final, in milliseconds. */
const revocationWindow = 60_000;

/** An error, and when it occurred. */
interface Failure {
  readonly at: DualTime;
  readonly error: InlayError;
}

type StatusFields = Omit<AuthState, 'externalUserId'>;

/**
 * Decides when a token is requested: at first use, before its expiry, after a rejection and after
 * sleep. The methods stand in the order in which a token passes through them:
 *
 * 1. A call needs a token: it gets the current one, or waits for the next one.
 * 2. All waiting calls share one refresh, which is retried with backoff, and rate-limited to protect
 *    the host's backend.
 * 3. Each attempt requests a token from the source (`sources/`), and its properties from the platform.
 * 4. The next token is requested before the current one expires.
 * 5. A token that the platform rejects is replaced once, or access is denied.
 * 6. The state for `onAuthChange` is derived from all of that.
 * 7. The user reconnects, or the host page resets or closes the client.
 *
 * The token is stored only in a private field of this object. The first token is used immediately, while
 * its properties are requested. Every later token is used only after the platform has identified its end
 * user, so that no message of one user is sent as another.
 */
export class TokenManager<Facts extends TokenFacts = TokenFacts> {
  readonly #options: TokenManagerOptions<Facts>;
  readonly #listeners: Listeners;
  /** The wait before the next attempt of a refresh. */
  readonly #pause: Pause;
  readonly #unsubscribePage: () => void;
  /** Aborted when the end user changes and when the manager closes, so that late results are dropped. */
  #userController = new AbortController();

  #token: Token | null = null;
  /** Properties of the current token; null while unknown. */
  #facts: Facts | null = null;
  #describing: Promise<Facts> | null = null;
  /** The token that the platform rejected last, which the source must not return again. */
  #rejected: string | null = null;
  /** Whether a caller has received a token of the current end user. */
  #isServed = false;
  /** The platform's clock minus the wall clock, in milliseconds; null while unknown. */
  #clockOffset: number | null = null;

  #refresh: Promise<string> | null = null;
  /** Whether the running refresh fails at its first error. */
  #isSingleAttempt = false;
  /** Whether the source is being called, up to the first `await` in `getToken`. */
  #isCallingSource = false;
  #firstAttempt: DualTime | null = null;
  #lastAttempt: DualTime | null = null;
  #lastSuccess: DualTime | null = null;
  #failures = 0;
  /** The last attempt's error, and the backoff in milliseconds; null after a success. */
  #failure: (Failure & { readonly delay: number }) | null = null;
  /** The error with which a call stopped waiting, and which starts the cool-down. */
  #timeout: Failure | null = null;
  /** Number of consecutive tokens that had expired when they were received, or soon after. */
  #expiredTokens = 0;
  #checkTimer: unknown = null;

  #revokedAt: DualTime | null = null;
  #denied: StatusFields | null = null;
  /** The error of an exceeded budget or quota. */
  #limit: InlayError | null = null;
  #state: AuthState = { ...statusFields('ok'), externalUserId: null };

  constructor(options: TokenManagerOptions<Facts>) {
    this.#options = options;
    this.#listeners = new Listeners('onAuthChange', options.onDiagnostic ?? (() => {}));
    this.#pause = new Pause(options.ports.clock);
    this.#unsubscribePage = options.ports.page.watch((signal) => {
      const isBack = signal === 'online' || signal === 'restored';
      // A wait that the source requested is not ended.
      if (isBack && this.#failure?.error.retryAfterMs == null) this.retryNow();
      this.#check();
    });
  }

  // 1. A call needs a token.

  /**
   * Returns a token that is not known to have expired.
   *
   * @throws {InlayError} `TOKEN_UNAVAILABLE` after 15 seconds without a token; the cause of the denial
   *   while access is denied; `CLOSED` after `close()`; `TOKEN_REENTRANCY` if `getToken` calls it,
   *   because it would wait forever.
   */
  async get(signal?: AbortSignal): Promise<string> {
    if (this.#isCallingSource) {
      throw new InlayError(
        'TOKEN_REENTRANCY',
        'getToken called a function of this client that waits for getToken. Let it request your backend directly.',
      );
    }
    this.#assertUsable();
    const token = this.#validToken;
    if (!token) return this.#nextToken(signal);
    this.#refreshIfDue();
    return token.value;
  }

  /** Aborted when the end user changes, and when the manager closes. */
  get userSignal(): AbortSignal {
    return this.#userController.signal;
  }

  #assertUsable(): void {
    const error = this.userSignal.aborted ? closedError() : this.#denied?.error;
    if (error) throw error;
  }

  /**
   * The token that calls use. The token of a source that is not renewable is used until the platform
   * rejects it: this browser's clocks may be wrong, and there is no other token.
   */
  get #validToken(): Token | null {
    return this.#token?.expired && this.#renewable ? null : this.#token;
  }

  get #renewable(): boolean {
    return this.#options.source.renewable;
  }

  /**
   * Waits for a refresh.
   *
   * @param once Whether the refresh fails at its first error.
   * @throws {InlayError} When access is denied or a signal aborts; immediately during the cool-down; and
   *   after 15 seconds, unless the source has `validForMs`.
   */
  async #nextToken(signal?: AbortSignal, once?: boolean): Promise<string> {
    const { userSignal } = this;
    const refresh = this.#startRefresh(once);
    this.#check();
    if (this.#waitFailure && !this.#isSingleAttempt) throw this.#waitFailure;
    await this.#waitForSource(userSignal);
    const result = this.#isTimeLimited
      ? untilAborted(refresh, userSignal)
      : withTimeout(
          this.#options.ports.clock,
          callTimeout,
          userSignal,
          () => this.#startCoolDown(),
          () => refresh,
        );
    return untilAborted(result, signal);
  }

  #waitForSource(userSignal: AbortSignal): Promise<void> {
    return untilAborted(this.#options.source.ready ?? Promise.resolve(), userSignal);
  }

  /** Starts the cool-down of a minute, during which all calls fail with the same error. */
  #startCoolDown(): InlayError {
    const error =
      this.#waitFailure ??
      this.failure ??
      new InlayError('TOKEN_UNAVAILABLE', 'No token is available.', { retryable: true });
    if (!this.#waitFailure) this.#timeout = { at: this.#now(), error };
    this.#check();
    return error;
  }

  /**
   * The error of calls that failed to get a token during the last minute, or during a longer backoff
   * for expired tokens; null if there are none.
   */
  get #waitFailure(): InlayError | null {
    const duration = Math.max(coolDown, this.#expiredTokens > 2 ? (this.#failure?.delay ?? 0) : 0);
    return this.#timeout && this.#remainingMs(this.#timeout.at, duration) > 0
      ? this.#timeout.error
      : null;
  }

  // 2. The calls share one refresh.

  /** Starts a refresh, or returns the running one. */
  #startRefresh(once = false): Promise<string> {
    this.#isSingleAttempt = once || (this.#refresh !== null && this.#isSingleAttempt);
    if (this.#refresh !== null) return this.#refresh;
    const refresh = this.#requestUntilReceived().finally(() => {
      if (this.#refresh === refresh) this.#refresh = null;
      this.#check();
    });
    this.#refresh = refresh;
    // A scheduled refresh has no caller that would handle its rejection.
    refresh.catch(() => {});
    return refresh;
  }

  async #requestUntilReceived(): Promise<string> {
    const { userSignal } = this;
    await this.#waitForSource(userSignal);
    this.#firstAttempt ??= this.#now();
    for (let invalid = 0; ; ) {
      await this.#waitForAttempt(userSignal);
      if (this.#remainingTime === 0) {
        throw this.#deny(
          new InlayError(expiredCode, 'The hosted link has expired. Request a new one.'),
        );
      }
      const started = this.#now();
      this.#lastAttempt = started;
      try {
        const token = await this.#obtain(userSignal);
        this.#lastSuccess = started;
        this.#timeout = null;
        this.#failure = null;
        this.#failures = 0;
        return token;
      } catch (cause) {
        if (userSignal.aborted) throw abortError(userSignal);
        const error = asInlayError(cause, this.#options.onDiagnostic);
        invalid = hostErrors.has(error) ? invalid + 1 : 0;
        const isFinal =
          // The error page of a proxy is a temporary fault: it does not deny access.
          !(error.code === expiredCode || isTemporary(error)) ||
          invalid >= maxInvalidResults ||
          (this.#isSingleAttempt && this.#wasRevoked);
        if (isFinal) throw this.#deny(error);
        this.#recordFailure(error);
        if (!this.#isSingleAttempt) continue;
        // The next refresh continues after the cool-down.
        this.#timeout = { at: this.#now(), error };
        this.#refresh = null;
        void this.#startRefresh();
        throw error;
      }
    }
  }

  /** Waits for the rate limit, the backoff, the cool-down and the network. */
  async #waitForAttempt(userSignal: AbortSignal): Promise<void> {
    const started = this.#now();
    for (;;) {
      if (userSignal.aborted) throw abortError(userSignal);
      const wait = Math.max(
        this.#remainingMs(this.#lastSuccess, minRefreshInterval),
        this.#remainingMs(this.#failure?.at, this.#failure?.delay ?? 0),
        this.#remainingMs(this.#timeout?.at, coolDown),
        this.#options.ports.page.online()
          ? 0
          : this.#remainingMs(this.#lastAttempt ?? started, offlineInterval),
      );
      if (wait === 0 || this.#remainingTime === 0) return;
      await this.#pause.wait(Math.min(wait, maxTimer, this.#remainingTime), userSignal);
    }
  }

  get #isTimeLimited(): boolean {
    return this.#options.source.validForMs !== undefined;
  }

  /** Milliseconds for which the source can still provide its first token; `Infinity` without a limit. */
  get #remainingTime(): number {
    const { validForMs } = this.#options.source;
    return validForMs === undefined ? Infinity : this.#remainingMs(this.#firstAttempt, validForMs);
  }

  /** Starts the backoff after a failed attempt. */
  #recordFailure(error: InlayError): void {
    const { code, retryAfterMs } = error;
    this.#failures += 1;
    const failures = Math.min(this.#failures, this.#isTimeLimited ? maxCountedFailures : Infinity);
    const delayMs = retryDelay(retryAfterMs, failures, this.#options.ports.random);
    this.#failure = { at: this.#now(), delay: delayMs, error };
    if (code === expiredCode) this.#recordExpired(error);
    if (this.#isSingleAttempt) return;
    const degraded = this.#validToken !== null;
    this.#options.onDiagnostic?.({ type: 'token_retry', code, delayMs, degraded });
  }

  /**
   * Records a token that had expired when it was received, or soon after. From the second consecutive
   * expired token on, the backoff doubles, up to five minutes.
   */
  #recordExpired(cause: InlayError): void {
    this.#expiredTokens += 1;
    if (this.#expiredTokens < 2) return;
    const error = retryableOf(cause);
    const at = this.#now();
    const delay = Math.min(maxExpiredBackoff, minRefreshInterval * 2 ** (this.#expiredTokens - 2));
    this.#failure = { at, delay, error };
    if (this.#expiredTokens > 2) this.#timeout = { at, error };
  }

  /** Why the last token request failed; null after a success and before the first request. */
  get failure(): InlayError | null {
    return this.#failure?.error ?? null;
  }

  /** Requests a token now if a retry is pending. */
  retryNow(): void {
    this.#timeout = null;
    this.#failure = null;
    this.#failures = 0;
    this.#expiredTokens = 0;
    this.#pause.wake();
  }

  // 3. An attempt requests a token and its properties.

  /**
   * Requests a token and makes it the current one. Before that, it requests the properties of the
   * token, except for the user's first token.
   */
  async #obtain(userSignal: AbortSignal): Promise<string> {
    const token = await this.#requestToken(userSignal);
    if (this.#isServed) this.#adopt(token, await this.#requestFacts(token, userSignal));
    else this.#token = token;
    this.#rejected = null;
    this.#isServed = true;
    return token.value;
  }

  /**
   * Requests a token from the source.
   *
   * @throws {InlayError} `AUTH_DENIED` if the source denies access, `INVALID_TOKEN_FROM_HOST` for a value that is
   *   not a new token, and `TOKEN_UNAVAILABLE` for any other failure.
   */
  async #requestToken(userSignal: AbortSignal): Promise<Token> {
    const { source, baseUrl, ports } = this.#options;
    const rejected = this.#rejected;
    const current = this.#token?.value ?? rejected;
    const result = await this.#withTimeout(userSignal, async (signal) => {
      // Detects only reentrant calls before the first await of getToken. Later calls time out.
      this.#isCallingSource = true;
      try {
        return source.request({ current, signal, baseUrl, ports, serverNow: () => this.serverNow });
      } finally {
        this.#isCallingSource = false;
      }
    }).catch((error: unknown) => {
      throw asTokenError(error);
    });
    const grant = readGrant(result);
    if (!grant) throw new AuthDeniedError();
    if (grant.token === rejected) {
      throw new InlayError(
        'INVALID_TOKEN_FROM_HOST',
        'getToken returned the token that was just rejected. Let your backend issue a new one on every call.',
      );
    }
    const token = new Token(grant.token, ports);
    const now = this.serverNow;
    if (grant.expires_at !== undefined && now !== null) {
      const lifetime = Date.parse(grant.expires_at) - now;
      // A token is not rejected as expired here: the browser's clock may have been changed since
      // `serverNow` was measured, so only the platform can decide.
      if (lifetime > 0) token.setLifetime(lifetime, this.#now());
    }
    return token;
  }

  /** Requests a token's properties from the platform, and sets its lifetime. */
  async #requestFacts(token: Token, userSignal: AbortSignal): Promise<Facts> {
    const { describe, ports } = this.#options;
    const start = this.#now();
    const facts = await this.#withTimeout(userSignal, (signal) => describe(token.value, signal));
    token.setLifetime(facts.lifetime, start);
    this.#clockOffset = facts.serverTime - ports.clock.now();
    return facts;
  }

  #withTimeout<Value>(
    signal: AbortSignal,
    action: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    return withTimeout(this.#options.ports.clock, requestTimeout, signal, timeoutError, action);
  }

  /** The platform's clock, in milliseconds since the epoch; null while unknown. */
  get serverNow(): number | null {
    if (this.#clockOffset === null) return null;
    return this.#options.ports.clock.now() + this.#clockOffset;
  }

  /** Makes a token the current one. Then reports a change of user, if there is one. */
  #adopt(token: Token, facts: Facts): void {
    const isOtherUser = this.#facts !== null && this.#facts.subject !== facts.subject;
    this.#token = token;
    this.#facts = facts;
    if (isOtherUser) this.#changeSubject();
  }

  #changeSubject(): void {
    this.#describing = null;
    // The token of a running refresh would be the previous user's.
    this.#refresh = null;
    const previous = this.#userController;
    this.#userController = new AbortController();
    previous.abort(subjectChanged());
    this.#options.onSubjectChange?.();
  }

  /** Properties of the current token; null while unknown. */
  get known(): Facts | null {
    return this.#facts;
  }

  /** Resolves with the properties of the current token, which are requested once per token. */
  async facts(): Promise<Facts> {
    if (this.#facts) return this.#facts;
    await this.get();
    const token = this.#token;
    return this.#facts ?? (token ? this.#describe(token) : this.facts());
  }

  /** Requests the properties of the first token, which is already in use. If it fails, the next check retries. */
  #describe(token: Token): Promise<Facts> {
    this.#describing ??= this.#describeInUse(token, this.userSignal).finally(() => {
      this.#describing = null;
    });
    return this.#describing;
  }

  async #describeInUse(token: Token, userSignal: AbortSignal): Promise<Facts> {
    try {
      const facts = await this.#requestFacts(token, userSignal);
      if (this.#token === token) this.#adopt(token, facts);
      this.#check();
      return facts;
    } catch (cause) {
      const error = asInlayError(cause, this.#options.onDiagnostic);
      if (userSignal.aborted) throw error;
      if (error.status === 401) {
        await this.replace(token.value, error);
        if (this.#facts) return this.#facts;
      }
      // A response that is not the platform's is no denial.
      if (isTemporary(error)) throw retryableOf(error);
      this.reject(token.value, error);
      throw error;
    }
  }

  // 4. The token is refreshed before it expires.

  /**
   * Starts a refresh if it is due, and updates the state. Called after each change, on page events after
   * which timers may be late, and by a timer.
   */
  #check(): void {
    const { clock } = this.#options.ports;
    clock.clearTimeout(this.#checkTimer);
    if (!this.userSignal.aborted && !this.ended && this.#isServed) {
      const token = this.#token;
      this.#refreshIfDue();
      // The platform rejects a token that has expired.
      if (token && (token.expired || !this.#facts) && !this.#refresh) {
        this.#describe(token).catch(() => {});
      }
      // 0 means that a refresh was due and has started. Timers need whole milliseconds.
      const wait = Math.ceil(Math.min(token?.untilRefresh || maxTimer, maxTimer));
      this.#checkTimer = clock.setTimeout(() => this.#check(), wait);
    }
    this.#updateState();
  }

  #refreshIfDue(): void {
    const token = this.#validToken;
    const isDue = !token || token.untilRefresh === 0;
    if (isDue && this.#renewable) void this.#startRefresh();
  }

  // 5. The platform rejects a token.

  /**
   * Replaces a token that the platform rejected with 401. Only the first rejection of a token causes a
   * request to the source. A second revocation within a minute denies access.
   *
   * @throws {InlayError} The rejection, as retryable, if the token is rejected as expired like the previous
   *   one, but accepted by another route: then the route is at fault, and another token would not help.
   */
  async replace(rejected: string, error: InlayError, signal?: AbortSignal): Promise<string> {
    this.#assertUsable();
    if (this.#token?.value !== rejected) return this.get(signal);
    if (error.code === expiredCode && this.#expiredTokens > 0) {
      if (await this.#isAccepted(this.#token)) throw retryableOf(error);
      this.#assertUsable();
      if (this.#token?.value !== rejected) return this.get(signal);
    }
    this.#drop(this.#token, error);
    const revoked = error.code === 'EMBED_TOKEN_REVOKED';
    const isRepeated = revoked && this.#wasRevoked;
    if (revoked) this.#revokedAt = this.#now();
    if (isRepeated || isAccessDenied(error.code) || !this.#renewable) throw this.#deny(error);
    if (revoked) this.#skipWaits();
    return this.#nextToken(signal, revoked);
  }

  /**
   * Handles the rejection of a token that already replaced a rejected one. Denies access, unless the
   * token had expired: then the next one is requested, with increasing backoff. A token that the platform
   * has identified is kept until its next rejection, which `replace` checks.
   */
  reject(rejected: string, error: InlayError): void {
    const token = this.#token;
    if (token?.value !== rejected || this.ended) return;
    if (error.code !== expiredCode || !this.#renewable) this.#deny(error);
    else if (!this.#facts || token.expired) this.#drop(token, error);
  }

  /** Whether the platform accepts a token for the request of its properties. */
  async #isAccepted(token: Token): Promise<boolean> {
    if (!this.#renewable) return false;
    const facts = await this.#requestFacts(token, this.userSignal).catch(() => null);
    return facts !== null && facts.subject === this.#facts?.subject;
  }

  /** Drops a token that the platform rejected. */
  #drop(token: Token, error: InlayError): void {
    this.#token = null;
    this.#rejected = token.value;
    if (error.code !== expiredCode) return;
    if (token.age >= provenAge) this.#expiredTokens = 0;
    this.#recordExpired(error);
  }

  /** Whether the platform revoked a token within the last minute. */
  get #wasRevoked(): boolean {
    return this.#remainingMs(this.#revokedAt, revocationWindow) > 0;
  }

  /** Denies access until the user reconnects. Returns the cause. */
  #deny(error: InlayError): InlayError {
    const status = statusOf(error.code) ?? (this.#wasRevoked ? 'revoked' : 'expired');
    const canReconnect = this.#renewable && status !== 'origin_denied';
    this.#token = null;
    this.#denied = { status, error, canReconnect };
    this.#updateState();
    return error;
  }

  /** Whether access is denied until the user reconnects. */
  get ended(): boolean {
    return this.#denied !== null;
  }

  // 6. The state is derived.

  get state(): AuthState {
    return this.#state;
  }

  /** Calls `listener` after each change of `state`. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Sets the error of an exceeded budget or quota; null when it is no longer exceeded. */
  limit(error: InlayError | null): void {
    this.#limit = error;
    this.#updateState();
  }

  /** Derives the state again, and notifies the listeners if it changed. */
  #updateState(): void {
    const externalUserId = this.#facts?.subject ?? null;
    const next = { ...(this.#denied ?? this.#deriveStatus()), externalUserId };
    const keys = ['status', 'error', 'externalUserId'] as const;
    if (keys.every((key) => this.#state[key] === next[key])) return;
    this.#state = Object.freeze(next);
    this.#listeners.notify();
  }

  #deriveStatus(): StatusFields {
    if (!this.#options.ports.page.online()) return statusFields('offline');
    if (this.#limit) return statusFields('over_budget', this.#limit);
    // Before the first call, no token is needed.
    if (this.#validToken || !(this.#isServed || this.#refresh)) return statusFields('ok');
    const error = this.#waitFailure;
    return error ? statusFields('expired', error) : statusFields('refreshing');
  }

  // 7. The user or the host page starts again.

  /** Requests a token without waiting for backoff or cool-down, because the user asked for it. */
  async reconnect(): Promise<void> {
    if (this.userSignal.aborted) throw closedError();
    const denied = this.#denied;
    if (!this.#renewable) {
      if (denied) throw denied.error;
      // There is no other token, but the budget or quota may be available again.
      this.limit(null);
    }
    if (!denied && this.state.status !== 'over_budget' && this.#validToken) return;
    this.#clearFaults();
    this.#token = null;
    try {
      // The call fails at the first error, unless the source can't renew its token: such a source has
      // only one request, which is retried.
      await this.#nextToken(undefined, this.#renewable);
    } catch (error) {
      // The new token may be another user's, which is a success here.
      if (!(isInlayError(error) && error.code === 'SUBJECT_CHANGED' && this.#token)) throw error;
    }
  }

  /** Forgets the user. Pending calls reject with `SUBJECT_CHANGED`. */
  reset(): void {
    if (this.userSignal.aborted) return;
    this.#forget();
    this.#isServed = false;
    this.#clearFaults();
    this.#changeSubject();
    this.#updateState();
  }

  close(): void {
    if (this.userSignal.aborted) return;
    this.#listeners.clear();
    this.#unsubscribePage();
    this.#options.ports.clock.clearTimeout(this.#checkTimer);
    this.#forget();
    this.#userController.abort(closedError());
  }

  #forget(): void {
    this.#token = null;
    this.#rejected = null;
    this.#facts = null;
  }

  /** Clears what denies access or delays the next request. The next update changes the state. */
  #clearFaults(): void {
    this.#denied = null;
    this.#limit = null;
    this.#revokedAt = null;
    this.#skipWaits();
  }

  /** Lets the next attempt start immediately. */
  #skipWaits(): void {
    this.#lastSuccess = null;
    this.retryNow();
  }

  #now(): DualTime {
    return dualNow(this.#options.ports.clock);
  }

  #remainingMs(start: DualTime | null | undefined, duration: number): number {
    return remainingMs(start, duration, this.#options.ports.clock);
  }
}

function timeoutError(): InlayError {
  return new InlayError(
    'TOKEN_UNAVAILABLE',
    'No token within 10 seconds. Check that getToken does not wait for this client.',
    { retryable: true },
  );
}

function statusFields(status: AuthState['status'], error: InlayError | null = null): StatusFields {
  return { status, error, canReconnect: error !== null };
}
