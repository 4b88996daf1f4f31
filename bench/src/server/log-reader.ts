import { connect, type Socket } from 'node:net';
import { type Request, serialize } from './http-connection.ts';

/** A client that records the `seq` of all events that it reads, across reconnects. */
export class LogReader {
  readonly #port: number;
  readonly #request: (lastEventId: string) => Request;
  #socket: Socket | null = null;
  #onRead = () => {};
  #tail = '';
  /** Received `seq` values in the order of arrival. */
  readonly read: number[] = [];

  constructor(port: number, request: (lastEventId: string) => Request) {
    this.#port = port;
    this.#request = request;
  }

  /** Opens a stream after the last received event. Resolves after the response headers. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
      this.#socket = socket;
      this.#tail = '';
      socket.once('error', reject);
      socket.once('connect', () =>
        socket.write(serialize(this.#request(String(this.read.at(-1) ?? 0)))),
      );
      socket.once('data', (head: Buffer) => {
        const text = head.toString('latin1');
        if (text.startsWith('HTTP/1.1 200')) resolve();
        else reject(new Error(`No stream: ${text.slice(0, 300)}`));
      });
      socket.on('data', (chunk: Buffer) => this.#handleData(chunk.toString('latin1')));
    });
  }

  cut(): void {
    this.#socket?.removeAllListeners('data').destroy();
  }

  /** Resolves after the given number of events. */
  until(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onRead = () => {
        if (this.read.length >= count) resolve();
      };
      this.#onRead();
    });
  }

  #handleData(text: string): void {
    const all = this.#tail + text;
    const end = all.lastIndexOf('\n') + 1;
    for (const [, seq] of all.slice(0, end).matchAll(/^id: (\d+)$/gm)) this.read.push(Number(seq));
    this.#tail = all.slice(end);
    this.#onRead();
  }
}
