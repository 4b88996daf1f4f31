import { type Clock, sleep } from '../clock.ts';

/** Streams ended per second, so that 10,000 clients reconnect over half a minute. */
const endsPerSecond = 300;
/** Milliseconds between two steps. */
const stepTime = 100;

export interface DrainOptions {
  readonly clock: Clock;
  /** Maximum duration in seconds. If it would be exceeded, more streams are ended per second. */
  readonly seconds: number;
  /** Ends the remaining streams immediately when aborted. */
  readonly signal: AbortSignal;
}

/** Ends streams gradually, to avoid a reconnect storm. */
export async function drain(
  streams: readonly { disconnect(): void }[],
  { clock, seconds, signal }: DrainOptions,
): Promise<void> {
  const startedAt = clock.now();
  const perSecond = Math.max(endsPerSecond, streams.length / seconds);
  let ended = 0;
  while (ended < streams.length) {
    // Computed from the clock, so that late timers do not extend the duration.
    const due = signal.aborted
      ? streams.length
      : Math.ceil((perSecond * (clock.now() - startedAt + stepTime)) / 1000);
    for (const stream of streams.slice(ended, due)) stream.disconnect();
    ended = due;
    if (ended < streams.length) await sleep(clock, stepTime, signal);
  }
}
