import type { Limits } from '../config/limits.ts';
import { ModelError } from './model.ts';
import { truncateToBytes } from './truncate-to-bytes.ts';

/** Enforces the limits of `limits.run` for one model response. */
export class AnswerMeter {
  readonly #limits: Limits['run'];
  #bytes = 0;
  #argumentBytes = 0;

  constructor(limits: Limits['run']) {
    this.#limits = limits;
  }

  /** Counts text or thinking. Returns the part that is still within the limit. */
  takeWithinLimit(text: string): string {
    const withinLimit = truncateToBytes(text, this.#limits.answer_bytes - this.#bytes);
    this.#bytes += Buffer.byteLength(text);
    return withinLimit;
  }

  /** Counts a part of the arguments of a call. */
  addArguments(text: string): void {
    this.#argumentBytes += Buffer.byteLength(text);
  }

  /** @throws ModelError Of kind `too_long`, if a limit was exceeded. */
  assertWithinLimits(calls: number): void {
    const { answer_bytes, argument_bytes, tool_calls } = this.#limits;
    if (this.#bytes > answer_bytes) throw tooLong(`text has more than ${answer_bytes} bytes`);
    if (this.#argumentBytes > argument_bytes) {
      throw tooLong(`tool arguments have more than ${argument_bytes} bytes`);
    }
    if (calls > tool_calls) throw tooLong(`answer calls tools more than ${tool_calls} times`);
  }
}

function tooLong(what: string): ModelError {
  return new ModelError(`the model's ${what}`, { retryable: false, kind: 'too_long' });
}
