import type { Context } from 'hono';
import type { Clock } from '../clock.ts';
import { ApiError } from '../problems/api-error.ts';
import type { AppEnv } from './env.ts';

/** Maximum nesting of a JSON body. `JSON.parse` accepts values that are too deep for `JSON.stringify`. */
const maximumDepth = 64;

/** JSON is always UTF-8 (RFC 8259, section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Limits of a JSON body. */
export interface JsonLimits {
  /** Maximum bytes of the body. */
  readonly bytes: number;
  /**
   * Maximum number of values, including those in lists and objects. Validating a value takes time,
   * and its errors take memory.
   */
  readonly items: number;
}

/** A JSON body. */
export interface JsonBody {
  /** The body as it was sent; undefined for an empty body. */
  readonly bytes: Uint8Array | undefined;
  readonly value: unknown;
}

/**
 * Reads a JSON body. Reading stops at the limit, whatever `Content-Length` says. An empty body is
 * read as an empty object, so that the error lists the required fields.
 *
 * @throws ApiError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE` or `VALIDATION_ERROR`.
 */
export async function readJson(request: Request, limits: JsonLimits): Promise<JsonBody> {
  const bytes = await readBytes(request, limits.bytes);
  if (bytes.byteLength === 0) return { bytes: undefined, value: {} };
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must not be compressed: send it without `Content-Encoding`.',
    );
  }
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The body must be JSON, with \`Content-Type: application/json\`; it came as \`${type.slice(0, 80) || 'nothing'}\`.`,
    );
  }
  checkJsonSize(bytes, limits.items);
  return { bytes, value: parse(bytes) };
}

const byteOf = (character: string) => character.charCodeAt(0);
const quote = byteOf('"');
const backslash = byteOf('\\');
const comma = byteOf(',');
const openers = new Set([byteOf('['), byteOf('{')]);
const closers = new Set([byteOf(']'), byteOf('}')]);
const spaces = new Set([...' \t\r\n'].map(byteOf));

/**
 * Checks the size of a JSON text before it is parsed, because the parsed value needs many times as
 * much memory. Does not check the syntax: other text passes, or is refused for its size.
 *
 * @throws ApiError `VALIDATION_ERROR` if it is nested too deeply, or contains too many values.
 */
function checkJsonSize(json: Uint8Array, maximumItems: number): void {
  let items = 1;
  let depth = 0;
  let isInString = false;
  /** Whether the last non-space byte opened a list or an object. */
  let isOpening = false;
  for (let index = 0; index < json.byteLength; index += 1) {
    const byte = json[index] as number;
    if (isInString) {
      if (byte === backslash) index += 1;
      else if (byte === quote) isInString = false;
      continue;
    }
    if (spaces.has(byte)) continue;
    const isCloser = closers.has(byte);
    if (byte === comma || (isOpening && !isCloser)) items += 1;
    isOpening = openers.has(byte);
    isInString = byte === quote;
    if (isOpening) depth += 1;
    if (isCloser) depth -= 1;
    if (items > maximumItems) {
      throw new ApiError('VALIDATION_ERROR', `The body holds more than ${maximumItems} values.`, {
        errors: [{ pointer: '', message: `must hold at most ${maximumItems} values` }],
      });
    }
    if (depth > maximumDepth) {
      throw new ApiError(
        'VALIDATION_ERROR',
        `The body is nested deeper than ${maximumDepth} levels.`,
        {
          errors: [
            { pointer: '', message: `must not be nested deeper than ${maximumDepth} levels` },
          ],
        },
      );
    }
  }
}

/** A member `__proto__` in a JSON text, with or without Unicode escapes in its name. */
const reservedName = new RegExp(
  `(?<!\\\\)"${[...'__proto__'].map(characterOrEscape).join('')}"\\s*:`,
);

/** Returns a regular expression for an ASCII character in a JSON string. */
function characterOrEscape(character: string): string {
  const [high, low = ''] = byteOf(character).toString(16);
  return `(?:${character}|\\\\u00${high}[${low}${low.toUpperCase()}])`;
}

function parse(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    // Validation would drop this member without an error.
    if (reservedName.test(text)) throw reservedMember();
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('VALIDATION_ERROR', 'The body is not valid JSON in UTF-8.', {
      errors: [{ pointer: '', message: 'is not valid JSON in UTF-8' }],
    });
  }
}

/**
 * The error for input with a member `__proto__`, which JavaScript reserves.
 *
 * @param pointer JSON Pointer of the object that has the member.
 */
