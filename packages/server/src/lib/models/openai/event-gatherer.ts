import { ModelError } from '../model.ts';

/** Blank lines, which end a server-sent event (WHATWG HTML, 9.2.5). */
const blankLines = ['\n\n', '\r\r', '\r\n\r\n'];
const longestBlankLine = 4;

/**
 * Joins the pieces of a stream of server-sent events to pieces that end where an event ends. The
 * library copies and searches an unfinished event again for each piece of it, which takes quadratic
 * time when the event is long.
 */
export class EventGatherer {
  readonly #mostBytes: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** The last bytes that were added: a blank line may lie across two pieces. */
  #seam: Uint8Array = new Uint8Array();

  /** @param mostBytes Bytes of an event, and of what comes with it in one piece. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /**
   * Returns all whole events that have arrived; empty while there is none.
   *
   * @throws ModelError Of kind `too_long`, for an event that is longer than `mostBytes`.
   */
  add(bytes: Uint8Array): Uint8Array {
    const searched = Buffer.concat([this.#seam, bytes]);
    const end = endOfEvents(searched) - this.#seam.byteLength;
    this.#seam = searched.subarray(-(longestBlankLine - 1));
    if (end <= 0) {
      this.#hold(bytes);
      return new Uint8Array();
    }
    this.#hold(bytes.subarray(0, end));
    const whole = this.rest();
    this.#hold(bytes.subarray(end));
    return whole;
  }

  /** The events that are left at the end of the stream. */
  rest(): Uint8Array {
    const rest = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    return rest;
  }

  #hold(bytes: Uint8Array): void {
    this.#pendingBytes += bytes.byteLength;
    if (this.#pendingBytes > this.#mostBytes) {
      throw new ModelError(`the model sent an event of more than ${this.#mostBytes} bytes`, {
        retryable: false,
        kind: 'too_long',
      });
    }
    this.#pending.push(bytes);
  }
}

/** Where the last whole event ends; 0 where none does. */
function endOfEvents(bytes: Buffer): number {
  const ends = blankLines.map((line) => {
    const at = bytes.lastIndexOf(line, undefined, 'latin1');
    return at < 0 ? 0 : at + line.length;
  });
  return Math.max(...ends);
}
