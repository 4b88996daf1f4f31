import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { isInlayError } from '../errors.ts';
import { sseTransport } from '../stream/sse.ts';
import type { StreamMessage } from '../stream/transport.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

export interface ReadOptions {
  /** Writes the response instead of `chunks`. */
  readonly respond?: (response: ServerResponse) => void;
  readonly signal?: AbortSignal;
  /** The page's `fetch`, to check its arguments. */
  readonly fetch?: typeof globalThis.fetch;
  readonly onMessage?: (message: StreamMessage) => void;
}

/** Reads a stream of a real server that writes these chunks one at a time. */
export async function readStream(chunks: (string | Uint8Array)[], options: ReadOptions = {}) {
  let requests = 0;
  let disconnects = 0;
  const server = createServer(async (_request, response) => {
    requests += 1;
    response.on('close', () => {
      if (!response.writableFinished) disconnects += 1;
    });
    if (options.respond) return options.respond(response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) {
      response.write(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const messages: StreamMessage[] = [];
  const retries: number[] = [];
  let outcome = 'closed';
  let error: unknown = null;
  try {
    await sseTransport.read({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      method: 'GET',
      headers: {},
      fetch: options.fetch ?? fetch,
      signal: options.signal ?? new AbortController().signal,
      onOpen: () => {},
      onBytes: () => {},
      onMessage: (message) => {
        messages.push(message);
        options.onMessage?.(message);
      },
      onRetry: (milliseconds) => void retries.push(milliseconds),
    });
  } catch (cause) {
    error = cause;
    outcome = isInlayError(cause) ? cause.code : String(cause);
  }
  const counts = { requests: () => requests, disconnects: () => disconnects };
  return { messages, retries, outcome, error, ...counts };
}
