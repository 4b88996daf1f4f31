import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, loopback, PortTakenError } from './listen.ts';
import { type Network, startNetwork } from './network.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});

/** A service behind the network proxy that echoes each chunk in upper case. */
async function setup(options: { wait?: (milliseconds: number) => Promise<unknown> } = {}) {
  const service: Server = createServer((socket) => {
    socket.on('data', (piece) => socket.write(piece.toString().toUpperCase()));
    socket.on('error', () => socket.destroy());
  });
  open.push(service);
  const targetPort = await listen(service, 0);
  const network: Network = await startNetwork({ port: 0, targetPort, ...options });
  open.push(network);
  return { network, service };
}

function call(network: Network): Socket {
  const socket = connect(network.port, loopback);
  // Tests wait for `close`, which follows `error`.
  socket.on('error', () => undefined);
  return socket;
}

const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

async function say(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [answer] = await once(socket, 'data');
  return String(answer);
}

describe('startNetwork', () => {
  it('forwards data in both directions', async () => {
    const { network } = await setup();
    const socket = call(network);

    expect(await say(socket, 'good evening')).toBe('GOOD EVENING');
    expect(await say(socket, 'good night')).toBe('GOOD NIGHT');
    socket.destroy();
  });

  it('resets open connections when it is cut', async () => {
    const { network } = await setup();
    const socket = call(network);
    await say(socket, 'hello');

    network.set('cut');

    await closed(socket);
    expect(network.state).toBe('cut');
  });

  it('resets new connections while it is cut, and accepts them afterwards', async () => {
    const { network } = await setup();
    network.set('cut');

    const refused = call(network);
    await closed(refused);
    network.set('up');
    const accepted = call(network);

    expect(refused.bytesRead).toBe(0);
    expect(await say(accepted, 'again')).toBe('AGAIN');
    accepted.destroy();
  });

  it('delays each chunk in both directions while it is slow', async () => {
    const waits: number[] = [];
    const { network } = await setup({ wait: async (ms) => waits.push(ms) });
    network.set('slow');
    const socket = call(network);

    expect(await say(socket, 'patience')).toBe('PATIENCE');
    expect(waits).toEqual([400, 400]);
    socket.destroy();
  });

  it('closes the connection when the service is not running', async () => {
    const { network, service } = await setup();
    service.close();
    await once(service, 'close');

    const socket = call(network);

    await closed(socket);
    expect(socket.bytesRead).toBe(0);
  });

  it('names the port that is in use', async () => {
    const { network } = await setup();

    const second = startNetwork({ port: network.port, targetPort: 1 });

    await expect(second).rejects.toThrow(PortTakenError);
    await expect(second).rejects.toThrow(`Port ${network.port} is taken.`);
  });
});
