import type { Diagnostic } from '../diagnostics.ts';
import { AgentApi } from '../http/api.ts';
import { browserPorts } from '../ports.ts';
import { Reachability } from '../reachability.ts';
import { SessionStream } from '../stream/session-stream.ts';
import type { Connection } from '../stream/transport.ts';
import type { GetToken } from '../tokens/sources/host.ts';
import { FakeTransport } from './fake-transport.ts';
import { setupTokens } from './token-setup.ts';

export interface SessionStreamSetup {
  readonly getToken?: GetToken;
  /** Sends the polls of the log. By default they fail. */
  readonly fetch?: typeof globalThis.fetch;
  /** Every random number; 0.5 by default. */
  readonly random?: number;
  /** `seq` after which the stream starts. */
  readonly after?: number;
  readonly onEvent?: () => void;
  readonly onConnection?: (connection: Connection) => void;
}

/** Opens a session stream with a fake clock, page and transport, and records its callbacks. */
export async function setupSessionStream(options: SessionStreamSetup = {}) {
  const { getToken, fetch = () => Promise.reject(new TypeError('Failed to fetch')) } = options;
  const tokens = setupTokens({ lifetime: 3_600_000, ...(getToken && { getToken }) });
  const { clock, page, manager } = tokens;
  const ports = browserPorts({ clock, page, fetch, random: () => options.random ?? 0.5 });
  const transport = new FakeTransport();
  const received: number[] = [];
  const connections: Connection[] = [];
  const ends: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const baseUrl = 'http://platform.test';
  const reachability = new Reachability();
  const stream = new SessionStream({
    ports,
    transport,
    tokens: manager,
    platform: new AgentApi({ baseUrl, ports, tokens: manager, reachability }),
    reachability,
    after: options.after ?? 0,
    network: { buffersStreams: false },
    sessionId: () => 'ses_1',
    running: () => false,
    request: () => ({ method: 'GET', url: `${baseUrl}/stream` }),
    onEvent: (event) => {
      if ('seq' in event) received.push(Number(event.seq));
      options.onEvent?.();
    },
    onConnection: (connection) => {
      connections.push(connection);
      options.onConnection?.(connection);
    },
    onEnd: (error) => ends.push(error.code),
    onDenied: (error) => ends.push(`denied: ${error.code}`),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  await clock.advance(0);
  return { ...tokens, stream, transport, received, connections, ends, diagnostics };
}
