import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Request, serialize } from './http-connection.ts';

const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** A keep-alive connection that reads streamed responses, one at a time, without storing them. */
export class ResponseStream {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    // The reader handles `close`, which follows.
    socket.on('error', () => {});
  }

  static async open(port: number): Promise<ResponseStream> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new ResponseStream(socket);
  }

  /**
   * Sends a request and reads its response.
   *
   * @param pauseAfter Number of bytes after which reading pauses and the promise resolves.
   * @returns Milliseconds until the first event, and the number of bytes that were read.
   */
  read(
    request: Request,
    pauseAfter = Number.POSITIVE_INFINITY,
  ): Promise<{ firstEvent: number; bytes: number }> {
    const started = performance.now();
    this.#socket.write(serialize(request));
    return this.#readUntil(pauseAfter, started);
  }

  /** Continues to read the response after a pause. */
  continueReading(pauseAfter: number): Promise<{ firstEvent: number; bytes: number }> {
    this.#socket.resume();
    return this.#readUntil(pauseAfter, performance.now());
  }

  close(): void {
    this.#socket.destroy();
  }

  #readUntil(pauseAfter: number, started: number): Promise<{ firstEvent: number; bytes: number }> {
    return new Promise((resolve, reject) => {
      const socket = this.#socket;
      let head = '';
      let firstEvent = 0;
      let bytes = 0;
      let end = Buffer.alloc(0);
      const finish = (action: () => void) => {
        socket.off('data', handleData).off('close', handleClose);
        action();
      };
      const handleClose = () => reject(new Error('The stream ended too early.'));
      const handleData = (data: Buffer) => {
        bytes += data.length;
        if (firstEvent === 0) {
          head += data.toString('latin1');
          if (head.includes('data: ')) firstEvent = performance.now() - started;
          if (/^HTTP\/1\.1 (?!200)/.test(head)) finish(() => reject(new Error(head)));
        }
        end = Buffer.concat([end, data.subarray(-lastChunk.length)]).subarray(-lastChunk.length);
        if (end.equals(lastChunk)) return finish(() => resolve({ firstEvent, bytes }));
        if (bytes < pauseAfter) return;
        socket.pause();
        finish(() => resolve({ firstEvent, bytes }));
      };
      socket.on('data', handleData).once('close', handleClose);
    });
  }
}
