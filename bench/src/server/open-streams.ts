import { connect, type Socket } from 'node:net';
import { type Request, serialize } from './http-connection.ts';

/** Maximum number of concurrent connection attempts. Must be below the backlog of a listening socket. */
export const maxConcurrent = 200;

/** Last chunk of a chunked response. */
const lastChunk = '0\r\n\r\n';

/** An open event stream that stores only the end of the received text. */
export class OpenStream {
  readonly #socket: Socket;
  readonly #resolveEnded: () => void;
  #expectedText: string | null = null;
  #onFound = () => {};
  #tail = '';
  /** Arrival time of the last byte (`performance.now()`). */
  lastByteAt = 0;
  /** Resolves at the end of the response, even if the connection stays open. */
  readonly ended: Promise<void>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    let resolveEnded = () => {};
    this.ended = new Promise((resolve) => {
      resolveEnded = resolve;
    });
    this.#resolveEnded = resolveEnded;
    socket.once('close', resolveEnded);
    socket.on('data', (chunk: Buffer) => this.#handleData(chunk));
    // When the server process is killed, the connection is reset. `close` follows.
    socket.on('error', () => {});
  }

  static open(port: number, request: Request): Promise<OpenStream> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => socket.write(serialize(request)));
      socket.once('data', (head: Buffer) => {
        socket.removeListener('error', reject);
        const text = head.toString('latin1');
        if (text.startsWith('HTTP/1.1 200')) resolve(new OpenStream(socket));
        else reject(new Error(`No stream at ${request.path}: ${text}`));
      });
    });
  }

  /** Waits for a text in the stream, and resolves with its arrival time (`performance.now()`). */
  waitForText(text: string): Promise<number> {
    this.#expectedText = text;
    this.#tail = '';
    return new Promise((resolve) => {
      this.#onFound = () => resolve(this.lastByteAt);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #handleData(chunk: Buffer): void {
    this.lastByteAt = performance.now();
    const text = this.#tail + chunk.toString('latin1');
    if (this.#expectedText !== null && text.includes(this.#expectedText)) {
      this.#expectedText = null;
      this.#onFound();
    }
    if (text.endsWith(lastChunk)) this.#resolveEnded();
    this.#tail = text.slice(-Math.max(this.#expectedText?.length ?? 0, lastChunk.length));
  }
}

/** Opens `count` streams with limited concurrency. */
export async function openStreams(
  port: number,
  count: number,
  request: (number: number) => Request,
): Promise<OpenStream[]> {
  const streams: OpenStream[] = [];
  for (let start = 0; start < count; start += maxConcurrent) {
    const numbers = Array.from(
      { length: Math.min(maxConcurrent, count - start) },
      (_, index) => start + index,
    );
    const opened = await Promise.all(
      numbers.map((number) => OpenStream.open(port, request(number))),
    );
    streams.push(...opened);
  }
  return streams;
}
