import { describe, expect, it } from 'vitest';
import { isInlayError } from '../errors.ts';
import { fetchEventSourceTransport } from './fetch-event-source.ts';

const kilobyte = new TextEncoder().encode('x'.repeat(1_024));

/** Eight megabytes of one line, a kilobyte at a time, with what the reader does in between. */
function endlessEvent() {
  let sent = 0;
  let longest = 0;
  let left = process.cpuUsage();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { user, system } = process.cpuUsage(left);
        // The processor's own time: what other programs do meanwhile is not the reader's doing.
        if (sent > 0) longest = Math.max(longest, (user + system) / 1_000);
        if (sent === 8 * 1_024) return controller.close();
        controller.enqueue(sent === 0 ? new TextEncoder().encode('data: ') : kilobyte);
        sent += 1;
        left = process.cpuUsage();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, sent: () => sent, longest: () => longest };
}

// It is a matter of the processor's own time, of which other programs may leave little.
const limit = { timeout: 60_000 };

describe('an event without an end', () => {
  it('S06: is broken off at a mebibyte, without ever keeping the page busy', limit, async () => {
    const { body, sent, longest } = endlessEvent();
    const messages: unknown[] = [];
    const outcome = await fetchEventSourceTransport
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

    expect(isInlayError(outcome) && outcome.code).toBe('STREAM_OVERFLOW');
    expect(isInlayError(outcome) && outcome.retryable).toBe(true);
    expect(messages).toEqual([]);
    expect(sent()).toBeLessThanOrEqual(1_030);
    expect(longest()).toBeLessThan(50);
  });
});
