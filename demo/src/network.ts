import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from './listen.ts';

export type NetworkState = 'up' | 'slow' | 'cut';

/** Delay of each chunk in a slow network in milliseconds, in both directions. */
const chunkDelay = 400;

export interface NetworkOptions {
  /** Port to which browsers connect; 0 for any free port. */
  port: number;
  /** Local port to forward to. */
  targetPort: number;
  /** Replaces the timer, for tests. */
  wait?: (milliseconds: number) => Promise<unknown>;
}

/** A TCP proxy in front of the platform that can delay data or reset all connections. */
export interface Network {
  readonly port: number;
  readonly state: NetworkState;
  set(state: NetworkState): void;
  /** Resets open connections, and forwards new connections to another port; null for `targetPort`. */
  redirect(port: number | null): void;
  close(): Promise<void>;
}

/** Starts a TCP proxy between browser and platform, which causes real network failures for both. */
export async function startNetwork(options: NetworkOptions): Promise<Network> {
  const { wait = sleep } = options;
  const open = new Set<Socket>();
  let state: NetworkState = 'up';
  let port = options.targetPort;

  const delayed = () =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (state !== 'slow') return done(null, chunk);
        wait(chunkDelay).then(() => done(null, chunk), done);
      },
    });

  const server = createServer((browser) => {
    // The server keeps listening while the network is cut, because another program could take the port.
    if (state === 'cut') {
      browser.resetAndDestroy();
      return;
    }
    const platform = connect({ port, host: '127.0.0.1', noDelay: true });
    browser.setNoDelay(true);
    for (const socket of [browser, platform]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
    const end = () => {
      browser.destroy();
      platform.destroy();
    };
    // Errors are expected. Destroying both sockets ends the connection on both sides.
    pipeline(browser, delayed(), platform).catch(end);
    pipeline(platform, delayed(), browser).catch(end);
  });

  const cutAll = () => {
    for (const socket of open) socket.resetAndDestroy();
  };
  const ownPort = await listen(server, options.port);

  return {
    port: ownPort,
    get state() {
      return state;
    },
    set(next) {
      state = next;
      if (next === 'cut') cutAll();
    },
    redirect(next) {
      port = next ?? options.targetPort;
      // Open connections would keep using the previous port.
      cutAll();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cutAll();
      }),
  };
}
