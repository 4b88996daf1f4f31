/**
 * How a token gets from its source to the `Authorization` header:
 *
 * 1. A call needs a token. The manager returns the current one, or waits for the next one.
 * 2. `token-refresh.ts` shares one request to the source among all callers, and `token-requests.ts`
 *    makes it, with time limits. The sources are in `sources/`: the host page, an anonymous visitor,
 *    the code of a hosted page.
 * 3. `token.ts` validates the result.
 * 4. `http/request.ts` and the session stream write the header.
 * 5. The platform reports the expiry by its own clock, and `RefreshSchedule` requests the next token
 *    before the current one expires.
 * 6. If the platform rejects a token, a new one is requested once. `auth-state.ts` derives the status
 *    that `onAuthChange` reports.
 */

import {
  asInlayError,
  closedError,
  type InlayError,
  isInlayError,
  isTemporary,
  retryableOf,
  subjectChanged,
} from '../errors.ts';
import { type AuthState, AuthStateTracker, isAccessDenied } from './auth-state.ts';
import { expiredCode, type Token } from './token.ts';
import { RefreshSchedule, TokenRefresh } from './token-refresh.ts';
import { TokenRequests } from './token-requests.ts';
import type { TokenFacts, TokenManagerOptions } from './token-source.ts';

/** Age in milliseconds above which a rejected token is assumed to have been valid when received. */
const provenAge = 60_000;

/**
 * Decides when a token is requested: at first use, before its expiry, after a rejection and after
 * sleep. All callers share one request to the source. The token is stored only in a private field of
 * this object.
 *
 * The first token is used immediately, while its properties are requested. Every later token is used only
 * after the platform has identified its end user, so that no message of one user is sent as another.
 */
export class TokenManager<Facts extends TokenFacts = TokenFacts> {
  readonly #options: TokenManagerOptions<Facts>;
  readonly #auth: AuthStateTracker;
  readonly #requests: TokenRequests<Facts>;
  readonly #refresh: TokenRefresh;
  readonly #schedule: RefreshSchedule;
  /** Aborted when the end user changes and when the manager closes, so that late results are dropped. */
  #userController = new AbortController();
  #token: Token | null = null;
  #rejected: string | null = null;
  /** Whether a caller has received a token of the current end user. */
  #isServed = false;
  #facts: Facts | null = null;
  #describing: Promise<Facts> | null = null;

