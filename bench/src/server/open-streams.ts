import { connect, type Socket } from 'node:net';
import { type Request, serialize } from './http-connection.ts';

/** How many connections are being opened at one time: fewer than a listening socket queues. */
const opening = 200;

/** What ends a chunked answer. */
const end = '0\r\n\r\n';

/** One open stream of events, of which only what a figure asks about is kept. */
export class OpenStream {
  readonly #socket: Socket;
  readonly #resolveEnded: () => void;
  #mark: string | null = null;
  #onMark = () => {};
  #tail = '';
  /** When the last byte came, by `performance.now()`. */
  lastByteAt = 0;
  /** Resolves when the server has ended the answer, whether or not it keeps the connection. */
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
    // A process that is stopped resets its connections.
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

  /** Resolves with the time at which `mark` has been read in the stream, from now on. */
  untilMark(mark: string): Promise<number> {
    this.#mark = mark;
    this.#tail = '';
    return new Promise((resolve) => {
      this.#onMark = () => resolve(this.lastByteAt);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #handleData(chunk: Buffer): void {
    this.lastByteAt = performance.now();
    const text = this.#tail + chunk.toString('latin1');
    if (this.#mark !== null && text.includes(this.#mark)) {
      this.#mark = null;
      this.#onMark();
    }
    if (text.endsWith(end)) this.#resolveEnded();
    this.#tail = text.slice(-Math.max(this.#mark?.length ?? 0, end.length));
  }
}

/** Opens `count` streams, a bounded number at a time. */
export async function openStreams(
  port: number,
  count: number,
  request: (number: number) => Request,
): Promise<OpenStream[]> {
  const streams: OpenStream[] = [];
  for (let start = 0; start < count; start += opening) {
    const numbers = Array.from({ length: Math.min(opening, count - start) }, (_, at) => start + at);
    const opened = await Promise.all(
      numbers.map((number) => OpenStream.open(port, request(number))),
    );
    streams.push(...opened);
  }
  return streams;
}
