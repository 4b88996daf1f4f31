import type { Ports } from '../ports.ts';

/** A token, with what the one who gave it knows about it. */
export interface TokenGrant {
  readonly token: string;
  /** When it ends, by the platform's clock: RFC 3339, as the platform writes it. */
  readonly expires_at?: string;
}

/** What a token source is asked with. */
export interface TokenRequest {
  /** The token that is being replaced; null for the first. */
  readonly current: string | null;
  /** Aborted when the answer is not wanted any more. */
  readonly signal: AbortSignal;
  /** The address of the platform, without a slash at its end. */
  readonly baseUrl: string;
  readonly ports: Ports;
  /** The platform's clock, in milliseconds since the epoch; null before it has told the time. */
  readonly serverNow?: () => number | null;
}

/**
 * Where tokens come from. `TokenManager` decides when to ask, one question at a time.
 *
 * A refusal is an answer of null or undefined, an `AuthDenied`, or any `InlayError` that is not
 * retryable: it ends the matter until the person asks again. Any other failure is tried again.
 */
export interface TokenSource {
  /** False where a second question can't be answered: the token's end is the end. */
  readonly renewable: boolean;
  /** Nothing is asked before it resolves: a page may not be shown yet. */
  readonly ready?: Promise<void>;
  /**
   * How long a first token may be asked for, in milliseconds, where the right to ask ends by itself,
   * as that of a hosted link's code does. Attempts are then at most four seconds apart, unless the
   * platform asks for a longer wait, and callers wait for the whole time. Default: no end.
   */
  readonly askableFor?: number;
  /** The public key that the source presents, for `diagnose()`; undefined where it presents none. */
  readonly publishableKey?: string;
  request(request: TokenRequest): Promise<TokenGrant | string | null | undefined>;
  /** The person wants to be forgotten: what the source keeps of them in this browser goes. */
  forget?(baseUrl: string): void;
}
