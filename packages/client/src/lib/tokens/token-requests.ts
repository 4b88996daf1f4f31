import { dualNow } from '../dual-clock.ts';
import { AuthDenied, InlayError, isInlayError } from '../errors.ts';
import { withTimeout } from '../wait.ts';
import { isAccessDenied } from './auth-state.ts';
import { hostFaults, readGrant, Token } from './token.ts';
import type { TokenFacts, TokenManagerOptions } from './token-manager-options.ts';
import type { TokenGrant } from './token-source.ts';

/** Time limit of one request, in milliseconds. */
const limit = 10_000;

/** Requests tokens from the source, and facts about them from the platform. */
export class TokenRequests<Facts extends TokenFacts> {
  readonly #options: TokenManagerOptions<Facts>;
  /** Whether `getToken` is running synchronously. */
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

  /** @throws {InlayError} `TOKEN_REENTRANCY` if `getToken` requests a token, which it would wait for. */
  assertNotReentrant(): void {
    if (!this.#isCallingSource) return;
    throw new InlayError(
      'TOKEN_REENTRANCY',
      'getToken used this client, which waits for it. Let it ask your backend.',
    );
  }

  /**
   * Requests a token from the source.
   *
   * @param current The token to replace; null for the first.
   * @param refused The token that the platform refused, which must not come again.
   * @throws {InlayError} `AUTH_DENIED` for a rejection, `INVALID_TOKEN_FROM_HOST` for a value that is
   *   not a new token, and `TOKEN_UNAVAILABLE` for any other failure.
   */
  async request(
    current: string | null,
    refused: string | null,
    userSignal: AbortSignal,
  ): Promise<Token> {
    const { source, baseUrl, ports } = this.#options;
    const result = await this.#limited(userSignal, async (signal) => {
      // Detects reentrancy before getToken's first await only; later calls run into the time limit.
      this.#isCallingSource = true;
      try {
        return source.request({ current, signal, baseUrl, ports, serverNow: () => this.serverNow });
      } finally {
        this.#isCallingSource = false;
      }
    }).catch((error: unknown) => {
      throw asTokenError(error);
    });
    const grant = grantOf(result);
    if (!grant) throw new AuthDenied();
    if (grant.token === refused) {
      throw new InlayError(
        'INVALID_TOKEN_FROM_HOST',
        'getToken gave the token that was just refused. Let your backend issue a new one on every call.',
      );
    }
    const token = new Token(grant.token, ports);
    const now = this.serverNow;
    if (grant.expires_at !== undefined && now !== null) {
      const lifetime = Date.parse(grant.expires_at) - now;
      // The clock may have been set since: only the platform can tell that a token has expired.
      if (lifetime > 0) token.setLifetime(lifetime, dualNow(ports.clock));
    }
    return token;
  }

  /** Requests a token's facts from the platform, and sets its lifetime. */
  async describe(token: Token, userSignal: AbortSignal): Promise<Facts> {
    const { describe, ports } = this.#options;
    const sent = dualNow(ports.clock);
    const facts = await this.#limited(userSignal, (signal) => describe(token.value, signal));
    token.setLifetime(facts.lifetime, sent);
    this.#clockOffset = facts.serverTime - ports.clock.now();
    return facts;
  }

  #limited<Value>(
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    return withTimeout(this.#options.ports.clock, limit, signal, late, work);
  }
}

function late(): InlayError {
  return new InlayError(
    'TOKEN_UNAVAILABLE',
    'No token within 10 seconds. Does getToken wait for this client, which waits for it?',
    { retryable: true },
  );
}

/**
 * Converts what the source threw. The message of the host's own error is left out, because it may
 * quote a secret.
 */
function asTokenError(error: unknown): InlayError {
  try {
    if (isInlayError(error)) return error;
    // A problem of the platform that the host's token endpoint forwards and `getToken` throws.
    const code = String(Object(error).code);
    if (isAccessDenied(code)) {
      return new InlayError(code, 'The platform issues no token for this user.');
    }
    if (error instanceof Error || Object.prototype.toString.call(error) === '[object Error]') {
      return unavailable();
    }
  } catch {
    // A getter of the thrown value throws.
  }
  return hostFault();
}

/** Reads what the source returned. Its getters may throw. */
function grantOf(result: unknown): TokenGrant | null {
  try {
    return readGrant(result);
  } catch (error) {
    throw isInlayError(error) ? error : hostFault();
  }
}

function unavailable(): InlayError {
  return new InlayError('TOKEN_UNAVAILABLE', 'getToken failed.', { retryable: true });
}

/** The error for host code that returned or threw an unreadable value. */
function hostFault(): InlayError {
  const error = unavailable();
  hostFaults.add(error);
  return error;
}
