import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface Response {
  status: number;
  body: Buffer;
}

/** Serializes a request in HTTP/1.1 format. */
export function serialize({ method, path, headers = {}, body }: Request): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['content-type: application/json']),
    ...(method === 'POST' ? [`content-length: ${Buffer.byteLength(text)}`] : []),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

/**
 * A keep-alive connection with one request at a time. Uses plain sockets, because Node's HTTP client
 * needs as much CPU time as the measured server, and would distort the results on two cores.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #pending: { resolve(response: Response): void; reject(error: Error): void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#handleData(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () =>
      this.#fail(new Error('The connection was closed without a response.')),
    );
  }

  static async open(port: number): Promise<HttpConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  /** Sends a request. The previous response must be complete. */
  request(request: Request | Buffer): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#socket.write(Buffer.isBuffer(request) ? request : serialize(request));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #handleData(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const response = parseResponse(this.#received);
    if (!response) return;
    this.#received = Buffer.alloc(0);
    const pending = this.#pending;
    this.#pending = null;
    pending?.resolve(response);
  }

  #fail(error: Error): void {
    this.#pending?.reject(error);
    this.#pending = null;
  }
}

/** Parses a response; null if it is incomplete. */
export function parseResponse(bytes: Buffer): Response | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const start = end + 4;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const total = start + Number(length);
    return bytes.length < total ? null : { status, body: bytes.subarray(start, total) };
  }
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const body = parseChunks(bytes, start);
    return body && { status, body };
  }
  return { status, body: Buffer.alloc(0) };
}

function parseChunks(bytes: Buffer, from: number): Buffer | null {
  const parts: Buffer[] = [];
  for (let position = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', position);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', position, lineEnd), 16);
    const start = lineEnd + 2;
    if (bytes.length < start + size + 2) return null;
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(start, start + size));
    position = start + size + 2;
  }
}
