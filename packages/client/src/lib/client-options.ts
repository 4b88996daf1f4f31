import type { DiagnosticListener } from './diagnostics.ts';
import type { PageStore, PageStoreKind } from './page-store.ts';
import type { Ports } from './ports.ts';
import type { StreamTransport } from './stream/transport.ts';
import type { TokenSource } from './tokens/token-source.ts';

/** How a client is set up. Everything is read once, when the client is made. */
export interface InlayClientOptions {
  /** The address of the platform, for example `https://chat.example`. No default. */
  readonly baseUrl: string;
  /** Where tokens come from: `hostTokens`, `anonymousVisitor` or `hostedCode`. No default. */
  readonly tokens: TokenSource;
  /**
   * Where the text is kept that the person wrote and that is not in the log yet, so that it survives
   * a reload: drafts and messages that wait to be sent. `session` by default, so that it belongs to
   * this tab; `memory` keeps it until the page is left. The store itself is used whenever the text
   * changes.
   */
  readonly draftStore?: PageStoreKind | PageStore;
  /** Told what a monitoring tool may want to know. Never told a secret. Default: nobody is told. */
  readonly onDiagnostic?: DiagnosticListener;
  /**
   * Replaces parts of the environment: for tests, and for pages of an unusual kind. Default: what a
   * browser's page has.
   */
  readonly ports?: Partial<Ports>;
  /** Replaces the reader of server-sent events. Default: `@microsoft/fetch-event-source`, repaired. */
  readonly transport?: StreamTransport;
}
