import { connect, type Socket } from 'node:net';
import { type Request, serialize } from './http-connection.ts';

/** A client that records the `seq` of all received events, across reconnects. */
export class LogReader {
  readonly #port: number;
  readonly #request: (lastEventId: string) => Request;
  #socket: Socket | null = null;
  #onReceived = () => {};
  #partialLine = '';
  /** `seq` values in the order of arrival. */
  readonly received: number[] = [];

  constructor(port: number, request: (lastEventId: string) => Request) {
    this.#port = port;
    this.#request = request;
  }

  /** Opens a stream after the last received event. Resolves after the response headers. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
      this.#socket = socket;
      this.#partialLine = '';
      socket.once('error', reject);
      socket.once('connect', () =>
        socket.write(serialize(this.#request(String(this.received.at(-1) ?? 0)))),
      );
      socket.once('data', (head: Buffer) => {
        const text = head.toString('latin1');
        if (text.startsWith('HTTP/1.1 200')) resolve();
        else reject(new Error(`No stream: ${text.slice(0, 300)}`));
      });
      socket.on('data', (chunk: Buffer) => this.#handleData(chunk.toString('latin1')));
    });
  }

  disconnect(): void {
    this.#socket?.removeAllListeners('data').destroy();
  }

  /** Resolves when the given number of events has been received in total. */
  waitForCount(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onReceived = () => {
        if (this.received.length >= count) resolve();
      };
      this.#onReceived();
    });
  }

  #handleData(text: string): void {
    const all = this.#partialLine + text;
    const end = all.lastIndexOf('\n') + 1;
    for (const [, seq] of all.slice(0, end).matchAll(/^id: (\d+)$/gm))
      this.received.push(Number(seq));
    this.#partialLine = all.slice(end);
    this.#onReceived();
  }
}
