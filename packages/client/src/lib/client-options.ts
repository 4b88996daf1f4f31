import type { DiagnosticListener } from './diagnostics.ts';
import type { PageStore, PageStoreKind } from './page-store.ts';
import type { Ports } from './ports.ts';
import type { StreamTransport } from './stream/transport.ts';
import type { TokenSource } from './tokens/token-source.ts';

/** Options of `createInlayClient`, which are read once. */
export interface InlayClientOptions {
  /** The address of the platform, for example `https://chat.example`. Required. */
  readonly baseUrl: string;
  /** The source of tokens: `hostTokens`, `anonymousVisitor` or `hostedCode`. Required. */
  readonly tokens: TokenSource;
  /**
   * Where drafts and unsent messages are stored, so that they survive a reload.
   *
   * @default 'session', which keeps them per tab
   */
  readonly draftStore?: PageStoreKind | PageStore;
  /** Receives diagnostics for logs and monitoring. They never contain a secret. */
  readonly onDiagnostic?: DiagnosticListener;
  /**
   * Replaces parts of the environment, for tests and for environments that lack a browser API.
   *
   * @default the APIs of the browser
   */
  readonly ports?: Partial<Ports>;
  /**
   * Replaces the reader of server-sent events.
   *
   * @default a reader on top of the parser of `@microsoft/fetch-event-source`
   */
  readonly transport?: StreamTransport;
}
