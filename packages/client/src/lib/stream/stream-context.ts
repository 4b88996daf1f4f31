import type { Contact } from '../contact.ts';
import type { DiagnosticListener } from '../diagnostics.ts';
import type { AgentApi } from '../http/api.ts';
import type { Ports } from '../ports.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import type { StreamTransport } from './transport.ts';

/** What the conversations of a client share. */
export interface StreamContext {
  readonly ports: Ports;
  /** Replaces the reader of streams; undefined for the client's own. */
  readonly transport: StreamTransport | undefined;
  readonly tokens: TokenManager;
  readonly platform: AgentApi;
  readonly contact: Contact;
  readonly onDiagnostic: DiagnosticListener;
  /** What was learnt about the way to the platform. */
  readonly way: {
    /** Whether something on it holds streams back. */
    buffered: boolean;
  };
}
