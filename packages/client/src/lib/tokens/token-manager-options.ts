import type { DiagnosticListener } from '../diagnostics.ts';
import type { Ports } from '../ports.ts';
import type { TokenSource } from './token-source.ts';

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
