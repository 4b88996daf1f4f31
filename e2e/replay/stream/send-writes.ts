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
 * Sends the writes in order: each when its tokens are due and the socket has flushed the previous one.
 * Stops when `signal` is aborted.
 */
export async function sendWrites(
  response: ServerResponse,
  writes: Iterable<Write>,
  pace: Pace,
  clock: Clock,
  signal: AbortSignal,
  onSent: (write: Write) => void,
): Promise<void> {
  // Measured from the start, so that timer delays do not add up.
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
    // An event loop turn between two writes keeps them in separate packets.
    await nextTurn();
  }
}

/** Resolves when the bytes are flushed to the kernel. Waits while the client does not read. */
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
