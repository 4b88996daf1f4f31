import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from './listen.ts';

export type NetworkState = 'up' | 'slow' | 'cut';

export interface NetworkOptions {
  /** Port that browsers call. 0: any that is free. */
  port: number;
  /** Port on this machine that everything is passed on to. */
  targetPort: number;
  /** Milliseconds that a slow network holds each piece back, in both directions. Default 400. */
  slowness?: number;
  /** How the holding back waits. */
  wait?: (milliseconds: number) => Promise<unknown>;
}

/** The way to the platform, which can be cut for real: sockets die, and new ones get nowhere. */
export interface Network {
  readonly port: number;
  readonly state: NetworkState;
  set(state: NetworkState): void;
  /** Passes everything on to another port from now on; null: to `targetPort` again. */
  lead(port: number | null): void;
  close(): Promise<void>;
}

/** Stands between the browser and the platform, below HTTP, so that both see what a bad network does. */
export async function startNetwork(options: NetworkOptions): Promise<Network> {
  const { slowness = 400, wait = sleep } = options;
  const open = new Set<Socket>();
  let state: NetworkState = 'up';
  let port = options.targetPort;

  const held = () =>
    new Transform({
      transform(piece: Buffer, _encoding, done) {
        if (state !== 'slow') return done(null, piece);
        wait(slowness).then(() => done(null, piece), done);
      },
    });

  const server = createServer((browser) => {
    // The port stays ours while the network is cut: closing it could lose it to another program.
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
    // A broken connection is what this is for; each side learns of it by losing its own.
    pipeline(browser, held(), platform).catch(end);
    pipeline(platform, held(), browser).catch(end);
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
    lead(next) {
      port = next ?? options.targetPort;
      // What stands would go on by the former way.
      cutAll();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cutAll();
      }),
  };
}
