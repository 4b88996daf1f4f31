import { once } from 'node:events';
import type { Server } from 'node:net';

/** Address on which all servers of the demo listen. Other machines cannot connect to it. */
export const loopback = '127.0.0.1';

/**
 * Starts listening.
 *
 * @param port - TCP port; 0 for any free port.
 * @returns The actual port.
 */
export async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, loopback);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server has no TCP address.');
  return address.port;
}
