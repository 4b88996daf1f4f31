import { PlatformError } from './platform-error.ts';

/**
 * Yields the data of each server-sent event of a response.
 *
 * @param options.incomplete Message of the error if the connection fails.
 * @throws PlatformError `UNEXPECTED_RESPONSE` if the response is not a stream; `NETWORK_ERROR` if the
 *   connection fails.
 */
export async function* readEvents(
  response: Response,
  { signal, incomplete }: { signal: AbortSignal | undefined; incomplete: string },
): AsyncGenerator<string> {
  if (!/^text\/event-stream\b/.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel();
    throw unexpectedResponse(response, 'The response is not a stream.');
  }
  // Loaded on first use, because most backends read no streams.
  const { EventSourceParserStream } = await import('eventsource-parser/stream');
  const events = (response.body ?? new ReadableStream<Uint8Array<ArrayBuffer>>())
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  try {
    for await (const { data } of events) yield data;
  } catch (cause) {
    signal?.throwIfAborted();
    throw incompleteStream(response, incomplete, cause);
  }
}

export function unexpectedResponse(response: Response, message: string): PlatformError {
  return new PlatformError('UNEXPECTED_RESPONSE', message, {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
  });
}

export function incompleteStream(
  response: Response,
  message: string,
  cause?: unknown,
): PlatformError {
  const requestId = response.headers.get('x-request-id');
  return new PlatformError('NETWORK_ERROR', message, { retryable: true, requestId, cause });
}
