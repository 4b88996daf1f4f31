import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { type Clock, systemClock } from './clock.ts';
import { Connection, type ConnectionHost } from './connection.ts';
import type { CutKind, Match, SeenRequest } from './fault.ts';
import type { Head } from './http-messages.ts';
import { matches, Rules } from './rules.ts';
import { targetOf } from './target.ts';
import { Waiters } from './waiters.ts';

export interface FaultProxyOptions {
  /** URL of the server, for example `http://127.0.0.1:8787`. TLS is not supported. */
  target: string;
  /** Port to listen on; 0 for a free one. @default 0 */
  port?: number;
  /** Address to listen on. @default '127.0.0.1' */
  host?: string;
  /**
   * Milliseconds from a half-open cut to the reset of the server's side, like the TCP timeout for a
   * peer that does not acknowledge. By default, the server's side stays open.
   */
  halfOpenTimeoutMs?: number;
  /** Called for each request. Names of headers are in lower case. */
  onRequest?: (request: SeenRequest, headers: Head['headers']) => void;
  /** Clock for all timers. @default the system clock */
  clock?: Clock;
}

/** A connection that was cut. */
export interface SeenCut {
  readonly how: CutKind;
  /** Id of the client’s connection. */
  readonly connection: number;
  /** Requests with a pending response. */
  readonly requests: readonly SeenRequest[];
}

/** Counters since the start of the proxy. */
export interface Counts {
  connections: number;
  requests: number;
  cuts: Record<CutKind, number>;
  /** Connections that were refused while the proxy was offline. */
  refused: number;
}

/** A proxy that simulates a bad network and is controlled at run time. */
export interface FaultProxy {
  /** URL for clients. */
  readonly url: string;
  readonly port: number;
  /** Faults of requests, for example `faults.add({ type: 'cut' }, { path: '/stream' })`. */
  readonly faults: Pick<Rules, 'add' | 'clear' | 'list'>;
  /** Open connections, oldest first. */
  readonly connections: readonly Connection[];
  readonly counts: Readonly<Counts>;
  readonly isOffline: boolean;
  /** Cuts all open connections, or those selected by `where`, and returns their number. */
  cut(how: CutKind, where?: (connection: Connection) => boolean): number;
  /** Cuts all connections (half-open by default), and refuses new ones until `goOnline`. */
  goOffline(how?: CutKind): void;
  goOnline(): void;
  /** Resolves with the next matching request. */
  nextRequest(match?: Pick<Match, 'method' | 'path'>): Promise<SeenRequest>;
  /** Resolves with the next cut connection, whatever the cause. */
  nextCut(): Promise<SeenCut>;
  /** Closes all connections, and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts a proxy that works on TCP level, so that client and server both see real network failures.
 * It connects to the server after the first bytes of the client, so that a fault can respond in the
 * server's place.
 *
 * @throws {TypeError} If the target is not an `http:` URL with a host.
 */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { port = 0, host = '127.0.0.1', clock = systemClock } = options;
  const target = targetOf(options.target);
  const rules = new Rules();
  const live = new Set<Connection>();
  const requests = new Waiters<SeenRequest>();
  const cuts = new Waiters<SeenCut>();
  const counts: Counts = {
    connections: 0,
    requests: 0,
    cuts: { 'half-open': 0, reset: 0, fin: 0 },
    refused: 0,
  };
  let isOffline = false;

  const connectionHost: ConnectionHost = {
    rules,
    clock,
    halfOpenTimeoutMs: options.halfOpenTimeoutMs ?? Number.POSITIVE_INFINITY,
    connect: () => connect({ ...target, noDelay: true, allowHalfOpen: true }),
    onRequest(connection, method, path, { headers }) {
      counts.requests += 1;
      const request = { id: counts.requests, connection: connection.id, method, path };
      options.onRequest?.(request, headers);
      requests.notify(request);
      return request;
    },
    onCut(connection, how, pending) {
      counts.cuts[how] += 1;
      cuts.notify({ how, connection: connection.id, requests: pending });
    },
    onClose: (connection) => live.delete(connection),
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    // The proxy listens while it is offline, because another program could take a closed port.
    if (isOffline) {
      counts.refused += 1;
      client.on('error', () => {});
      client.resetAndDestroy();
      return;
    }
    counts.connections += 1;
    live.add(new Connection(counts.connections, client, connectionHost));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');

  const openConnections = () => [...live].filter(({ cutAs }) => cutAs === null);
  const cut = (how: CutKind, where: (connection: Connection) => boolean = () => true) => {
    const chosen = openConnections().filter(where);
    for (const connection of chosen) connection.cut(how);
    return chosen.length;
  };

  return {
    url: `http://localhost:${address.port}`,
    port: address.port,
    faults: rules,
    counts,
    get connections() {
      return openConnections();
    },
    get isOffline() {
      return isOffline;
    },
    cut,
    goOffline(how = 'half-open') {
      isOffline = true;
      cut(how);
    },
    goOnline() {
      isOffline = false;
    },
    nextRequest: (match = {}) => requests.next((request) => matches(match, request)),
    nextCut: () => cuts.next(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of live) connection.destroy();
      }),
  };
}
