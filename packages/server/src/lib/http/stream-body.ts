import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { describeError, type Logger } from '../log/logger.ts';
import type { AppEnv } from './env.ts';

/** A response whose body is sent while it is read. */
export interface StreamedBody {
  /** @default 200 */
  readonly status?: number;
  /** If it throws, the connection is closed, so that the caller detects the incomplete body. */
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly headers: Record<string, string>;
  /**
   * Maximum seconds that the client may take to receive the sent bytes. The time until the next chunk
   * does not count. By default there is no limit.
   */
  readonly idleSeconds?: number;
  /**
   * Releases what `chunks` would release at its end, such as the connection to an upstream. Called if
   * `chunks` is not read, because the request is a HEAD.
   */
  readonly close?: () => void;
}

/**
 * Streams a body to the caller. It writes to the Node response directly, because each chunk costs
 * several times as much in a web stream. The request counts as in progress until the last byte is
 * sent.
 */
export function streamBody(
  c: Context<AppEnv>,
  log: Logger,
  { status = 200, chunks, headers, idleSeconds = 0, close = () => {} }: StreamedBody,
): Response {
  if (c.req.method === 'HEAD') {
    close();
    return c.body(null, status as ContentfulStatusCode, headers);
  }
  const response = c.env?.outgoing;
  // `app.request()` has no Node response.
  if (!response) {
    return c.body(ReadableStream.from(chunks), status as ContentfulStatusCode, headers);
  }
  // `c.body` returns the headers that middleware set. `headers` is not passed to it: it would set them
  // on the context, and the response to a failure of `writeHead` would have them, too.
  const all = Object.fromEntries(c.body(null).headers);
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value;
  // Sends the head in this turn of the event loop, together with the chunks that have arrived by then.
  // Corks the socket: since Node 22, a corked response loses its chunks if it ends in the same turn.
  const { socket } = response;
  socket?.cork();
  setImmediate(() => socket?.uncork());
  response.writeHead(status, all);
  response.flushHeaders();
  finished(response, c.get('holdSlot')());
  const options = { signal: c.req.raw.signal, idleMs: idleSeconds * 1000 };
  void writeChunks(response, chunks, options).catch((error: unknown) => {
    if (response.destroyed) return;
    log.warn('response broke off', { family: c.get('family')?.name, ...describeError(error) });
    response.destroy();
  });
  return alreadySentResponse(status);
}

/**
 * @param options.signal Aborted when the caller disconnects.
 * @param options.idleMs `idleSeconds` in milliseconds; 0 for no limit.
 */
async function writeChunks(
  response: ServerResponse,
  chunks: AsyncIterable<Uint8Array>,
  { signal, idleMs }: { signal: AbortSignal; idleMs: number },
): Promise<void> {
  for await (const chunk of chunks) {
    if (signal.aborted || response.closed) return;
    if (response.write(chunk)) continue;
    response.setTimeout(idleMs);
    await drained(response);
    response.setTimeout(0);
  }
  response.setTimeout(idleMs);
  response.end();
}

/** Resolves when a response has sent what it buffers, or its connection has closed. */
export async function drained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain || response.closed) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}

/** Encodes texts as UTF-8. */
export async function* encode(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}

/**
 * Returns a response that makes the adapter ignore it, because the Node response is already used. The
 * adapter's own constant for this does not work: the adapter's fast path sends every response whose
 * `body` was never read.
 *
 * @param status The status that was sent, for the log.
 */
export function alreadySentResponse(status: number): Response {
  const response = new Response(null, { status, headers: { 'x-hono-already-sent': 'true' } });
  void response.body;
  return response;
}
