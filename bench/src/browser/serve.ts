import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

/** A server on a free port of this machine. */
export interface Served {
  readonly origin: string;
  close(): void;
}

/** Answers on an origin of its own until it is closed, which ends what is open. */
export async function serve(listener: RequestListener): Promise<Served> {
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
