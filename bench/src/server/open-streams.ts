import { connect, type Socket } from 'node:net';
import { type Request, serialize } from './http-connection.ts';

/** Maximum number of concurrent connection attempts, below the backlog of a listening socket. */
const opening = 200;

/** Last chunk of a chunked response. */
const end = '0\r\n\r\n';

/** An open event stream. Stores only the data that the figures need. */
export class OpenStream {
  readonly #socket: Socket;
  readonly #resolveEnded: () => void;
  #mark: string | null = null;
  #onMark = () => {};
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
    // A stopped process resets its connections.
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

/** Opens `count` streams with limited concurrency. */
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
