import type { Ports } from '../ports.ts';

interface Listener {
  readonly name: string;
  readonly listener: (message: unknown) => void;
}

/** Broadcast channels between the tabs of one test. */
export class FakeChannels {
  readonly #open = new Set<Listener>();

  /** Number of open channels of all tabs. It should be 0 after everything is closed. */
  get size(): number {
    return this.#open.size;
  }

  channel: Ports['channel'] = (name, listener) => {
    const self = { name, listener };
    this.#open.add(self);
    return {
      postMessage: (message) => {
        const copy: unknown = structuredClone(message);
        // Asynchronous, like a `BroadcastChannel`.
        queueMicrotask(() => {
          for (const other of [...this.#open]) {
            if (other !== self && other.name === name) other.listener(copy);
          }
        });
      },
      close: () => void this.#open.delete(self),
    };
  };
}
