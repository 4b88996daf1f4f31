import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Requests of one connection that may wait for the responses before them. */
const maximumWaiting = 16;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** The request of a connection that is handled now, and those that wait for it. */
interface Connection {
  current: Exchange;
  waiting: Exchange[];
}

/**
 * Handles the requests of each connection one after the other. Node starts all requests that it reads
 * at once (pipelining, RFC 9112, section 9.3.2), which can be hundreds in a packet, and keeps all their
 * responses in memory until the client reads them.
 */
export class RequestQueue {
  readonly #listener: RequestListener;
  readonly #onOverflow: (socket: Duplex) => void;
  readonly #connections = new WeakMap<Duplex, Connection>();

  /**
   * @param listener Called with each request, when the response before it has been sent.
   * @param onOverflow Called when more than 16 requests of a connection wait. It closes the connection.
   */
  constructor(listener: RequestListener, onOverflow: (socket: Duplex) => void) {
    this.#listener = listener;
    this.#onOverflow = onOverflow;
  }

  /** Handles a request, or lets it wait for the responses before it. */
  add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.#connections.get(socket);
    if (!connection) this.#start(socket, { current: { request, response }, waiting: [] });
    else if (connection.waiting.length < maximumWaiting) {
      connection.waiting.push({ request, response });
    } else if (connection.waiting.length === maximumWaiting) {
      // The last place marks the overflow, so that it is reported once.
      connection.waiting.push({ request, response });
      this.#onOverflow(socket);
    }
  }

  /** Whether a response of the connection has begun and is not finished. */
  isAnswering(socket: Duplex): boolean {
    const { response } = this.#connections.get(socket)?.current ?? {};
    return response?.headersSent === true && !response.writableFinished;
  }

  #start(socket: Duplex, connection: Connection): void {
    this.#connections.set(socket, connection);
    const { request, response } = connection.current;
    // Not `close`, whose listeners event streams remove. Without `finish`, the connection is closed.
    response.once('finish', () => {
      const next = connection.waiting.shift();
      if (!next || socket.destroyed || !socket.writable) this.#connections.delete(socket);
      else {
        // The timeout of the last response does not apply to the next one.
        next.request.setTimeout(0);
        this.#start(socket, { current: next, waiting: connection.waiting });
      }
    });
    this.#listener(request, response);
  }
}