export function reservedMember(pointer = ''): ApiError {
  const message = 'must not hold a member named `__proto__`';
  const place = pointer === '' ? 'The body' : `\`${pointer.slice(1).replaceAll('/', '.')}\``;
  return new ApiError('VALIDATION_ERROR', `${place} ${message}. Choose another name.`, {
    errors: [{ pointer, message }],
  });
}

/**
 * Reads and discards the body of a route that takes none, so that a request with invalid framing is
 * refused before it has any effect.
 */
export async function discardBody(request: Request, limits: JsonLimits): Promise<undefined> {
  if (hasBody(request)) await readBytes(request, limits.bytes);
}

/** Whether a request has a body of at least one byte (RFC 9112, section 6.3). */
export function hasBody({ headers }: Request): boolean {
  return Number(headers.get('content-length')) > 0 || headers.has('transfer-encoding');
}

/**
 * Waits for a body, or a part of it, for a limited time.
 *
 * @throws ApiError `REQUEST_TIMEOUT`, which closes the connection.
 */
export async function withBodyTimeout<Body>(
  clock: Clock,
  seconds: number,
  reading: Promise<Body>,
  detail = `The body did not arrive within ${seconds} seconds. Send the request again.`,
): Promise<Body> {
  let cancel = () => {};
  const timeout = new Promise<never>((_, reject) => {
    cancel = clock.after(seconds * 1000, () => {
      reject(new ApiError('REQUEST_TIMEOUT', detail, { headers: { connection: 'close' } }));
    });
  });
  try {
    return await Promise.race([reading, timeout]);
  } finally {
    cancel();
  }
}

/**
 * Reads a body. Reading stops at the limit, whatever `Content-Length` says.
 *
 * @throws ApiError `PAYLOAD_TOO_LARGE`; `VALIDATION_ERROR` if the client disconnects.
 */
async function readBytes(request: Request, limit: number): Promise<Buffer<ArrayBuffer>> {
  const contentLength = request.headers.get('content-length');
  if (Number(contentLength) > limit) throw tooLarge(limit);
  try {
    // Node reads no more than `Content-Length`, and `arrayBuffer` is faster than reading a stream.
    if (contentLength !== null) return withinLimit(Buffer.from(await request.arrayBuffer()), limit);
    return await readStream(request, limit);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    // The client disconnected. An unexpected error would be logged, so that clients could fill the
    // error log.
    throw new ApiError('VALIDATION_ERROR', 'The body ended too early.', {
      errors: [{ pointer: '', message: 'ended too early' }],
      cause,
    });
  }
}

async function readStream(request: Request, limit: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function withinLimit(bytes: Buffer<ArrayBuffer>, limit: number): Buffer<ArrayBuffer> {
  if (bytes.byteLength > limit) throw tooLarge(limit);
  return bytes;
}

/** Limits of a body that is read in pieces. */
export interface PieceLimits {
  /** Maximum bytes of the content. */
  readonly limit: number;
  /** Bytes that are allowed around the content. */
  readonly overhead?: number;
  readonly clock: Clock;
  /** Maximum seconds without a byte. */
  readonly idleSeconds: number;
  /** Called with the length of each piece. If it throws, reading ends. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * The pieces of a body, as they arrive.
 *
 * @throws ApiError `PAYLOAD_TOO_LARGE`, or `REQUEST_TIMEOUT` if no byte arrives for too long.
 */
export async function* bodyPieces(
  c: Context<AppEnv>,
  { limit, overhead = 0, clock, idleSeconds, onBytes }: PieceLimits,
): AsyncGenerator<Uint8Array> {
  if (Number(c.req.header('content-length')) > limit + overhead) throw tooLarge(limit);
  // Reads the Node request, because the adapter would create a web request and a web stream for
  // `c.req.raw`. With `app.request()`, there is no Node request.
  const body: AsyncIterable<Uint8Array> | null = c.env?.incoming ?? c.req.raw.body;
  if (!body) return;
  // `reader.return()` is never called: it would close the connection before the response is sent.
  const reader = body[Symbol.asyncIterator]();
  const timeoutDetail = `No byte of the body arrived for ${idleSeconds} seconds. Send the request again.`;
  let size = 0;
  for (;;) {
    const { done, value } = await withBodyTimeout(clock, idleSeconds, reader.next(), timeoutDetail);
    if (done) return;
    size += value.byteLength;
    if (size > limit + overhead) throw tooLarge(limit);
    onBytes?.(value.byteLength);
    yield value;
  }
}

export function tooLarge(limit: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body may have at most ${limit} bytes.`);
}
