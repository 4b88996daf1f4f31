import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

/** A local server on a free port. */
export interface LocalServer {
  readonly origin: string;
  close(): void;
}

/** Starts a server on its own origin. Closing it also closes open connections. */
export async function serve(listener: RequestListener): Promise<LocalServer> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return {
    origin: `http://localhost:${address.port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
