import { ModelError } from '../model.ts';
import { EventGatherer } from './event-gatherer.ts';

/** Bytes of one answer. A quarter of a million tokens fit in with their envelopes; an endless one must end. */
const mostBytes = 67_108_864;

/** Bytes of one event. The longest answer fits in, however much of it JSON escapes. */
const mostEventBytes = 4_194_304;

/** Bytes of a stream's end that are kept: its last line with room to spare. */
const tailLength = 64;

/**
 * Sees whether a stream of server-sent events came to its `[DONE]`. The library keeps that to
 * itself, and without it an answer that broke off looks like one that is whole. What comes without
 * an end is cut off, an error's page as well.
 */
export class StreamEnd {
  readonly #mostBytes: number;
  #bytes = 0;
  #tail = Buffer.alloc(0);

  constructor(limit = mostBytes) {
    this.#mostBytes = limit;
  }

  /** Whether `[DONE]` was the last that came. */
  get isDone(): boolean {
    return /(?:^|[\r\n])data: ?\[DONE\]\s*$/.test(this.#tail.toString('latin1'));
  }

  /** In place of the global `fetch`. */
  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const events = new EventGatherer(mostEventBytes);
    const watched = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (bytes, controller) => {
          this.#bytes += bytes.byteLength;
          if (this.#bytes > this.#mostBytes)
            throw new ModelError('the answer did not end', {
              retryable: false,
              kind: 'too_long',
            });
          this.#tail = Buffer.concat([this.#tail, bytes.subarray(-tailLength)]).subarray(
            -tailLength,
          );
          controller.enqueue(events.add(bytes));
        },
        flush: (controller) => controller.enqueue(events.rest()),
      }),
    );
    return new Response(watched ?? null, response);
  };
}
