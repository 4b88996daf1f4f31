import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';

/** Stops an HTTP server without cutting off its requests. */
export interface Drain {
  /** From now on, responses close their connections. New connections are still accepted. */
  announce(): void;
  /** Accepts no connections. Resolves when the requests in progress have ended and all connections are closed. */
  finish(): Promise<void>;
}

/** Prepares a server to be drained. Call it before the server listens. */
export function prepareDrain(server: Server, clock: Clock): Drain {
  // Browsers open connections in advance. `closeIdleConnections` closes none that has sent no request.
  const unused = new Set<Socket>();
  let isStopping = false;
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    unused.delete(socket);
    if (isStopping) response.setHeader('connection', 'close');
  });

  /** Closes connections as they become idle. Returns a function that stops this. */
  const closeWhenIdle = (): (() => void) => {
    server.closeIdleConnections();
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    let cancelNext = () => {};
    const cancelThis = clock.after(50, () => {
      cancelNext = closeWhenIdle();
    });
    return () => {
      cancelThis();
      cancelNext();
    };
  };

  return {
    announce() {
      isStopping = true;
    },
    async finish() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const stop = closeWhenIdle();
      await closed;
      stop();
    },
  };
}
