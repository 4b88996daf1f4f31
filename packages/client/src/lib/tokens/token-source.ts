import type { DiagnosticListener } from '../diagnostics.ts';
import type { Ports } from '../ports.ts';

/** A token and its expiry. */
export interface TokenGrant {
  readonly token: string;
  /** When it expires by the platform's clock (RFC 3339), as the platform sends it. */
  readonly expires_at?: string;
}

/** The request that a token source receives. */
export interface TokenRequest {
  /** The token to replace; null for the first. */
  readonly current: string | null;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
  /** The address of the platform, without a slash at its end. */
  readonly baseUrl: string;
  readonly ports: Ports;
  /** The platform's clock, in milliseconds since the epoch; null while it is unknown. */
  readonly serverNow?: () => number | null;
}

/**
 * A provider of tokens. `TokenManager` decides when to call it, with one request at a time.
 *
 * Null, undefined, an `AuthDeniedError` and any `InlayError` that is not retryable deny access until the
 * user reconnects. Any other failure is retried, and so is an `UNEXPECTED_RESPONSE` after the first
 * token.
 */
export interface TokenSource {
  /** False for a source that provides only one token, whose expiry is final. */
  readonly renewable: boolean;
  /** The first request waits for this promise, for example until a prerendered page is shown. */
  readonly ready?: Promise<void>;
  /**
   * For a source that expires, such as the code of a hosted link: the time for which the first token can
   * be requested, in milliseconds. Callers wait for the whole time. Attempts are at most four seconds
   * apart, unless the platform sends a longer `Retry-After`.
   *
   * @default Infinity
   */
  readonly validForMs?: number;
  /** The publishable key that the source sends, for `diagnose()`; undefined for a source without one. */
  readonly publishableKey?: string;
  request(request: TokenRequest): Promise<TokenGrant | string | null | undefined>;
  /** Deletes what the source stores about the user in this browser. */
  forget?(baseUrl: string): void;
}

/** Properties of a token, as reported by the platform. */
export interface TokenFacts {
  /** Remaining validity in milliseconds, counted from when the request was sent. */
  readonly lifetime: number;
  /** The end user whom it was issued for. */
  readonly subject: string;
  /** The platform's clock, in milliseconds since the epoch. */
  readonly serverTime: number;
}

export interface TokenManagerOptions<Facts extends TokenFacts = TokenFacts> {
  readonly source: TokenSource;
  /** The address of the platform, without a slash at its end. */
  readonly baseUrl: string;
  readonly ports: Ports;
  /** Requests the properties of a token from the platform. */
  readonly describe: (token: string, signal: AbortSignal) => Promise<Facts>;
  /** Called when tokens are issued for another end user, before any caller gets such a token. */
  readonly onSubjectChange?: () => void;
  readonly onDiagnostic?: DiagnosticListener;
}
