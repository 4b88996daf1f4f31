import { connect } from 'node:net';
import { bytesOf, type FuzzRequest, isUnfinished } from '../requests/request.ts';

export interface FuzzResponse {
  status: number;
  /** Header values by lower-case name; the last value of a repeated header. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Whether the response is an event stream. Only its beginning is read. */
  isStream: boolean;
  milliseconds: number;
}

/** Milliseconds after which a request counts as hanging. */
const timeoutMs = 5000;

/**
 * Sends a request on a new connection.
 *
 * @returns The response, or null if the connection was closed without one.
 * @throws {Error} If the response takes too long or is not HTTP.
 */
export function sendRequest(port: number, request: FuzzRequest): Promise<FuzzResponse | null> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`There was no complete response within ${timeoutMs / 1000} s.`));
    }, timeoutMs);
    const settle = () => {
      clearTimeout(late);
      socket.destroy();
      try {
        resolve(parseResponse(Buffer.concat(chunks), request.method, performance.now() - started));
      } catch (error) {
        reject(error);
      }
    };
    socket.on('connect', () => {
      socket.write(bytesOf(request));
      if (isUnfinished(request)) socket.end();
    });
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (/\r\ncontent-type: text\/event-stream/i.test(chunk.toString('latin1'))) settle();
    });
    socket.on('error', () => {});
    socket.on('close', settle);
  });
}

function parseResponse(bytes: Buffer, method: string, milliseconds: number): FuzzResponse | null {
  const text = bytes.toString('latin1').replace(/^(HTTP\/1\.1 1\d\d [\s\S]*?\r\n\r\n)+/, '');
  if (text === '') return null;
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  if (end < 0 || !Number.isInteger(status))
    throw new Error(`This is not an HTTP response: ${text.slice(0, 200)}`);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const bodyText = text.slice(end + 4);
  const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  const plain =
    headers['transfer-encoding'] === 'chunked' && !isStream ? decodeChunked(bodyText) : bodyText;
  const body = method === 'HEAD' ? '' : Buffer.from(plain, 'latin1').toString('utf8');
  return { status, headers, body, isStream, milliseconds };
}

function decodeChunked(text: string): string {
  let joined = '';
  for (let offset = 0; offset < text.length; ) {
    const line = text.indexOf('\r\n', offset);
    const size = Number.parseInt(text.slice(offset, line), 16);
    if (!(size > 0)) break;
    joined += text.slice(line + 2, line + 2 + size);
    offset = line + 2 + size + 2;
  }
  return joined;
}
