import { ModelError } from '../model.ts';
import { EventGatherer } from './event-gatherer.ts';
import { JsonAnswer } from './json-answer.ts';

/** Maximum bytes of one response. The JSON of a response with 250,000 tokens is smaller. */
const maximumBytes = 67_108_864;

/**
 * Maximum bytes of one event. The longest text that `limits.run` allows is smaller, even if JSON
 * escapes every character.
 */
const maximumEventBytes = 4_194_304;

/** Bytes at the end of a stream that are kept, enough for the last line. */
const tailLength = 64;

/**
 * Detects whether an event stream ended with `[DONE]`, and limits the length of response bodies. The
 * `openai` library does not expose `[DONE]`, without which a truncated response looks complete.
 */
export class StreamEnd {
  readonly #maximumBytes: number;
  #bytes = 0;
  #tail = Buffer.alloc(0);

  constructor(limit = maximumBytes) {
    this.#maximumBytes = limit;
  }

  /** Whether the last line was `[DONE]`. */
  get isDone(): boolean {
    return /(?:^|[\r\n])data: ?\[DONE\]\s*$/.test(this.#tail.toString('latin1'));
  }

  /** Replacement for the global `fetch`. */
  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    // A redirect would send the conversation and the key to another address.
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new ModelError(`the model responded with a redirect (${response.status})`, {
        retryable: false,
        kind: 'failed',
      });
    }
    const events = new EventGatherer(maximumEventBytes);
    // Errors of the provider are in JSON anyway.
    const answer = response.ok
      ? response.body?.pipeThrough(new JsonAnswer(maximumEventBytes))
      : response.body;
    const body = answer?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (bytes, controller) => {
          this.#bytes += bytes.byteLength;
          if (this.#bytes > this.#maximumBytes)
            throw new ModelError('the response did not end', {
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
    return new Response(body ?? null, response);
  };
}
