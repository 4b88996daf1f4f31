import type { Socket } from 'node:net';
import type { Clock } from './clock.ts';

export interface ServerSideOptions {
  readonly clock: Clock;
  /** Milliseconds from a half-open cut to the reset of the server's side, like a TCP timeout. */
  readonly halfOpenTimeoutMs: number;
  connect(): Socket;
}

/** Callbacks to the client's side of the connection. */
export interface ServerEvents {
  /** Resolves when the chunk was forwarded and the next one can be read. */
  onBytes(bytes: Buffer): Promise<void>;
  /** The server has closed its side. */
  onEnd(): Promise<void>;
  /** The connection failed or could not be established. */
  onLoss(): void;
  /** All sockets are closed. */
  onEmpty(): void;
}

/** Server sockets of one client: the main one, and others whose responses are discarded. */
export class ServerSide {
  readonly #options: ServerSideOptions;
  readonly #events: ServerEvents;
  readonly #sockets = new Set<Socket>();
  #current: Socket | null = null;
  #cancelReset = () => {};

  constructor(options: ServerSideOptions, events: ServerEvents) {
    this.#options = options;
    this.#events = events;
  }

  get sockets(): readonly Socket[] {
    return [...this.#sockets];
  }

  /** The main socket, opened on first use. */
  get socket(): Socket {
    this.#current ??= this.#open();
    return this.#current;
  }

  /** Half-closes the main socket, because no further requests follow. */
  end(): void {
    this.#current?.end();
  }

  /** Replaces the main socket by a new one. */
  replace(): Socket {
    const previous = this.#current;
    this.#current = null;
    previous?.destroy();
    return this.socket;
  }

  /** Sends a request on a separate socket and discards the response. */
  sendAndDiscard(bytes: Buffer): void {
    const socket = this.#add();
    socket.on('error', () => {});
    socket.resume();
    socket.write(bytes);
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  resetLater(): void {
    const { clock, halfOpenTimeoutMs } = this.#options;
    if (halfOpenTimeoutMs === Number.POSITIVE_INFINITY || this.#sockets.size === 0) return;
    this.#cancelReset = clock.setTimeout(() => this.reset(), halfOpenTimeoutMs);
  }

  #open(): Socket {
    const socket = this.#add();
    const handleLoss = () => {
      if (socket === this.#current) this.#events.onLoss();
    };
    socket.on('error', handleLoss);
    this.#forward(socket).catch(handleLoss);
    return socket;
  }

  #add(): Socket {
    const socket = this.#options.connect();
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size > 0) return;
      this.#cancelReset();
      this.#events.onEmpty();
    });
    return socket;
  }

  async #forward(socket: Socket): Promise<void> {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      if (socket === this.#current) await this.#events.onBytes(chunk);
    }
    if (socket === this.#current) await this.#events.onEnd();
    else socket.destroy();
  }
}
