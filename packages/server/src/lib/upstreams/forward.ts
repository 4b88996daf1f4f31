import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as SecureAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import type { Clock } from '../clock.ts';
import { traceHeaders } from '../telemetry/traces.ts';
import { Watchdog } from './watchdog.ts';

/** A request to an upstream API. */
export interface UpstreamRequest {
  readonly url: string;
  /** @default 'POST' */
  readonly method?: string;
  /**
   * All headers, including the credential. No header of the caller's request is added, only `traceparent`
   * of the active span.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it arrives, if it is iterable. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  /**
   * Addresses of the host, to connect to without another lookup. The connection is then not reused.
   *
   * @default those that a lookup finds
   */
  readonly addresses?: readonly LookupAddress[];
}

export interface ForwardOptions {
  readonly clock: Clock;
  /** Aborted when the caller disconnects. The request to the upstream is then aborted too. */
  readonly signal: AbortSignal;
  /**
   * Maximum milliseconds until the response starts.
   *
   * @default no limit
   */
  readonly firstByteTimeout?: number;
  /**
   * Maximum milliseconds between two reads that return data.
   *
   * @default no limit
   */
  readonly idleTimeout?: number;
  /** Maximum bytes of the response. */
  readonly maximumBytes: number;
}

/** A response whose head has arrived. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Headers;
  /**
   * The body, chunk by chunk as it arrives. Iterate it, or call `close`, so that the connection is
   * released.
   *
   * @throws UpstreamFailure
   */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
  /** Ends the request, if its body is not needed. */
  close(): void;
}

/** The upstream did not respond, or its response did not end properly. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly kind: 'aborted' | 'timeout' | 'network' | 'too_large';

  constructor(kind: UpstreamFailure['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Milliseconds after which an idle connection is closed. This is less than the timeout of upstreams
 * (5 seconds by default in Node and uvicorn), because a request that is sent while the upstream closes
 * the connection fails.
 */
const maximumIdle = 4000;
const agent = new Agent({ keepAlive: true, timeout: maximumIdle });
const secureAgent = new SecureAgent({ keepAlive: true, timeout: maximumIdle });

/**
 * Sends a request to an upstream. Redirects are not followed, because the credential would be sent to
 * another address. A response with `Content-Encoding` is decoded, so that credentials in it can be
 * redacted. Uses `node:http`, because `fetch` adds headers, and waits at most five minutes for the
 * start of the response.
 *
 * @throws UpstreamFailure Of kind `network` also for a status outside 200 to 599, including `101`, and
 *   for an unknown `Content-Encoding`.
 */
export async function forward(
  request: UpstreamRequest,
  options: ForwardOptions,
): Promise<UpstreamResponse> {
  const { clock, signal, firstByteTimeout } = options;
  const watchdog = new Watchdog(clock, signal);
  try {
    if (firstByteTimeout !== undefined) {
      watchdog.arm(firstByteTimeout, () => timeout(`no response within ${firstByteTimeout} ms`));
    }
    const response = await send(request, watchdog.signal);
    watchdog.disarm();
    const { statusCode: status = 0 } = response;
    if (status < 200 || status > 599) {
      throw new UpstreamFailure('network', `the response has the status ${status}`);
    }
    const headers = headersOf(response);
    return {
      status,
      chunks: readChunks(decode(response, headers), watchdog, options),
      headers,
      close: () => watchdog.stop(),
    };
  } catch (error) {
    watchdog.stop();
    throw toFailure(error, watchdog.reason, signal);
  }
}

