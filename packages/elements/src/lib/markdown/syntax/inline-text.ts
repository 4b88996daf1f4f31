import { type InlineResult, parseInlines } from './inline-parser.ts';
import type { InlineOptions, Leftover } from './inline-state.ts';

/** Number of characters that are kept as context although later text can't change how they are parsed. */
const lookBehind = 80;

/**
 * The inline text of a block, to which text can be appended. Only the unsettled text at the end is
 * parsed again, so the time does not depend on the length of the block.
 */
export class InlineText {
  /** The unsettled text, with some settled text before it. */
  #tail = '';
  /** Index of the unsettled text in `#tail`. */
  #from = 0;
  #leftover: Leftover | undefined;

  append(text: string): void {
    this.#tail += text;
  }

  /** Replaces the complete text. */
  replace(text: string): void {
    this.#tail = text;
    this.#from = 0;
    this.#leftover = undefined;
  }

  /** Parses the unsettled text. Text that is settled in the result is not parsed again. */
  parse(options: Pick<InlineOptions, 'complete' | 'reference'>): InlineResult {
    const result = parseInlines(this.#tail, {
      ...options,
      from: this.#from,
      leftover: this.#leftover,
    });
    if (result.settled) {
      const start = Math.max(0, result.consumed - lookBehind);
      this.#tail = this.#tail.slice(start);
      this.#from = result.consumed - start;
      this.#leftover = result.leftover;
    }
    return result;
  }
}
