import { InlayError, throwNetworkError } from '../errors.ts';
import { sendRequest } from '../http/request.ts';
import { onAbort } from '../wait.ts';
import type { StreamAttempt, StreamTransport } from './transport.ts';

/** Maximum size of an event in bytes, because the parser keeps an unfinished event in memory. */
const maxEventBytes = 1_048_576;

/** Reads a server-sent event stream. `SessionStream` retries, and resumes after the last event id. */
export const sseTransport: StreamTransport = {
  async read(attempt) {
    const controller = new AbortController();
    const { signal } = controller;
    const removeListener = onAbort(attempt.signal, () => controller.abort());
    try {
      const body = await openStream(attempt, signal);
      let size = 0;
      const parse = createMessageParser({
        onRetry: (milliseconds) => attempt.onRetry(milliseconds),
        onMessage(message) {
          size = 0;
          // The parser continues to the end of the chunk after an abort.
          if (!signal.aborted) attempt.onMessage(message);
        },
      });
      const reader = body.getReader();
      // Ends a pending read: some browsers don't when its request is aborted. It rejects if the connection broke.
      onAbort(signal, () => void reader.cancel().catch(() => {}));
      for (;;) {
        const { value } = await reader.read().catch(throwNetworkError);
        if (!value || signal.aborted) return;
        attempt.onBytes();
        size += value.length;
        parse(value);
        if (size > maxEventBytes) throw overflowError();
      }
    } catch (error) {
      if (!attempt.signal.aborted) throw error;
    } finally {
      removeListener();
      // Closes the request after a failed read. The `fetch` of Node needs both this and `cancel`, browsers only this.
      controller.abort();
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
 * Creates a parser of an event stream (HTML standard, "Interpreting an event stream"), which takes its
 * chunks. The text is decoded and split by chunk, because many events arrive in one.
 */
function createMessageParser({
  onMessage,
  onRetry,
}: Pick<StreamAttempt, 'onMessage' | 'onRetry'>): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  /** The line that the next chunk continues. */
  let rest = '';
  let endsWithReturn = false;
  let data: string[] = [];
  let id = '';
  let event = '';
  const readLine = (line: string) => {
    if (line === '') {
      if (data.length > 0) onMessage({ id, event: event || 'message', data: data.join('\n') });
      data = [];
      event = '';
      return;
    }
    const end = line.includes(':') ? line.indexOf(':') : line.length;
    const field = line.slice(0, end);
    const value = line.slice(line[end + 1] === ' ' ? end + 2 : end + 1);
    if (field === 'data') data.push(value);
    if (field === 'event') event = value;
    if (field === 'id' && !value.includes('\0')) id = value;
    if (field === 'retry' && /^\d+$/.test(value)) onRetry(Number(value));
  };
  return (chunk) => {
    let text = decoder.decode(chunk, { stream: true });
    // The chunk may continue a line ending.
    if (endsWithReturn && text.startsWith('\n')) text = text.slice(1);
    endsWithReturn = text.endsWith('\r');
    const lines = text.split(/\r\n|\r|\n/);
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? '';
    for (const line of lines) readLine(line);
  };
}
