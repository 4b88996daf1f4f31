import type { Channel, PageEnvironment, PageSignal, Ports } from '@inlay/client';
import type { Meter } from './meter.ts';

/** Origin that the agent allows. */
const origin = 'http://localhost:1';
/** Milliseconds between two animation frames. */
const frameMs = 16;

/** A simulated browser of one user: online state, and broadcast channels between its tabs. */
export class Browser {
  readonly #meter: Meter;
  readonly #watchers = new Set<(signal: PageSignal) => void>();
  readonly #channels = new Map<string, Set<(message: unknown) => void>>();
  #online = true;

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  setOnline(online: boolean): void {
    if (this.#online === online) return;
    this.#online = online;
    for (const listener of [...this.#watchers]) listener(online ? 'online' : 'offline');
  }

  /** Creates the ports of a client in a tab, which count timers, listeners and channels. */
  ports(): Partial<Ports> {
    return {
      clock: meteredClock(this.#meter),
      page: this.#page(),
      channel: (name, listener) => this.#openChannel(name, listener),
      frame(callback) {
        const timer = setTimeout(callback, frameMs);
        return () => clearTimeout(timer);
      },
      fetch: (input, init) => {
        const headers = new Headers(init?.headers);
        headers.set('origin', origin);
        return fetch(input, { ...init, headers });
      },
    };
  }

  #page(): PageEnvironment {
    return {
      online: () => this.#online,
      hidden: () => false,
      watch: (listener) => {
        // A wrapper for each call, so that the same listener can be added twice.
        const own = (signal: PageSignal) => listener(signal);
        this.#watchers.add(own);
        this.#meter.watchers += 1;
        return () => {
          if (this.#watchers.delete(own)) this.#meter.watchers -= 1;
        };
      },
    };
  }

  #openChannel(name: string, listener: (message: unknown) => void): Channel {
    const listeners = this.#channels.get(name) ?? new Set();
    this.#channels.set(name, listeners);
    const own = (message: unknown) => listener(message);
    listeners.add(own);
    this.#meter.channels += 1;
    return {
      postMessage(message) {
        for (const other of listeners) {
          if (other !== own) setImmediate(() => listeners.has(other) && other(message));
        }
      },
      close: () => {
        if (listeners.delete(own)) this.#meter.channels -= 1;
        if (listeners.size === 0) this.#channels.delete(name);
      },
    };
  }
}

function meteredClock(meter: Meter): Ports['clock'] {
  const live = new Set<unknown>();
  const forget = (timer: unknown) => {
    if (live.delete(timer)) meter.timers -= 1;
  };
  return {
    now: () => Date.now(),
    mono: () => performance.now(),
    setTimeout(callback, milliseconds) {
      const timer = setTimeout(() => {
        forget(timer);
        callback();
      }, milliseconds);
      live.add(timer);
      meter.timers += 1;
      return timer;
    },
    clearTimeout(timer) {
      forget(timer);
      clearTimeout(timer as NodeJS.Timeout);
    },
  };
}
