import type { Socket } from 'node:net';
import type { Clock } from '../replay/clock.ts';

export interface ServerSideOptions {
  readonly clock: Clock;
  /** Milliseconds after a half-open cut until the server's kernel gives up, as its TCP would. */
  readonly serverForgetsAfter: number;
  connect(): Socket;
}

/** What the other side of the connection is told. */
export interface ServerEvents {
  /** Resolves when the piece has been passed on, and the next one may come. */
  onBytes(bytes: Buffer): Promise<void>;
  /** The server has sent all that it will, and closed its side. */
  onEnd(): Promise<void>;
  /** The connection broke, or never came about. */
  onLoss(): void;
  /** No socket is left. */
  onEmpty(): void;
}

/** The sockets to the server behind one client: the one whose answers count, and those on the side. */
export class ServerSide {
  readonly #options: ServerSideOptions;
  readonly #events: ServerEvents;
  readonly #sockets = new Set<Socket>();
  #current: Socket | null = null;
  #stopForgetting = () => {};

  constructor(options: ServerSideOptions, events: ServerEvents) {
    this.#options = options;
    this.#events = events;
  }

  get sockets(): readonly Socket[] {
    return [...this.#sockets];
  }

  /** The one whose answers count. It is opened when it is first needed. */
  get socket(): Socket {
    this.#current ??= this.#open();
    return this.#current;
  }

  /** There is nothing more to ask. */
  end(): void {
    this.#current?.end();
  }

  /** Gives up the connection whose answers count, for another one. */
  replace(): Socket {
    const former = this.#current;
    this.#current = null;
    former?.destroy();
    return this.socket;
  }

  /** Sends something on a connection of its own, whose answer nobody hears. */
  sendAside(bytes: Buffer): void {
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

  forgetLater(): void {
    const { clock, serverForgetsAfter } = this.#options;
    if (serverForgetsAfter === Number.POSITIVE_INFINITY || this.#sockets.size === 0) return;
    this.#stopForgetting = clock.setTimeout(() => this.reset(), serverForgetsAfter);
  }

  #open(): Socket {
    const socket = this.#add();
    const lose = () => {
      if (socket === this.#current) this.#events.onLoss();
    };
    socket.on('error', lose);
    this.#pass(socket).catch(lose);
    return socket;
  }

  #add(): Socket {
    const socket = this.#options.connect();
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size > 0) return;
      this.#stopForgetting();
      this.#events.onEmpty();
    });
    return socket;
  }

  async #pass(socket: Socket): Promise<void> {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      if (socket === this.#current) await this.#events.onBytes(chunk);
    }
    if (socket === this.#current) await this.#events.onEnd();
    else socket.destroy();
  }
}
