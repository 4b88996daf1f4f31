/** Start line and headers of a message. Header names are in lower case. */
export interface Head {
  readonly line: string;
  readonly headers: ReadonlyMap<string, string>;
}

export type MessagePart =
  | { readonly type: 'head'; readonly bytes: Buffer; readonly head: Head }
  | { readonly type: 'body'; readonly bytes: Buffer }
  | { readonly type: 'end' };

/**
 * Length of a body: a number of bytes, chunked, or up to the end of the connection. `preliminary`
 * marks an informational response (RFC 9110, section 15.2).
 */
export type BodyLength = number | 'chunked' | 'rest' | 'preliminary';

const maxHeadLength = 64 * 1024;
const endOfHead = Buffer.from('\r\n\r\n');
const lineFeed = 0x0a;

/** Finds the message boundaries in one direction of an HTTP/1.1 connection. */
export class MessageReader {
  readonly #lengthOf: (head: Head) => BodyLength;
  #state: 'head' | 'length' | 'size' | 'data' | 'trailer' | 'rest' = 'head';
  #head = Buffer.alloc(0);
  /** Remaining bytes of the body or chunk. */
  #left = 0;
  /** Incomplete chunk size line or trailer. */
  #line = '';

  constructor(lengthOf: (head: Head) => BodyLength) {
    this.#lengthOf = lengthOf;
  }

  /** Received bytes that do not belong to a message yet. */
  get pending(): Buffer {
    return this.#head;
  }

  *read(chunk: Buffer): Generator<MessagePart> {
    let bytes = chunk;
    while (bytes.length > 0) {
      if (this.#state === 'head') {
        bytes = yield* this.#readHead(bytes);
        continue;
      }
      const { length, ended } = this.#measureBody(bytes);
      if (length > 0) yield { type: 'body', bytes: bytes.subarray(0, length) };
      bytes = bytes.subarray(length);
      if (ended) yield this.#end();
    }
  }

  *#readHead(bytes: Buffer): Generator<MessagePart, Buffer> {
    const received = Buffer.concat([this.#head, bytes]);
    const end = received.indexOf(endOfHead);
    if (end === -1 && received.length < maxHeadLength && maybeHttp(received)) {
      this.#head = received;
      return Buffer.alloc(0);
    }
    this.#head = Buffer.alloc(0);
    const length = end === -1 ? received.length : end + endOfHead.length;
    const head = end === -1 ? { line: '', headers: new Map() } : parseHead(received, end);
    // Determined before the yield, because the caller may change the state that the length depends on.
    const body = end === -1 ? 'rest' : this.#lengthOf(head);
    yield { type: 'head', bytes: received.subarray(0, length), head };
    if (body === 0) yield this.#end();
    else this.#expect(body);
    return received.subarray(length);
  }

  #expect(body: BodyLength): void {
    if (body === 'preliminary') return;
    if (typeof body === 'number') this.#left = body;
    this.#state = body === 'chunked' ? 'size' : body === 'rest' ? 'rest' : 'length';
  }

  #end(): MessagePart {
    this.#state = 'head';
    return { type: 'end' };
  }

  /** Number of these bytes that belong to the body, and whether the body is complete. */
  #measureBody(bytes: Buffer): { length: number; ended: boolean } {
    if (this.#state === 'rest') return { length: bytes.length, ended: false };
    if (this.#state === 'length') {
      const length = Math.min(this.#left, bytes.length);
      this.#left -= length;
      return { length, ended: this.#left === 0 };
    }
    let offset = 0;
    while (offset < bytes.length) {
      if (this.#state === 'data') {
        const length = Math.min(this.#left, bytes.length - offset);
        this.#left -= length;
        offset += length;
        if (this.#left === 0) this.#state = 'size';
        continue;
      }
      const line = this.#readLine(bytes, offset);
      offset = line.next;
      if (line.text === null) continue;
      if (this.#state === 'trailer') {
        if (line.text === '') return { length: offset, ended: true };
        continue;
      }
      const size = Number.parseInt(line.text, 16);
      // Each chunk is followed by CR LF.
      this.#left = size + 2;
      this.#state = size > 0 ? 'data' : size === 0 ? 'trailer' : 'rest';
      if (this.#state === 'rest') return { length: bytes.length, ended: false };
    }
    return { length: offset, ended: false };
  }

  #readLine(bytes: Buffer, from: number): { text: string | null; next: number } {
    const end = bytes.indexOf(lineFeed, from);
    const next = end === -1 ? bytes.length : end + 1;
    this.#line += bytes.toString('latin1', from, next);
    if (end === -1) return { text: null, next };
    const text = this.#line.trim();
    this.#line = '';
    return { text, next };
  }
}

export function requestLength({ line, headers }: Head): BodyLength {
  if (headers.has('upgrade') || line.startsWith('CONNECT ')) return 'rest';
  return declaredLength(headers) ?? 0;
}

/** Body length of the response to a request with this method. */
export function answerLength({ line, headers }: Head, method: string): BodyLength {
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? 0);
  if (status === 101) return 'rest';
  if (status >= 100 && status < 200) return 'preliminary';
  if (method === 'HEAD' || status === 204 || status === 304) return 0;
  return declaredLength(headers) ?? 'rest';
}

function declaredLength(headers: Head['headers']): BodyLength | null {
  if (/\bchunked\b/i.test(headers.get('transfer-encoding') ?? '')) return 'chunked';
  const length = Number(headers.get('content-length') ?? Number.NaN);
  return Number.isSafeInteger(length) && length >= 0 ? length : null;
}

function parseHead(bytes: Buffer, end: number): Head {
  const [line = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = new Map<string, string>();
  for (const field of fields) {
    const colon = field.indexOf(':');
    if (colon > 0) headers.set(field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim());
  }
  return { line, headers };
}

/** Whether these bytes can be the start of an HTTP/1.1 request or response. */
function maybeHttp(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, maxHeadLength);
  const end = text.indexOf('\n');
  if (end === -1) return /^[A-Z]+($|[ /])/.test(text);
  return /^([A-Z]+ \S+ HTTP\/1\.[01]|HTTP\/1\.[01] \d{3}.*)\r$/.test(text.slice(0, end));
}
