import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { testOrigin } from './setup-server.ts';

interface StreamOptions {
  readonly id: string;
  readonly token: string;
  readonly lastEventId?: string;
}

/** Opens a session's stream after `lastEventId` over its own connection. */
export function rawStream(url: string, { id, token, lastEventId = '0' }: StreamOptions): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  // The server may close the connection.
  socket.on('error', () => {});
  socket.write(
    [
      `GET /agent/v1/sessions/${id}/events/stream HTTP/1.1`,
      'Host: test',
      `Origin: ${testOrigin}`,
      `Authorization: Bearer ${token}`,
      `Last-Event-ID: ${lastEventId}`,
      '\r\n',
    ].join('\r\n'),
  );
  return socket;
}

/** Opens a stream without reading from it. */
export function stalledStream(url: string, options: StreamOptions): Socket {
  return rawStream(url, options).pause();
}
