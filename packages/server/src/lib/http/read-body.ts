import type { Clock } from '../clock.ts';
import { ApiError } from '../problems/api-error.ts';

/** Levels that a JSON body may be nested. What is deeper could be read, but not written again. */
const deepest = 64;

/** Of JSON, which may be nothing else. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Limits of a JSON body. */
export interface JsonLimits {
  /** Bytes of the body. */
  readonly bytes: number;
  /** Values in it, those in lists and objects included. Checking each takes time, and its errors take memory. */
  readonly items: number;
}

/**
 * Reads a JSON body within `limits`. It stops reading at the limit, whatever length was announced.
 * An empty body reads as an empty object, so that required fields are named one by one.
 */
export async function readJson(request: Request, limits: JsonLimits): Promise<unknown> {
  const bytes = await readBytes(request, limits.bytes);
  if (bytes.byteLength === 0) return {};
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
  requireSmall(bytes, limits.items);
  return parse(bytes);
}

const code = (character: string) => character.charCodeAt(0);
const quote = code('"');
const backslash = code('\\');
const comma = code(',');
const openers = new Set([code('['), code('{')]);
const closers = new Set([code(']'), code('}')]);
const spaces = new Set([...' \t\r\n'].map(code));

/**
 * Checks the size of a JSON text before it is parsed, because parsing takes many times its bytes of
 * memory. Text that is not JSON may pass, or be refused for its size.
 *
 * @throws ApiError `VALIDATION_ERROR` where it is nested too deep, or holds more than `most` values.
 */
function requireSmall(json: Uint8Array, most: number): void {
  let items = 1;
  let depth = 0;
  let isInString = false;
  /** Whether the last byte, but for spaces, opened a list or an object. */
  let isOpening = false;
  for (let at = 0; at < json.byteLength; at += 1) {
    const byte = json[at] as number;
    if (isInString) {
      if (byte === backslash) at += 1;
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
    if (items > most) {
      throw new ApiError('VALIDATION_ERROR', `The body holds more than ${most} values.`, {
        errors: [{ pointer: '', message: `must hold at most ${most} values` }],
      });
    }
    if (depth > deepest) {
      throw new ApiError('VALIDATION_ERROR', `The body is nested deeper than ${deepest} levels.`, {
        errors: [{ pointer: '', message: `must not be nested deeper than ${deepest} levels` }],
      });
    }
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError('VALIDATION_ERROR', 'The body is not valid JSON in UTF-8.', {
      errors: [{ pointer: '', message: 'is not valid JSON in UTF-8' }],
    });
  }
}

/**
 * Waits for the end of a body that means nothing to a route. One that turns out to be no HTTP is
 * refused, and a request that is refused must not have done anything.
 */
export async function passOverBody(request: Request, limits: JsonLimits): Promise<void> {
  if (hasBody(request)) await readBytes(request, limits.bytes);
}

/** Whether a request announces a body of at least one byte (RFC 9112, section 6.3). */
export function hasBody({ headers }: Request): boolean {
  return Number(headers.get('content-length')) > 0 || headers.has('transfer-encoding');
}

/**
 * Waits for a body, or a part of it.
 *
 * @throws ApiError `REQUEST_TIMEOUT`, which closes the connection, where it takes longer to arrive.
 */
export async function inTime<Body>(
  clock: Clock,
  seconds: number,
  reading: Promise<Body>,
  late = `The body did not arrive within ${seconds} seconds. Send the request again.`,
): Promise<Body> {
  let cancel = () => {};
  const timeout = new Promise<never>((_, reject) => {
    cancel = clock.after(seconds * 1000, () => {
      reject(new ApiError('REQUEST_TIMEOUT', late, { headers: { connection: 'close' } }));
    });
  });
  try {
    return await Promise.race([reading, timeout]);
  } finally {
    cancel();
  }
}

/** It stops reading at the limit, whatever length was announced. */
export async function readBytes(request: Request, limit: number): Promise<Buffer<ArrayBuffer>> {
  const announced = request.headers.get('content-length');
  if (Number(announced) > limit) throw tooLarge(limit);
  try {
    // HTTP lets no more through than was announced, and Node reads that faster than a stream.
    if (announced !== null) return withinLimit(Buffer.from(await request.arrayBuffer()), limit);
    return await readStream(request, limit);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    // The client hung up. That is nothing for the error log, where anybody could fill it.
    throw new ApiError('VALIDATION_ERROR', 'The body broke off before its end.', {
      errors: [{ pointer: '', message: 'broke off before its end' }],
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

export function tooLarge(limit: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body may have at most ${limit} bytes.`);
}