function send(
  { url, method = 'POST', headers, body, addresses }: UpstreamRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isPlain = body === null || typeof body === 'string' || body instanceof Uint8Array;
  // With DELETE and some other methods, Node would send a body of unknown length without framing. The
  // upstream would read the body as further requests.
  const framing = !isPlain && !('content-length' in headers) && { 'transfer-encoding': 'chunked' };
  const options = {
    method,
    headers: { ...headers, ...framing, ...traceHeaders() },
    ...(addresses && { agent: false, lookup: lookupOf(addresses) }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = url.startsWith('https:')
      ? requestHttps(url, { agent: secureAgent, ...options })
      : requestHttp(url, { agent, ...options });
    const abort = () => outgoing.destroy();
    signal.addEventListener('abort', abort, { once: true });
    outgoing.once('response', (response) => {
      // After the response, the connection is reused for other requests.
      response.once('end', () => signal.removeEventListener('abort', abort));
      // `readChunks` reports the error. Without this listener, the error would end the process.
      response.on('error', () => {});
      resolve(response);
    });
    // Without this listener, Node closes the connection after `101` without an event for the request.
    outgoing.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new UpstreamFailure('network', 'the response has the status 101'));
    });
    outgoing.on('error', reject);
    // Has no effect after a response. `abort` on a request without a socket emits only `close`.
    outgoing.once('close', () => reject(new Error('the connection was closed')));
    if (signal.aborted) abort();
    if (body === null) outgoing.end();
    else if (typeof body === 'string' || body instanceof Uint8Array) outgoing.end(body);
    else sendPieces(body, outgoing, signal).catch(reject);
  });
}

/** Returns a lookup that finds these addresses for each host. */
function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first = { address: '', family: 4 }] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

/** Sends a body as it arrives. */
async function sendPieces(
  pieces: AsyncIterable<Uint8Array>,
  outgoing: ClientRequest,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (!outgoing.write(piece)) await once(outgoing, 'drain', { signal });
    }
    outgoing.end();
  } catch (error) {
    outgoing.destroy();
    throw error;
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/**
 * Returns the decoded body, and removes the headers that describe the encoded one.
 *
 * @throws UpstreamFailure If the encoding is unknown.
 */
function decode(response: IncomingMessage, headers: Headers): Readable {
  const encoding = (headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  headers.delete('content-encoding');
  headers.delete('content-length');
  if (encoding === 'br') return pipeline(response, createBrotliDecompress(), () => {});
  if (['gzip', 'x-gzip', 'deflate'].includes(encoding)) {
    return pipeline(response, createUnzip(), () => {});
  }
  throw new UpstreamFailure('network', `the response has the encoding ${encoding.slice(0, 40)}`);
}

async function* readChunks(
  response: Readable,
  watchdog: Watchdog,
  { idleTimeout, maximumBytes, signal }: ForwardOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks: AsyncIterator<Buffer> = response[Symbol.asyncIterator]();
  let size = 0;
  try {
    for (;;) {
      // The timer does not run while the caller processes a chunk.
      if (idleTimeout !== undefined) {
        watchdog.arm(idleTimeout, () => timeout(`no data for ${idleTimeout} ms`));
      }
      const { done, value } = await chunks.next();
      watchdog.disarm();
      if (done) return;
      size += value.byteLength;
      if (size > maximumBytes) {
        throw new UpstreamFailure('too_large', `the response has more than ${maximumBytes} bytes`);
      }
      yield value;
    }
  } catch (error) {
    throw toFailure(error, watchdog.reason, signal);
  } finally {
    watchdog.stop();
  }
}

/** Reads the rest of a body as text. */
export async function readText(response: Pick<UpstreamResponse, 'chunks'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.chunks) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Maximum bytes of an error body of an upstream. */
const maximumErrorBytes = 1_048_576;

/** Reads the body of an error; returns an empty text if the body is too large or incomplete. */
export async function readErrorBody({ chunks }: Pick<UpstreamResponse, 'chunks'>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of chunks) {
      size += piece.byteLength;
      if (size > maximumErrorBytes) return '';
      pieces.push(piece);
    }
  } catch {
    return '';
  }
  return Buffer.concat(pieces).toString('utf8');
}

function timeout(message: string): UpstreamFailure {
  return new UpstreamFailure('timeout', message);
}

/** @param reason Why the watchdog aborted the request. */
function toFailure(error: unknown, reason: Error | null, signal: AbortSignal): Error {
  if (error instanceof UpstreamFailure) return error;
  if (reason) return reason;
  if (signal.aborted) return new UpstreamFailure('aborted', 'the caller disconnected');
  return new UpstreamFailure('network', error instanceof Error ? error.message : String(error));
}
