import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, sleep } from '../clock.ts';
import type { Write } from './writes.ts';

export interface Pace {
  /** Tokens per second; 0 for no limit. */
  readonly tps: number;
  /** Milliseconds until the first token. */
  readonly ttft: number;
}

/**
 * Sends the writes one after the other, each when its tokens are due and not before the socket has
 * taken the one before it. Stops early when `signal` is aborted.
 */
export async function sendWrites(
  response: ServerResponse,
  writes: Iterable<Write>,
  pace: Pace,
  clock: Clock,
  signal: AbortSignal,
  onSent: (write: Write) => void,
): Promise<void> {
  // Measured from the start, so that what one timer oversleeps is not added to the next.
  const start = clock.now() + pace.ttft;
  let tokens = 0;
  for (const write of writes) {
    if (write.tokens > 0) {
      const due = start + (pace.tps > 0 ? (tokens / pace.tps) * 1000 : 0);
      if (due > clock.now()) await sleep(clock, due - clock.now(), signal);
      tokens += write.tokens;
    }
    if (signal.aborted) return;
    await flush(response, write.bytes, signal);
    onSent(write);
    // Lets others in the process run, and keeps this write out of the next one's packet.
    await nextTurn();
  }
}

/** Resolves when the kernel has the bytes: a client that does not read stops the answer here. */
function flush(response: ServerResponse, bytes: Buffer, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done, { once: true });
    response.write(bytes, done);
  });
}
