import { AuthDeniedError, InlayError, isInlayError } from '../errors.ts';
import { dualNow, withTimeout } from '../wait.ts';
import { isAccessDenied } from './auth-state.ts';
import { hostErrors, readGrant, Token } from './token.ts';
import type { TokenFacts, TokenGrant, TokenManagerOptions } from './token-source.ts';

/** Time limit of one request, in milliseconds. */
const timeLimit = 10_000;

/** Requests tokens from the source, and their properties from the platform. */
export class TokenRequests<Facts extends TokenFacts> {
  readonly #options: TokenManagerOptions<Facts>;
  /** Whether the source is being called, up to the first `await` in `getToken`. */
  #isCallingSource = false;
  /** The platform's clock minus the wall clock, in milliseconds; null while unknown. */
  #clockOffset: number | null = null;

  constructor(options: TokenManagerOptions<Facts>) {
    this.#options = options;
  }

  /** The platform's clock, in milliseconds since the epoch; null while unknown. */
  get serverNow(): number | null {
    if (this.#clockOffset === null) return null;
    return this.#options.ports.clock.now() + this.#clockOffset;
  }

  /** @throws {InlayError} `TOKEN_REENTRANCY` if `getToken` requests a token, because it would wait forever. */
  assertNotReentrant(): void {
    if (!this.#isCallingSource) return;
    throw new InlayError(
      'TOKEN_REENTRANCY',
      'getToken called a function of this client that waits for getToken. Let it request your backend directly.',
    );
  }

  /**
   * Requests a token from the source.
   *
   * @param current The token to replace; null for the first.
   * @param rejected The token that the platform rejected, which the source must not return again.
   * @throws {InlayError} `AUTH_DENIED` if the source denies access, `INVALID_TOKEN_FROM_HOST` for a value that is
   *   not a new token, and `TOKEN_UNAVAILABLE` for any other failure.
   */
  async request(
    current: string | null,
    rejected: string | null,
    userSignal: AbortSignal,
  ): Promise<Token> {
    const { source, baseUrl, ports } = this.#options;
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
    const grant = parseGrant(result);
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
      if (lifetime > 0) token.setLifetime(lifetime, dualNow(ports.clock));
    }
    return token;
  }

  /** Requests a token's properties from the platform, and sets its lifetime. */
  async describe(token: Token, userSignal: AbortSignal): Promise<Facts> {
    const { describe, ports } = this.#options;
    const start = dualNow(ports.clock);
    const facts = await this.#withTimeout(userSignal, (signal) => describe(token.value, signal));
    token.setLifetime(facts.lifetime, start);
    this.#clockOffset = facts.serverTime - ports.clock.now();
    return facts;
  }

  #withTimeout<Value>(
    signal: AbortSignal,
    action: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    return withTimeout(this.#options.ports.clock, timeLimit, signal, timeoutError, action);
  }
}

function timeoutError(): InlayError {
  return new InlayError(
    'TOKEN_UNAVAILABLE',
    'No token within 10 seconds. Check that getToken does not wait for this client.',
    { retryable: true },
  );
}

/**
 * Converts an error of the source. The message of the host page's own error is omitted, because it may
 * quote a secret.
 */
function asTokenError(error: unknown): InlayError {
  try {
    if (isInlayError(error)) return error;
    // `getToken` may throw a problem of the platform that the host's token endpoint forwarded.
    const code = String(Object(error).code);
    if (isAccessDenied(code)) {
      return new InlayError(code, 'The platform issues no token for this user.');
    }
    if (error instanceof Error || Object.prototype.toString.call(error) === '[object Error]') {
      return unavailableError();
    }
  } catch {
    // The thrown value has a getter that throws.
  }
  return createHostError();
}

/** Reads the result of the source, whose getters may throw. */
function parseGrant(result: unknown): TokenGrant | null {
  try {
    return readGrant(result);
  } catch (error) {
    throw isInlayError(error) ? error : createHostError();
  }
}

function unavailableError(): InlayError {
  return new InlayError('TOKEN_UNAVAILABLE', 'getToken failed.', { retryable: true });
}

/** Creates the error for an unreadable value that the host page returned or threw. */
function createHostError(): InlayError {
  const error = unavailableError();
  hostErrors.add(error);
  return error;
}
