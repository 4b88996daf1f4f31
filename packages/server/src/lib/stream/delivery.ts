import { setImmediate } from 'node:timers/promises';
import type { Reader } from './reader.ts';

/** Readers that are written to at one time, before everybody else has a turn; more are a crowd. */
export const crowd = 500;

interface Parcel {
  readonly readers: readonly Reader[];
  readonly write: (reader: Reader) => void;
}

/**
 * Writes to many readers, each in the order in which it was asked for. A crowd gets it by handfuls, so
 * that ten thousand writes hold up nobody else.
 */
export class Delivery {
  #waiting: Parcel[] = [];
  #isUnderWay = false;

  /** Without a pause where a handful is all that there is. `write` must not throw. */
  deliver(readers: readonly Reader[], write: (reader: Reader) => void): void {
    this.#waiting.push({ readers, write });
    if (!this.#isUnderWay) void this.#deliverAll();
  }

  async #deliverAll(): Promise<void> {
    this.#isUnderWay = true;
    for (let parcel = this.#waiting.shift(); parcel; parcel = this.#waiting.shift()) {
      const { readers, write } = parcel;
      for (let at = 0; at < readers.length; at += crowd) {
        if (at > 0) await setImmediate();
        for (const reader of readers.slice(at, at + crowd)) write(reader);
      }
    }
    this.#isUnderWay = false;
  }
}
