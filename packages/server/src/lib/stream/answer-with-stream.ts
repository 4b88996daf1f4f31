import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import type { Services } from '../deps.ts';
import type { AppEnv } from '../http/env.ts';
import { describeError } from '../log/logger.ts';
import { Reader, type ReaderOptions } from './reader.ts';

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Compressors gather before they pass anything on: `no-transform` keeps them away (RFC 9110, 7.7).
  'cache-control': 'no-store, no-transform',
  // nginx and its kin gather answers unless they are told not to.
  'x-accel-buffering': 'no',
};

/**
 * Answers with server-sent events. It writes to Node's own response: a web stream between the two
 * costs half as much memory again, and twice the time for each event. The request's place among
 * those under way is free when the connection is gone. Where `serve` fails, the stream ends.
 */
export function answerWithStream(
  c: Context<AppEnv>,
  services: Services,
  options: Omit<ReaderOptions, 'clock'>,
  serve: (reader: Reader) => Promise<void>,
): Response {
  // Made with `c.body`, so that it carries what middleware prepared: request id, limits, CORS.
  const prepared = c.body(null, 200, headers);
  if (c.req.method === 'HEAD') return prepared;
  const response = c.env?.outgoing;
  if (!response) throw new Error('A stream needs the response of Node: serve over a port.');

  response.writeHead(200, Object.fromEntries(prepared.headers));
  const release = c.get('holdSlot')();
  const reader = new Reader(response, { ...options, clock: services.clock });
  reader.onClose(release);
  void serve(reader).catch((error: unknown) => {
    services.log.error('stream failed', describeError(error));
    reader.end();
  });
  forgetRequest(response);
  return alreadySent();
}

/**
 * Lets go of what was asked, the token with it: a stream stays open for minutes, nobody looks at its
 * request again, and that is a quarter of what it would keep in memory.
 */
function forgetRequest(response: ServerResponse): void {
  const request = response.req;
  request.rawHeaders = [];
  request.headers = {};
  request.url = '';
}

/**
 * What tells the adapter that Node's response is being written. The adapter's own constant does not
 * do: its fast path writes any response that nobody has looked into, so this one is looked into.
 */
function alreadySent(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
  void response.body;
  return response;
}
