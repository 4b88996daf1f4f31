import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request whose last byte has not been sent. */
export interface IncompleteRequest {
  /** Sends the last byte, and reads the response. */
  finish(): Promise<{ status: number; code: string | undefined; body: string }>;
  /** Reads the response to a request that stays incomplete. */
  readResponse(): Promise<{ status: number; code: string | undefined; body: string }>;
}

/**
 * Sends a request over its own connection, except for the last byte of its body. Resolves when the
 * server has read the head and is waiting for the body.
 */
export async function sendIncomplete(
  url: string,
  request: { method: string; path: string; headers: Record<string, string>; body: string },
): Promise<IncompleteRequest> {
  const body = Buffer.from(request.body);
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
  });
  // The server may close the connection before it has read everything.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const head = Object.entries({
    host: 'x',
    connection: 'close',
    expect: '100-continue',
    'content-length': String(body.byteLength),
    ...request.headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${request.method} ${request.path} HTTP/1.1\r\n${head.join('')}\r\n`);
  while (!received.startsWith('HTTP/1.1 100 Continue\r\n\r\n')) await once(socket, 'data');
  socket.write(body.subarray(0, -1));

  const readResponse = async () => {
    await closed;
    const [, final = ''] = received.split('HTTP/1.1 100 Continue\r\n\r\n');
    const end = final.indexOf('\r\n\r\n');
    return {
      status: Number(final.split(' ')[1]),
      code: /^x-service-problem-code: (\w+)/im.exec(final.slice(0, end))?.[1],
      body: final.slice(end + 4),
    };
  };
  return {
    readResponse,
    finish() {
      socket.write(body.subarray(-1));
      return readResponse();
    },
  };
}
