import { fetchEventSource } from '@microsoft/fetch-event-source';
import { asInlayError, InlayError } from '../errors.ts';
import { guarded, send } from '../http/send.ts';
import { meter } from './meter.ts';
import type { StreamAttempt, StreamTransport } from './transport.ts';

/** What `onclose` throws: the library resolves alike for a close and for an abort. */
const serverClosed = Symbol('the server ended the stream');

/**
 * Reads a stream with `@microsoft/fetch-event-source`, used as a parser of one attempt. Its own
 * retries, its pause in hidden tabs, its copy of the headers, its memory of the last id and its
 * check of the answer are all switched off or passed by; `SessionStream` does these things.
 */
export const fetchEventSourceTransport: StreamTransport = {
  async read(attempt) {
    if (attempt.signal.aborted) return;
    assertBrowser();
    const controller = new AbortController();
    const abort = () => controller.abort();
    attempt.signal.addEventListener('abort', abort, { once: true });
    try {
      await readOnce(attempt, controller.signal);
    } finally {
      // The library leaves its request open when reading failed.
      controller.abort();
      attempt.signal.removeEventListener('abort', abort);
    }
  },
};

async function readOnce(attempt: StreamAttempt, signal: AbortSignal): Promise<void> {
  try {
    await fetchEventSource(attempt.url, {
      ...guarded,
      method: attempt.method,
      ...(attempt.body === undefined ? {} : { body: attempt.body }),
      // A fresh signal of this attempt: the library never takes its listener off.
      signal,
      openWhenHidden: true,
      fetch: (_url, init) => open(attempt, init?.signal ?? signal),
      onopen: async () => {},
      onmessage: ({ id, data, retry }) => {
        if (retry !== undefined) attempt.onRetry(retry);
        // Comments and lone ids come as messages without data. After an abort, the rest of a chunk
        // still comes.
        if (data !== '' && !signal.aborted) attempt.onMessage({ id, data });
      },
      onclose: () => {
        throw serverClosed;
      },
      onerror: (error) => {
        throw error;
      },
    });
  } catch (error) {
    if (error === serverClosed || attempt.signal.aborted) return;
    throw asInlayError(error);
  }
}

/** Opens the stream, and checks the answer before a byte of it is read. */
async function open(attempt: StreamAttempt, signal: AbortSignal): Promise<Response> {
  const response = await send(attempt.fetch, attempt.url, {
    method: attempt.method,
    headers: { accept: 'text/event-stream', ...attempt.headers },
    ...(attempt.body === undefined ? {} : { body: attempt.body }),
    signal,
  });
  if (response.status === 204 || response.status === 205 || response.body === null) {
    throw new InlayError('NO_STREAM', 'The platform has nothing to stream.', {
      status: response.status,
    });
  }
  const type = response.headers.get('content-type') ?? '';
  if (!/^text\/event-stream(?:\s*;|\s*$)/i.test(type)) {
    await response.body.cancel();
    throw new InlayError(
      'UNEXPECTED_RESPONSE',
      'The answer is no event stream: something between this page and the platform answered instead.',
      { status: response.status, retryable: true },
    );
  }
  attempt.onOpen();
  return new Response(response.body.pipeThrough(meter(() => attempt.onBytes())));
}

function assertBrowser(): void {
  if (typeof window === 'undefined' || typeof document === 'undefined') {
    throw new InlayError(
      'INVALID_OPTION',
      'Streams need a page. Outside of one, give createInlayClient a transport of your own.',
    );
  }
}
