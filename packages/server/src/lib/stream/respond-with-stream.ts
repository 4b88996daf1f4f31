import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import type { AppEnv } from '../http/env.ts';
import { alreadySentResponse } from '../http/stream-body.ts';
import { describeError } from '../log/logger.ts';
import type { Services } from '../services.ts';
import { Reader, type ReaderOptions } from './reader.ts';

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  // `no-transform` keeps compressors from buffering the stream (RFC 9110, section 7.7).
  'cache-control': 'no-store, no-transform',
  // Disables response buffering in nginx.
  'x-accel-buffering': 'no',
};

/**
 * Responds with server-sent events. Writes to the Node response directly: a web stream takes 1.5
 * times the memory, and twice the time for each event. The request counts as a concurrent request
 * until the connection closes. If `serve` rejects, the stream ends.
 */
export function respondWithStream(
  c: Context<AppEnv>,
  services: Services,
  options: Omit<ReaderOptions, 'clock'>,
  serve: (reader: Reader) => Promise<void>,
): Response {
  // Created with `c.body`, so that it has the headers of the middleware: request id, limits, CORS.
  const prepared = c.body(null, 200, headers);
  if (c.req.method === 'HEAD') return prepared;
  const response = c.env?.outgoing;
  if (!response)
    throw new Error('A stream needs a Node response: serve the app with a Node HTTP server.');

  response.writeHead(200, Object.fromEntries(prepared.headers));
  const release = c.get('holdSlot')();
  const reader = new Reader(response, { ...options, clock: services.clock });
  reader.onClose(release);
  void serve(reader).catch((error: unknown) => {
    services.log.error('stream failed', describeError(error));
    reader.end();
  });
  clearRequest(response);
  return alreadySentResponse(200);
}

/**
 * Clears the headers and the URL of a request, including the token. They are not needed after the
 * checks, and take a quarter of a stream's memory.
 */
function clearRequest(response: ServerResponse): void {
  const request = response.req;
  request.rawHeaders = [];
  request.headers = {};
  request.url = '';
}
