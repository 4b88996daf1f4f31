import { ModelError } from '../model.ts';

/** Blank lines, which end a server-sent event (WHATWG HTML, section 9.2.5). */
const blankLines = ['\n\n', '\r\r', '\r\n\r\n'];
const maximumSeparatorLength = 4;

/**
 * Regroups the chunks of an event stream so that each chunk ends with a complete event. The `openai`
 * library copies and searches an incomplete event again for each chunk, which takes quadratic time
 * for a long event.
 */
export class EventGatherer {
  readonly #maximumBytes: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** The last bytes that were added, because two chunks may share a blank line. */
  #lastBytes: Uint8Array = new Uint8Array();

  /** @param maximumBytes Maximum bytes of an incomplete event, including the rest of its chunk. */
  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  /**
   * Adds a chunk.
   *
   * @returns The complete events so far; empty if there are none.
   * @throws ModelError Of kind `too_long`, if an event is longer than `maximumBytes`.
   */
  add(bytes: Uint8Array): Uint8Array {
    const combined = Buffer.concat([this.#lastBytes, bytes]);
    const end = endOfEvents(combined) - this.#lastBytes.byteLength;
    this.#lastBytes = combined.subarray(-(maximumSeparatorLength - 1));
    if (end <= 0) {
      this.#append(bytes);
      return new Uint8Array();
    }
    this.#append(bytes.subarray(0, end));
    const complete = this.rest();
    this.#append(bytes.subarray(end));
    return complete;
  }

  /** Returns and clears the pending bytes. Must be called at the end of the stream. */
  rest(): Uint8Array {
    const rest = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    return rest;
  }

  #append(bytes: Uint8Array): void {
    this.#pendingBytes += bytes.byteLength;
    if (this.#pendingBytes > this.#maximumBytes) {
      throw new ModelError(`the model sent an event of more than ${this.#maximumBytes} bytes`, {
        retryable: false,
        kind: 'too_long',
      });
    }
    this.#pending.push(bytes);
  }
}

/** Index after the last complete event; 0 if there is none. */
function endOfEvents(bytes: Buffer): number {
  const ends = blankLines.map((line) => {
    const index = bytes.lastIndexOf(line, undefined, 'latin1');
    return index < 0 ? 0 : index + line.length;
  });
  return Math.max(...ends);
}