  constructor(options: TokenManagerOptions<Facts>) {
    this.#options = options;
    this.#requests = new TokenRequests(options);
    this.#refresh = new TokenRefresh({
      ...options,
      obtain: (userSignal) => this.#obtain(userSignal),
      hasValidToken: () => this.#validToken !== null,
      wasRevoked: () => this.#auth.wasRevoked,
      onDenied: (error) => this.#deny(error),
      onChange: () => this.#schedule.check(),
    });
    this.#auth = new AuthStateTracker(options, () => ({
      hasToken: this.#validToken !== null || !(this.#isServed || this.#refresh.running),
      waitFailure: this.#refresh.waitFailure,
      externalUserId: this.#facts?.subject ?? null,
    }));
    this.#schedule = new RefreshSchedule(options.ports, (signal) => {
      if (signal === 'online' || signal === 'restored') this.#refresh.handleNetworkReturn();
      const due = this.#check();
      this.#auth.update();
      return due;
    });
  }

  get state(): AuthState {
    return this.#auth.state;
  }

  /** Calls `listener` after each change of `state`. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void {
    return this.#auth.listeners.add(listener);
  }

  /** Aborted when the end user changes, and when the manager closes. */
  get userSignal(): AbortSignal {
    return this.#userController.signal;
  }

  /** The platform's clock, in milliseconds since the epoch; null while unknown. */
  get serverNow(): number | null {
    return this.#requests.serverNow;
  }

  /** Requests a token now if a retry is pending. */
  retryNow(): void {
    this.#refresh.retryNow();
  }

  /** Why the last token request failed; null after a success and before the first request. */
  get failure(): InlayError | null {
    return this.#refresh.failure;
  }

  /** Whether access is denied until the user reconnects. */
  get ended(): boolean {
    return this.#auth.denial !== null;
  }

  /**
   * Returns a token that is not known to have expired.
   *
   * @throws {InlayError} `TOKEN_UNAVAILABLE` after 15 seconds without a token; the cause of the denial
   *   while access is denied; `CLOSED` after `close()`.
   */
  async get(signal?: AbortSignal): Promise<string> {
    this.#requests.assertNotReentrant();
    this.#assertUsable();
    const token = this.#validToken;
    if (!token) return this.#refresh.token(this.userSignal, signal);
    this.#refreshIfDue();
    return token.value;
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
    if (error.code === expiredCode && this.#refresh.hasExpired) {
      if (await this.#isAccepted(this.#token)) throw retryableOf(error);
      this.#assertUsable();
      if (this.#token?.value !== rejected) return this.get(signal);
    }
    this.#drop(this.#token, error);
    const revoked = error.code === 'EMBED_TOKEN_REVOKED';
    const isRepeated = revoked && this.#auth.revoke();
    if (isRepeated || isAccessDenied(error.code) || !this.#renewable) throw this.#deny(error);
    if (revoked) this.#refresh.skipWaits();
    return this.#refresh.token(this.userSignal, signal, revoked);
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

  /** Sets the error of an exceeded budget or quota; null when it is no longer exceeded. */
  limit(error: InlayError | null): void {
    this.#auth.limit(error);
  }

  /** Requests a token without waiting for backoff or cool-down, because the user asked for it. */
  async reconnect(): Promise<void> {
    if (this.userSignal.aborted) throw closedError();
    const { denial } = this.#auth;
    if (!this.#renewable) {
      if (denial) throw denial;
      // There is no other token, but the budget or quota may be available again.
      this.limit(null);
    }
    if (!denial && this.state.status !== 'over_budget' && this.#validToken) return;
    this.#auth.clear();
    this.#refresh.skipWaits();
    this.#token = null;
    try {
      // The call fails at the first error, unless the source can't renew its token: such a source has
      // only one request, which is retried.
      await this.#refresh.token(this.userSignal, undefined, this.#renewable);
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
    this.#auth.clear();
    this.#refresh.skipWaits();
    this.#changeSubject();
    this.#auth.update();
  }

  close(): void {
    if (this.userSignal.aborted) return;
    this.#auth.listeners.clear();
    this.#schedule.close();
    this.#forget();
    this.#userController.abort(closedError());
  }

  /**
   * The token that calls use. The token of a source that is not renewable is used until the platform
   * rejects it: this browser's clocks may be wrong, and there is no other token.
   */
  get #validToken(): Token | null {
    return this.#token?.expired && this.#renewable ? null : this.#token;
  }

  /** Drops a token that the platform rejected. */
  #drop(token: Token, error: InlayError): void {
    this.#token = null;
    this.#rejected = token.value;
    if (error.code !== expiredCode) return;
    if (token.age >= provenAge) this.#refresh.recordValid();
    this.#refresh.recordExpired(error);
  }

  #assertUsable(): void {
    const error = this.userSignal.aborted ? closedError() : this.#auth.denial;
    if (error) throw error;
  }

  #forget(): void {
    this.#token = null;
    this.#rejected = null;
    this.#facts = null;
  }

  #changeSubject(): void {
    this.#describing = null;
    this.#refresh.detach();
    const previous = this.#userController;
    this.#userController = new AbortController();
    previous.abort(subjectChanged());
    this.#options.onSubjectChange?.();
  }

  #deny(error: InlayError): InlayError {
    this.#token = null;
    this.#auth.deny(error);
    return error;
  }

  /**
   * Requests a token and makes it the current one. Before that, it requests the properties of the
   * token, except for the user's first token.
   */
  async #obtain(userSignal: AbortSignal): Promise<string> {
    const token = await this.#requests.request(
      this.#token?.value ?? this.#rejected,
      this.#rejected,
      userSignal,
    );
    if (this.#isServed) this.#adopt(token, await this.#requests.describe(token, userSignal));
    else this.#token = token;
    this.#rejected = null;
    this.#isServed = true;
    return token.value;
  }

  /** Makes a token the current one. Then reports a change of user, if there is one. */
  #adopt(token: Token, facts: Facts): void {
    const isOtherUser = this.#facts !== null && this.#facts.subject !== facts.subject;
    this.#token = token;
    this.#facts = facts;
    if (isOtherUser) this.#changeSubject();
  }

  /** Requests the properties of the first token, which is already in use. If it fails, the next check retries. */
  #describe(token: Token): Promise<Facts> {
    this.#describing ??= this.#requestFacts(token, this.userSignal).finally(() => {
      this.#describing = null;
    });
    return this.#describing;
  }

  async #requestFacts(token: Token, userSignal: AbortSignal): Promise<Facts> {
    try {
      const facts = await this.#requests.describe(token, userSignal);
      if (this.#token === token) this.#adopt(token, facts);
      this.#schedule.check();
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

  /** Whether the platform accepts a token for the request of its properties. */
  async #isAccepted(token: Token): Promise<boolean> {
    if (!this.#renewable) return false;
    const facts = await this.#requests.describe(token, this.userSignal).catch(() => null);
    return facts !== null && facts.subject === this.#facts?.subject;
  }

  get #renewable(): boolean {
    return this.#options.source.renewable;
  }

  #refreshIfDue(): void {
    const token = this.#validToken;
    const isDue = !token || token.untilRefresh === 0;
    if (isDue && this.#renewable) void this.#refresh.start(this.userSignal);
  }

  /** Starts a refresh if it is due. Returns the milliseconds until the next check; null for none. */
  #check(): number | null {
    const token = this.#token;
    if (this.userSignal.aborted || this.ended || !this.#isServed) return null;
    this.#refreshIfDue();
    // The platform rejects a token that has expired.
    if (token && (token.expired || !this.#facts) && !this.#refresh.running)
      this.#describe(token).catch(() => {});
    return token ? token.untilRefresh : Infinity;
  }
}
