import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, loopback, PortInUseError } from './listen.ts';
import { type Network, startNetwork } from './network.ts';

const closables: { close(): unknown }[] = [];
afterEach(async () => {
  for (const closable of closables.splice(0).reverse()) await closable.close();
});

/** A service behind the network proxy that echoes each chunk in upper case. */
async function setup(options: { wait?: (milliseconds: number) => Promise<unknown> } = {}) {
  const service: Server = createServer((socket) => {
    socket.on('data', (chunk) => socket.write(chunk.toString().toUpperCase()));
    socket.on('error', () => socket.destroy());
  });
  closables.push(service);
  const targetPort = await listen(service, 0);
  const network: Network = await startNetwork({ port: 0, targetPort, ...options });
  closables.push(network);
  return { network, service };
}

function connectTo(network: Network): Socket {
  const socket = connect(network.port, loopback);
  // Tests wait for `close`, which follows `error`.
  socket.on('error', () => undefined);
  return socket;
}

const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

async function send(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [answer] = await once(socket, 'data');
  return String(answer);
}

describe('startNetwork', () => {
  it('forwards data in both directions', async () => {
    const { network } = await setup();
    const socket = connectTo(network);

    expect(await send(socket, 'good evening')).toBe('GOOD EVENING');
    expect(await send(socket, 'good night')).toBe('GOOD NIGHT');
    socket.destroy();
  });

  it('resets open connections when the network is cut', async () => {
    const { network } = await setup();
    const socket = connectTo(network);
    await send(socket, 'hello');

    network.set('cut');

    await closed(socket);
    expect(network.state).toBe('cut');
  });

  it('resets new connections while the network is cut, and forwards connections afterwards', async () => {
    const { network } = await setup();
    network.set('cut');

    const refused = connectTo(network);
    await closed(refused);
    network.set('up');
    const accepted = connectTo(network);

    expect(refused.bytesRead).toBe(0);
    expect(await send(accepted, 'again')).toBe('AGAIN');
    accepted.destroy();
  });

  it('delays each chunk in both directions while the network is slow', async () => {
    const waits: number[] = [];
    const { network } = await setup({ wait: async (ms) => waits.push(ms) });
    network.set('slow');
    const socket = connectTo(network);

    expect(await send(socket, 'patience')).toBe('PATIENCE');
    expect(waits).toEqual([400, 400]);
    socket.destroy();
  });

  it('closes connections to a service that is not running', async () => {
    const { network, service } = await setup();
    service.close();
    await once(service, 'close');

    const socket = connectTo(network);

    await closed(socket);
    expect(socket.bytesRead).toBe(0);
  });

  it('rejects with an error that names a port in use', async () => {
    const { network } = await setup();

    const second = startNetwork({ port: network.port, targetPort: 1 });

    await expect(second).rejects.toThrow(PortInUseError);
    await expect(second).rejects.toThrow(`Port ${network.port} is in use.`);
  });
});
