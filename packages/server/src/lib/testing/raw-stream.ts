import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { testOrigin } from './setup-server.ts';

interface StreamOptions {
  readonly id: string;
  readonly token: string;
  readonly lastEventId?: string;
}

interface RequestOptions {
  readonly path: string;
  readonly token: string;
  readonly headers?: readonly string[];
}

/** Opens a session's stream after `lastEventId` over its own connection. */
export function rawStream(url: string, { id, token, lastEventId = '0' }: StreamOptions): Socket {
  const path = `/agent/v1/sessions/${id}/events/stream`;
  return rawRequest(url, { path, token, headers: [`Last-Event-ID: ${lastEventId}`] });
}

/** Opens a stream without reading from it. */
export function stalledStream(url: string, options: StreamOptions): Socket {
  return rawStream(url, options).pause();
}

/** Sends a GET request over its own connection, without reading the response. */
export function stalledRequest(url: string, options: RequestOptions): Socket {
  return rawRequest(url, options).pause();
}

function rawRequest(url: string, { path, token, headers = [] }: RequestOptions): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  // The server may close the connection.
  socket.on('error', () => {});
  socket.write(
    [
      `GET ${path} HTTP/1.1`,
      'Host: test',
      `Origin: ${testOrigin}`,
      `Authorization: Bearer ${token}`,
      ...headers,
      '\r\n',
    ].join('\r\n'),
  );
  return socket;
}
