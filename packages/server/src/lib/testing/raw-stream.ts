import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { testOrigin } from './setup-server.ts';

/**
 * Opens a session's stream after `lastEventId` over its own connection, without reading from it.
 */
export function stalledStream(
  url: string,
  { id, token, lastEventId = '0' }: { id: string; token: string; lastEventId?: string },
): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  // The server may close the connection.
  socket.on('error', () => {});
  socket.pause();
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
