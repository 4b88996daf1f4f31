import { getBytes, getLines } from '@microsoft/fetch-event-source/lib/esm/parse.js';
import { asInlayError, InlayError } from '../errors.ts';
import { sendRequest } from '../http/request.ts';
import { onAbort, untilAborted } from '../wait.ts';
import { messageLines } from './message-lines.ts';
import type { StreamAttempt, StreamTransport } from './transport.ts';

/** Most bytes without the end of an event. The parser copies its buffer with every chunk of one. */
const largestEvent = 1_048_576;

/**
 * Reads a stream with `@microsoft/fetch-event-source`: with its reader of bytes and lines, which
 * takes any line end and any split. What the library does with the lines is put right by
 * `messageLines`, and what it does around a request (retries, a pause in hidden tabs, a copy of the
 * headers, a memory of the last id) is what `SessionStream` does.
 */
export const fetchEventSourceTransport: StreamTransport = {
  async read(attempt) {
    const controller = new AbortController();
    const { signal } = controller;
    const undo = onAbort(attempt.signal, () => controller.abort());
    try {
      const body = await open(attempt, signal);
      let size = 0;
      const parse = getLines(
        messageLines({
          onRetry: (milliseconds) => attempt.onRetry(milliseconds),
          onMessage(message) {
            size = 0;
            // After an abort, the rest of a chunk still comes.
            if (!signal.aborted) attempt.onMessage(message);
          },
        }),
      );
      const reading = getBytes(body, (chunk) => {
        attempt.onBytes();
        size += chunk.length;
        parse(chunk);
        if (size > largestEvent) throw overflow();
      });
      // Not every engine ends a read when its request is aborted.
      await untilAborted(reading, signal);
    } catch (error) {
      if (!attempt.signal.aborted) throw asInlayError(error);
    } finally {
      undo();
      // A request whose reading failed would stay open.
      controller.abort();
    }
  },
};

/** Opens the stream, and checks the answer before a byte of it is read. */
async function open(attempt: StreamAttempt, signal: AbortSignal) {
  const init = {
    method: attempt.method,
    headers: attempt.headers,
    body: attempt.body ?? null,
    signal,
  };
  const { status, headers, body } = await sendRequest(
    attempt.fetch,
    attempt.url,
    init,
    attempt.serverNow,
  );
  if (status === 204 || status === 205 || body === null) {
    throw new InlayError('NO_STREAM', 'The platform has nothing to stream.', { status });
  }
  if (!/^text\/event-stream(?:\s*;|\s*$)/i.test(headers.get('content-type') ?? '')) {
    throw new InlayError(
      'UNEXPECTED_RESPONSE',
      'The answer is no event stream: something in front of the platform answered.',
      { status, retryable: true },
    );
  }
  attempt.onOpen();
  return body;
}

function overflow(): InlayError {
  return new InlayError('STREAM_OVERFLOW', 'The stream sent an event of more than 1 MiB.', {
    retryable: true,
  });
}
