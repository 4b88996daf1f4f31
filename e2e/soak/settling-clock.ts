import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FakeClock } from '@inlay/client/testing';

/** Turns of the event loop without an event after which nothing is in transit. */
const quietTurns = 12;

/**
 * A fake clock for a client, a network and a server in this process, which exchange real bytes. Time
 * advances only when nothing is in transit.
 */
export class SettlingClock extends FakeClock {
  #calls = 0;

  /** Stops time until a call has ended, which must not need a timer. */
  async during<Result>(call: Promise<Result>): Promise<Result> {
    this.#calls += 1;
    return call.finally(() => {
      this.#calls -= 1;
    });
  }

  override async settle(): Promise<void> {
    let events = -1;
    for (let quiet = 0; quiet < quietTurns; quiet += 1) {
      await nextTurn();
      const { events: current } = performance.nodeTiming.uvMetricsInfo;
      if (current !== events || this.#calls > 0 || isConnecting()) quiet = 0;
      events = current;
    }
  }
}

/** Whether a connection is being opened, or a thread of libuv is working. */
function isConnecting(): boolean {
  return process.getActiveResourcesInfo().some((name) => /Connect|Req/.test(name));
}
