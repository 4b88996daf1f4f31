import { once } from 'node:events';
import type { Server } from 'node:net';

/** Address on which all servers of the demo listen. Other machines cannot connect to it. */
export const loopback = '127.0.0.1';

/** A required port is in use. The message is shown in the terminal. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';
  readonly port: number;

  constructor(port: number) {
    super(`Port ${port} is in use.`);
    this.port = port;
  }
}

/**
 * Starts listening.
 *
 * @param port - TCP port; 0 for any free port.
 * @returns The actual port.
 * @throws {PortInUseError} If the port is in use.
 */
export async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, loopback);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new PortInUseError(port);
    }
    throw error;
  }
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server has no TCP address.');
  return address.port;
}
