import { InlayError } from '../errors.ts';

/** Most bytes between two blank lines. The parser copies its buffer with every chunk of an event. */
const largestEvent = 1_048_576;

const lineFeed = 10;
const carriageReturn = 13;

/** Measures the events of a stream by its chunks, and throws at one of more than 1 MiB. */
export function meter(): (chunk: Uint8Array) => void {
  let size = 0;
  let previous = 0;
  /** Whether the line so far is empty. */
  let lineEmpty = true;
  return (chunk) => {
    for (const byte of chunk) {
      size += 1;
      if (byte === lineFeed && previous === carriageReturn) {
        // The second half of a line end that was counted at its first.
      } else if (byte === lineFeed || byte === carriageReturn) {
        if (lineEmpty) size = 0;
        lineEmpty = true;
      } else {
        lineEmpty = false;
      }
      previous = byte;
    }
    if (size > largestEvent) {
      throw new InlayError('STREAM_OVERFLOW', 'The stream sent an event of more than 1 MiB.', {
        retryable: true,
      });
    }
  };
}
