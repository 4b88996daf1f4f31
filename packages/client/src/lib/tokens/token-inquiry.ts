import { AuthDenied, InlayError, isInlayError } from '../errors.ts';
import { moment } from '../moment.ts';
import { withTimeout } from '../wait.ts';
import { isBarred } from './auth-status.ts';
import { HeldToken } from './held-token.ts';
import { hostFaults } from './token-errors.ts';
import type { TokenFacts, TokenManagerOptions } from './token-facts.ts';
import type { TokenGrant } from './token-source.ts';
import { readGrant } from './token-value.ts';

/** Past this, a question counts as failed, in milliseconds. */
const limit = 10_000;

/** Puts the questions about tokens: to the source for one, and to the platform about one. */
export class TokenInquiry<Facts extends TokenFacts> {
  readonly #options: TokenManagerOptions<Facts>;
  #asking = false;
  /** The platform's clock minus the wall clock, in milliseconds; null while unknown. */
  #clockOffset: number | null = null;

  constructor(options: TokenManagerOptions<Facts>) {
    this.#options = options;
  }

  /** The platform's clock, in milliseconds since the epoch; null before it has told the time. */
  get serverNow(): number | null {
    if (this.#clockOffset === null) return null;
    return this.#options.ports.clock.now() + this.#clockOffset;
  }

  /** Throws where `getToken` waits for itself. */
  assertNotAsking(): void {
    if (!this.#asking) return;
    throw new InlayError(
      'TOKEN_REENTRANCY',
      'getToken used this client, which waits for it. Let it ask your backend.',
    );
  }

  /** Asks the source for a token other than the refused one. Rejects with an `InlayError`. */
  async ask(current: string | null, refused: string | null, life: AbortSignal): Promise<HeldToken> {
    const { source, baseUrl, ports } = this.#options;
    const answer = await this.#limited(life, async (signal) => {
      // Known only for what getToken does before its first await; the rest meets the time limit.
      this.#asking = true;
      try {
        return source.request({ current, signal, baseUrl, ports, serverNow: () => this.serverNow });
      } finally {
        this.#asking = false;
      }
    }).catch((error: unknown) => {
      throw asRefusal(error);
    });
    const grant = grantOf(answer);
    if (!grant) throw new AuthDenied();
    if (grant.token === refused) {
      throw new InlayError(
        'INVALID_TOKEN_FROM_HOST',
        'getToken gave the token that was just refused. Let your backend issue a new one on every call.',
      );
    }
    const held = new HeldToken(grant.token, ports);
    const now = this.serverNow;
    if (grant.expires_at !== undefined && now !== null) {
      const lifetime = Date.parse(grant.expires_at) - now;
      // Someone may have set the clock since: of what seems spent, only the platform can say so.
      if (lifetime > 0) held.live(lifetime, moment(ports.clock));
    }
    return held;
  }

  /** Asks the platform whose a token is and how long it lives. */
  async describe(held: HeldToken, life: AbortSignal): Promise<Facts> {
    const { describe, ports } = this.#options;
    const asked = moment(ports.clock);
    const facts = await this.#limited(life, (signal) => describe(held.value, signal));
    held.live(facts.lifetime, asked);
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
 * What the source threw, as an error of ours: one that is not retryable is a refusal. The text of
 * the host's own error is left out, because it may quote a secret.
 */
function asRefusal(error: unknown): InlayError {
  try {
    if (isInlayError(error)) return error;
    // A host's token endpoint that passes the platform's problem on, and a `getToken` that throws it.
    const code = String(Object(error).code);
    if (isBarred(code)) {
      return new InlayError(code, 'The platform issues no token for this person.');
    }
    if (error instanceof Error || Object.prototype.toString.call(error) === '[object Error]') {
      return unavailable();
    }
  } catch {
    // A getter of the thrown value throws.
  }
  return oddAnswer();
}

/** Reads what the source gave, whose getters may throw. */
function grantOf(answer: unknown): TokenGrant | null {
  try {
    return readGrant(answer);
  } catch (error) {
    throw isInlayError(error) ? error : oddAnswer();
  }
}

function unavailable(): InlayError {
  return new InlayError('TOKEN_UNAVAILABLE', 'getToken failed.', { retryable: true });
}

/** The host's code gave or threw what nothing can be made of. */
function oddAnswer(): InlayError {
  const error = unavailable();
  hostFaults.add(error);
  return error;
}
