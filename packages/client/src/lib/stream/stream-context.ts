import type { DiagnosticListener } from '../diagnostics.ts';
import type { AgentApi } from '../http/api.ts';
import type { Ports } from '../ports.ts';
import type { Reachability } from '../reachability.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import type { StreamTransport } from './transport.ts';

/** Dependencies that the conversations of a client share. */
export interface StreamContext {
  readonly ports: Ports;
  /** A custom transport; undefined for the client's own. */
  readonly transport: StreamTransport | undefined;
  readonly tokens: TokenManager;
  readonly platform: AgentApi;
  readonly reachability: Reachability;
  readonly onDiagnostic: DiagnosticListener;
  /** Observations of the network, shared by all streams. */
  readonly network: {
    /** Whether a proxy buffers streams. */
    buffersStreams: boolean;
  };
}
