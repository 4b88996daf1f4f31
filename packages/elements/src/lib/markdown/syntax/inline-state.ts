import type { Reference } from './blocks.ts';
import { DelimiterStack } from './emphasis.ts';
import { InlineList } from './inlines.ts';

export interface InlineOptions {
  /** The text is whole. Otherwise more may follow, and half-open syntax at the end is shown kindly. */
  readonly complete: boolean;
  /** Looks up a normalised reference label. */
  readonly reference: (label: string) => Reference | undefined;
}

/** Where the reading of inline content stands, and what it has found so far. */
export class InlineState {
  readonly source: string;
  readonly reference: InlineOptions['reference'];
  /** More text may follow. */
  readonly unfinished: boolean;
  readonly list = new InlineList();
  readonly delimiters = new DelimiterStack(this.list);
  position = 0;
  /** Where the latest mark stands that may yet turn out to open a formula. */
  openMath: number | undefined;
  /** Up to here no dollar can close a formula, whichever opened it. */
  dollarsTried = 0;

  constructor(source: string, { complete, reference }: InlineOptions) {
    this.source = source;
    this.reference = reference;
    this.unfinished = !complete;
  }

  /** The character `ahead` of the position. */
  peek(ahead = 0): string | undefined {
    return this.source[this.position + ahead];
  }

  /** Adds the next `length` characters as they are. */
  take(length: number): void {
    this.list.text(this.source.slice(this.position, this.position + length));
    this.position += length;
  }

  /** Keeps the rest back until it is known what it is. */
  stop(): void {
    this.position = this.source.length;
  }
}
