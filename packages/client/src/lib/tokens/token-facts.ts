import type { DiagnosticListener } from '../diagnostics.ts';
import type { Ports } from '../ports.ts';
import type { TokenSource } from './token-source.ts';

/** What the platform says about a token. */
export interface TokenFacts {
  /** How many milliseconds it has to live, counted from when the question was sent. */
  readonly lifetime: number;
  /** The end user it speaks for. */
  readonly subject: string;
  /** The platform's clock, in milliseconds since the epoch. */
  readonly serverTime: number;
}

export interface TokenManagerOptions<Facts extends TokenFacts = TokenFacts> {
  readonly source: TokenSource;
  /** The address of the platform, without a slash at its end. */
  readonly baseUrl: string;
  readonly ports: Ports;
  /** Asks the platform whose a token is, and how long it lives. */
  readonly describe: (token: string, signal: AbortSignal) => Promise<Facts>;
  /** Called when the tokens begin to speak for another person, before anyone gets such a token. */
  readonly onSubjectChange?: () => void;
  readonly onDiagnostic?: DiagnosticListener;
}
