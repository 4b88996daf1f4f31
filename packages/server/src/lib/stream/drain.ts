import { type Clock, sleep } from '../ports/clock.ts';

/** Streams that are ended within a second, so that the clients of 10,000 return over half a minute. */
const endsPerSecond = 300;
/** Milliseconds between two handfuls. */
const stepTime = 100;

export interface DrainOptions {
  readonly clock: Clock;
  /** Longest that it may take, in seconds. More streams than fit into it are ended faster. */
  readonly seconds: number;
  /** Ends the rest at once. */
  readonly signal: AbortSignal;
}

/** Ends streams little by little, so that their clients do not all knock elsewhere at one moment. */
export async function drain(
  streams: readonly { dismiss(): void }[],
  { clock, seconds, signal }: DrainOptions,
): Promise<void> {
  const begun = clock.now();
  const perSecond = Math.max(endsPerSecond, streams.length / seconds);
  let ended = 0;
  while (ended < streams.length) {
    // Counted by the clock, not by the steps: late timers must not draw it out.
    const due = signal.aborted
      ? streams.length
      : Math.ceil((perSecond * (clock.now() - begun + stepTime)) / 1000);
    for (const stream of streams.slice(ended, due)) stream.dismiss();
    ended = due;
    if (ended < streams.length) await sleep(clock, stepTime, signal);
  }
}
