import { once } from 'node:events';
import type { Server } from 'node:net';

/** The one address that everything of the demo listens on: this machine, and nobody else. */
export const loopback = '127.0.0.1';

/** A port that is needed and not to be had. The message is for the person at the terminal. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
  readonly port: number;

  constructor(port: number) {
    super(`Port ${port} is taken.`);
    this.port = port;
  }
}

/**
 * Starts to listen and says where; port 0 means any that is free.
 *
 * @throws PortTakenError
 */
export async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, loopback);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new PortTakenError(port);
    }
    throw error;
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return address.port;
}
