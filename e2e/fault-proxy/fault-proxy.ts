import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { type Clock, systemClock } from '../replay/clock.ts';
import { Connection, type ConnectionHost } from './connection.ts';
import type { SeenRequest } from './exchange.ts';
import type { CutKind, Match } from './fault.ts';
import { matches, Rules } from './rules.ts';
import { targetOf } from './target.ts';
import { Waiters } from './waiters.ts';

export interface FaultProxyOptions {
  /** Where everything goes, as `http://127.0.0.1:8787`. TLS is not spoken: a proxy sees no requests inside it. */
  target: string;
  /** Port to listen at. Default 0: any that is free. */
  port?: number;
  /** Address to listen at. Default 127.0.0.1. */
  host?: string;
  /**
   * Milliseconds after a half-open cut until the server's side is reset, as its TCP gives up on a peer
   * that acknowledges nothing. By default it never is.
   */
  serverForgetsAfter?: number;
  /** Time for delays, throttling and forgetting. Default: the real one. */
  clock?: Clock;
}

/** A connection that was cut. */
export interface SeenCut {
  readonly how: CutKind;
  readonly connection: number;
  /** The requests whose answers were under way. */
  readonly requests: readonly SeenRequest[];
}

/** What has happened since the proxy was started. */
export interface Counts {
  connections: number;
  requests: number;
  cuts: Record<CutKind, number>;
  /** Connections that were refused while the proxy was offline. */
  refused: number;
}

/** A bad network between a client and a server, controlled while it runs. */
export interface FaultProxy {
  /** Address for clients. */
  readonly url: string;
  readonly port: number;
  /** Faults of single requests: `faults.add({ type: 'cut', after: 120 }, { path: '/stream' })`. */
  readonly faults: Pick<Rules, 'add' | 'clear' | 'list'>;
  /** Connections that stand, oldest first. */
  readonly connections: readonly Connection[];
  readonly counts: Readonly<Counts>;
  readonly isOffline: boolean;
  /** Cuts every connection that stands, or those that `where` chooses, now. Returns how many. */
  cut(how: CutKind, where?: (connection: Connection) => boolean): number;
  /** Cuts every connection, half-open by default, and refuses new ones until `goOnline`. */
  goOffline(how?: CutKind): void;
  goOnline(): void;
  /** Resolves with the next request that comes through. */
  nextRequest(match?: Pick<Match, 'method' | 'path'>): Promise<SeenRequest>;
  /** Resolves with the next cut of any cause. */
  nextCut(): Promise<SeenCut>;
  /** Ends every connection, and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts a proxy below HTTP, so that client and server both meet what a bad network really does.
 * The server is called when the client has sent something, so that a fault can answer without it.
 *
 * @throws TypeError for a target that is no address.
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
    serverForgetsAfter: options.serverForgetsAfter ?? Number.POSITIVE_INFINITY,
    connect: () => connect({ ...target, noDelay: true, allowHalfOpen: true }),
    seeRequest(connection, method, path) {
      counts.requests += 1;
      const request = { id: counts.requests, connection: connection.id, method, path };
      requests.tell(request);
      return request;
    },
    onCut(connection, how, under) {
      counts.cuts[how] += 1;
      cuts.tell({ how, connection: connection.id, requests: under });
    },
    onClose: (connection) => live.delete(connection),
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    // The port stays ours while nobody gets through: closing it could lose it to another program.
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

  const standing = () => [...live].filter(({ cutAs }) => cutAs === null);
  const cut = (how: CutKind, where: (connection: Connection) => boolean = () => true) => {
    const chosen = standing().filter(where);
    for (const connection of chosen) connection.cut(how);
    return chosen.length;
  };

  return {
    url: `http://localhost:${address.port}`,
    port: address.port,
    faults: rules,
    counts,
    get connections() {
      return standing();
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
