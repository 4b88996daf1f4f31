import type { DiagnosticListener } from './diagnostics.ts';
import type { Ports } from './ports.ts';
import type { StreamTransport } from './stream/transport.ts';
import type { TokenSource } from './tokens/token-source.ts';

export interface InlayClientOptions {
  /** The address of the platform, for example `https://chat.example`. */
  readonly baseUrl: string;
  /** Where tokens come from: `hostTokens`, `anonymousVisitor` or `hostedCode`. */
  readonly tokens: TokenSource;
  /** Told what a monitoring tool may want to know. Never told a secret. */
  readonly onDiagnostic?: DiagnosticListener;
  /** Replaces parts of the environment: for tests, and for pages of an unusual kind. */
  readonly ports?: Partial<Ports>;
  /** Replaces the reader of server-sent events. */
  readonly transport?: StreamTransport;
}
