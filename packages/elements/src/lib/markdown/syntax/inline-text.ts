import { type InlineResult, parseInlines } from './inline-parser.ts';
import type { InlineOptions, Leftover } from './inline-state.ts';

/** Characters before the open part that are kept, because rules look back at them. */
const lookBehind = 80;

/**
 * The inline text of one block, growing at its end. Each reading starts where the text is no longer
 * settled, so its cost depends on the open marks at the end and not on the length of the block.
 */
export class InlineText {
  /** The end of the text: the open part, and a little before it. */
  #tail = '';
  /** Where the open part starts in `#tail`. */
  #from = 0;
  #leftover: Leftover | undefined;

  append(text: string): void {
    this.#tail += text;
  }

  /** Starts over with another text. */
  replace(text: string): void {
    this.#tail = text;
    this.#from = 0;
    this.#leftover = undefined;
  }

  /** Reads what is not settled yet. What the result says is settled is not read again. */
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
