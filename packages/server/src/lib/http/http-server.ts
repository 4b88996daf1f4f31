import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { App } from '../app.ts';
import { ApiError } from '../problems/api-error.ts';
import { hideCause } from '../problems/handle-error.ts';
import { limitConnections } from './limit-connections.ts';
import { RequestQueue } from './request-queue.ts';

/** Longer than the idle timeout of load balancers (60 s), so that they close connections first. */
const keepAliveTimeout = 65_000;

export interface HttpServerOptions extends ServerOptions {
  /**
   * Milliseconds after which the connection of a refused request is closed, if the client neither
   * reads the response nor closes its side.
   *
   * @default 5000
   */
  connectTimeout?: number;
  /** Whether the server is that of `console.port`. */
  isConsole?: boolean;
}

/**
 * Creates an HTTP server for an app. Requests that Node refuses before they reach the router get a
 * problem as their response too.
 *
 * @param app While it is a pending promise, requests wait.
 * @param options Options of `createServer` of `node:http`, and `connectTimeout`.
 */
export function createHttpServer(
  app: App | Promise<App>,
  { connectTimeout = 5000, isConsole = false, ...options }: HttpServerOptions = {},
): Server {
  const ready = Promise.resolve(app);
  const listener = getRequestListener(
    async (request, env) => {
      requireOneHost(env.incoming);
      return (await ready).fetch(request, { ...env, isConsole });
    },
    {
      errorHandler: async (error) => {
        const { status, headers, problem } = (await ready).refuse(toApiError(error));
        return new Response(JSON.stringify(problem), { status, headers });
      },
    },
  );
  // Without a `Host`, Node would respond with an empty 400. The adapter reports an error instead,
  // which `errorHandler` turns into a problem.
  const server = createServer({ keepAliveTimeout, ...options, requireHostHeader: false });
  const queue = new RequestQueue(
    (request, response) => {
      // The client may not read the response. Streams have limits of their own until their end.
      response.once('prefinish', () => response.setTimeout(idleMs));
      void listener(request, response);
    },
    (socket) => {
      // The client may send further requests until the connection is closed.
      socket.once('finish', () => socket.destroy());
      if (socket.writableLength > 0) socket.destroy();
      else refuse(socket, new ApiError('SERVICE_UNAVAILABLE', overflow, { retryAfter: 1 }));
    },
  );
  server.on('request', (request, response) => queue.add(request, response));
  let idleMs = 0;
  void ready.then((readyApp) => {
    idleMs = readyApp.server.config.limits.request.download_idle_seconds * 1000;
    limitConnections(server, readyApp.server);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, toParserError(error.code));
  });
  // Requests with an unknown `Expect` header are handled as usual.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', ({ socket }: IncomingMessage) => {
    // Node removes its own listener, and an error without a listener would end the process.
    socket.on('error', () => socket.destroy());
    // Node's timeouts and `closeAllConnections()` no longer apply to the socket, but `close()` still
    // waits for it. So it must close even if the client neither reads nor closes its side.
    socket.on('finish', () => socket.destroy());
    const refusal = new ApiError('METHOD_NOT_ALLOWED', 'This server is not a proxy.', {
      headers: { allow: 'GET, HEAD, POST, DELETE, OPTIONS' },
    });
    refuse(socket, refusal);
  });
  return server;

  /** Sends a problem as the last response of a connection, and closes the connection. */
  function refuse(socket: Duplex, error: ApiError): void {
    // The client may neither read nor close its side.
    const timer = setTimeout(() => socket.destroy(), connectTimeout);
    socket.once('close', () => clearTimeout(timer));
    void ready.then((readyApp) => {
      // A response that has started cannot be replaced: the client would read a second response as a
      // part of the first one's body.
      if (!socket.writable || queue.isAnswering(socket)) socket.destroy();
      else sendProblem(socket, readyApp, error);
    });
  }
}

const overflow =
  'This connection has more requests than it may have at a time. Wait for responses, or open another one.';

/**
 * @throws ApiError If a request has several `Host` headers, of which a proxy may have used another one
 *   (RFC 9112, section 3.2).
 */
function requireOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): void {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'host').length < 2) return;
  throw new ApiError('VALIDATION_ERROR', 'The request has several `Host` headers. Send one.');
}

function sendProblem(socket: Duplex, app: App, error: ApiError): void {
  const { status, headers, problem } = app.refuse(error);
  const body = JSON.stringify(problem);
  const fields = {
    ...headers,
    date: new Date().toUTCString(),
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** Returns the error for the code of a `clientError` event. */
function toParserError(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(
        'HEADERS_TOO_LARGE',
        'Address and headers together are over the limit of 16 KiB. Send fewer or shorter ones.',
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('PAYLOAD_TOO_LARGE', 'The chunk extensions of the body are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('REQUEST_TIMEOUT', 'The request did not arrive in time. Send it again.');
    default:
      return new ApiError('VALIDATION_ERROR', 'This is not a request in HTTP/1.1.');
  }
}

/** Returns the error for an invalid request, or for an uncaught exception. */
function toApiError(error: unknown): ApiError {
  if (error instanceof RequestError) {
    const detail = 'The address or the `Host` header of the request is not valid.';
    return new ApiError('VALIDATION_ERROR', detail);
  }
  return error instanceof ApiError ? error : hideCause(error);
}
