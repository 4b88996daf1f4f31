import { getLines } from '@microsoft/fetch-event-source/lib/esm/parse.js';
import { InlayError, throwNetworkError } from '../errors.ts';
import { sendRequest } from '../http/request.ts';
import { onAbort, untilAborted } from '../wait.ts';
import type { StreamAttempt, StreamTransport } from './transport.ts';

/** Maximum size of an event in bytes. The parser copies its buffer with every chunk, which would get slow. */
const maxEventBytes = 1_048_576;

/**
 * Reads a server-sent event stream with the line parser of `@microsoft/fetch-event-source`,
 * which accepts any line ending and any chunking. `createMessageParser` replaces its message
 * parser, and `SessionStream` its retries, visibility handling and last event id.
 */
export const sseTransport: StreamTransport = {
  async read(attempt) {
    const controller = new AbortController();
    const { signal } = controller;
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    const removeListener = onAbort(attempt.signal, () => controller.abort());
    try {
      const body = await openStream(attempt, signal);
      let size = 0;
      const parse = getLines(
        createMessageParser({
          onRetry: (milliseconds) => attempt.onRetry(milliseconds),
          onMessage(message) {
            size = 0;
            // The parser continues to the end of the chunk after an abort.
            if (!signal.aborted) attempt.onMessage(message);
          },
        }),
      );
      reader = body.getReader();
      for (;;) {
        // Some browsers don't end a read when its request is aborted.
        const { value } = await untilAborted(reader.read().catch(throwNetworkError), signal);
        if (!value) return;
        attempt.onBytes();
        size += value.length;
        parse(value);
        if (size > maxEventBytes) throw overflowError();
      }
    } catch (error) {
      if (!attempt.signal.aborted) throw error;
    } finally {
      removeListener();
      // Closes the request after a failed read. The `fetch` of Node needs both, browsers only the first.
      controller.abort();
      // It rejects if the connection broke.
      reader?.cancel().catch(() => {});
    }
  },
};

/** Sends the request and checks the response's status and type. */
async function openStream(attempt: StreamAttempt, signal: AbortSignal) {
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
    throw new InlayError('NO_STREAM', 'The response has no stream.', { status });
  }
  if (!/^text\/event-stream(?:\s*;|\s*$)/i.test(headers.get('content-type') ?? '')) {
    throw new InlayError('UNEXPECTED_RESPONSE', 'The response is not an event stream.', {
      status,
      retryable: true,
    });
  }
  attempt.onOpen();
  return body;
}

function overflowError(): InlayError {
  return new InlayError('STREAM_OVERFLOW', 'An event exceeds 1 MiB.', { retryable: true });
}

/**
 * Creates a parser of event stream lines (HTML standard, "Interpreting an event stream"). The parser
 * takes each line without its line ending.
 */
export function createMessageParser({
  onMessage,
  onRetry,
}: Pick<StreamAttempt, 'onMessage' | 'onRetry'>): (line: Uint8Array) => void {
  // A byte order mark is removed at the start of the stream only.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let isFirstLine = true;
  let data: string[] = [];
  let id = '';
  let event = '';
  return (line) => {
    let text = decoder.decode(line);
    if (isFirstLine) text = text.replace(/^\uFEFF/, '');
    isFirstLine = false;
    if (text === '') {
      if (data.length > 0) onMessage({ id, event: event || 'message', data: data.join('\n') });
      data = [];
      event = '';
      return;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(text) ?? [];
    if (field === 'data') data.push(value);
    if (field === 'event') event = value;
    if (field === 'id' && !value.includes('\0')) id = value;
    if (field === 'retry' && /^\d+$/.test(value)) onRetry(Number(value));
  };
}
