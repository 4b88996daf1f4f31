import { describe, expect, it } from 'vitest';
import { isInlayError } from '../errors.ts';
import { sseTransport } from './sse.ts';

const kilobyte = new TextEncoder().encode('x'.repeat(1_024));

/**
 * Creates a stream of a single line of eight megabytes, which arrives a kilobyte at a time.
 * `maxChunkTime` is the longest processor time that the reader spends on one chunk, in milliseconds.
 */
function endlessEvent() {
  let sent = 0;
  let maxChunkTime = 0;
  let lastUsage = process.cpuUsage();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { user, system } = process.cpuUsage(lastUsage);
        if (sent > 0) maxChunkTime = Math.max(maxChunkTime, (user + system) / 1_000);
        if (sent === 8 * 1_024) return controller.close();
        controller.enqueue(sent === 0 ? new TextEncoder().encode('data: ') : kilobyte);
        sent += 1;
        lastUsage = process.cpuUsage();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, sent: () => sent, maxChunkTime: () => maxChunkTime };
}

/** Reads an endless event until the transport stops reading. */
async function readEndlessEvent() {
  const { body, sent, maxChunkTime } = endlessEvent();
  const messages: unknown[] = [];
  const outcome = await sseTransport
    .read({
      url: 'http://platform.test/stream',
      method: 'GET',
      headers: {},
      fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
      signal: new AbortController().signal,
      onOpen: () => {},
      onBytes: () => {},
      onRetry: () => {},
      onMessage: (message) => void messages.push(message),
    })
    .catch((error: unknown) => error);
  return { outcome, messages, sent: sent(), maxChunkTime: maxChunkTime() };
}

describe('an endless event', () => {
  it('S06: is aborted at 1 MiB, and each chunk takes less than 50 ms of processor time', async () => {
    const { outcome, messages, sent, maxChunkTime } = await readEndlessEvent();

    expect(isInlayError(outcome) && outcome.code).toBe('STREAM_OVERFLOW');
    expect(isInlayError(outcome) && outcome.retryable).toBe(true);
    expect(messages).toEqual([]);
    expect(sent).toBeLessThanOrEqual(1_030);
    // The processor time includes other threads, so the lowest of three runs counts.
    const others = [await readEndlessEvent(), await readEndlessEvent()].map(
      (run) => run.maxChunkTime,
    );
    expect(Math.min(maxChunkTime, ...others)).toBeLessThan(50);
  });
});
