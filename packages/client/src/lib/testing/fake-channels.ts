import type { Ports } from '../ports.ts';

interface Listener {
  readonly name: string;
  readonly hear: (message: unknown) => void;
}

/** What lets the tabs of one browser talk with each other, and with no other test. */
export class FakeChannels {
  readonly #open = new Set<Listener>();

  /** Ways that are open, seen from all tabs. After everything is closed, there should be none. */
  get size(): number {
    return this.#open.size;
  }

  channel: Ports['channel'] = (name, hear) => {
    const self = { name, hear };
    this.#open.add(self);
    return {
      postMessage: (message) => {
        const copy: unknown = structuredClone(message);
        // Later, as with a real one: nobody hears in the middle of what the speaker is doing.
        queueMicrotask(() => {
          for (const other of [...this.#open]) {
            if (other !== self && other.name === name) other.hear(copy);
          }
        });
      },
      close: () => void this.#open.delete(self),
    };
  };
}
