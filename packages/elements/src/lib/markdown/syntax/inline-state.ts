import type { Reference } from './blocks.ts';
import { DelimiterStack } from './emphasis.ts';
import { type Inline, InlineList } from './inlines.ts';

/** The unused part of a delimiter run that has already closed emphasis. */
export interface Leftover {
  readonly char: string;
  /** Number of unused characters. */
  readonly count: number;
  /** Length of the complete run. */
  readonly length: number;
  readonly canClose: boolean;
}

export interface InlineOptions {
  /** Whether the text is complete. Otherwise, unclosed syntax at the end is rendered as closed. */
  readonly complete: boolean;
  /**
   * Returns the definition of a normalized label. `isExplicit` is true for `[text][label]`, unless it
   * looks like access to an array or numbers of sources. While text streams, such a link is shown
   * before its definition has arrived.
   */
  readonly reference: (label: string, isExplicit?: boolean) => Reference | undefined;
  /** Index at which parsing starts. The characters before it are context. */
  readonly from?: number;
  /** The delimiter run at `from`, if part of it is settled. */
  readonly leftover?: Leftover | undefined;
}

/** Maximum length of the local part of an e-mail address (RFC 5321, section 4.5.3.1.1). */
export const maxMailName = 64;

/** Maximum length of the domain of an e-mail address (RFC 5321, section 4.5.3.1.2). */
const maxMailDomain = 255;

/** Length of `https://`, which may be incomplete at the end of the text. */
const urlPrefixLength = 8;

const mailCharacter = /[\w.+-]/;
const isWhite = (char: string | undefined) => char === undefined || /[ \t\n]/.test(char);

/** State of the parser of inline content. */
export class InlineState {
  readonly source: string;
  readonly reference: InlineOptions['reference'];
  /** Whether more text may follow. */
  readonly unfinished: boolean;
  readonly list = new InlineList();
  readonly delimiters = new DelimiterStack(this.list);
  position: number;
  /** Index at which plain text is split, because the text before it does not depend on later text. */
  readonly boundary: number;
  /** Index up to which the result is final, except for delimiters that are still open. */
  limit: number;
  readonly #nextOf = new Map<string, number>();
  #ticks: Map<number, number[]> | undefined;

  constructor(source: string, { complete, reference, from = 0 }: InlineOptions) {
    this.source = source;
    this.reference = reference;
    this.unfinished = !complete;
    this.position = from;
    this.boundary = complete ? source.length : boundaryOf(source, from);
    this.limit = this.boundary;
  }

  /** Returns the character at an offset from the position. */
  peek(offset = 0): string | undefined {
    return this.source[this.position + offset];
  }

  /**
   * Index of the next `delimiter` at or after `from`; infinite if there is none. The result is cached, so
   * that calls with increasing `from` take linear time in total.
   */
  next(delimiter: string, from: number): number {
    let index = this.#nextOf.get(delimiter) ?? -1;
    if (index < from) {
      index = this.source.indexOf(delimiter, from);
      if (index < 0) index = Number.POSITIVE_INFINITY;
      this.#nextOf.set(delimiter, index);
    }
    return index;
  }

  /** Index of the next run of exactly `length` backticks at or after `from`; infinite if there is none. */
  nextTicks(length: number, from: number): number {
    this.#ticks ??= ticksOf(this.source, this.position);
    const runs = this.#ticks.get(length) ?? [];
    while ((runs.at(-1) ?? from) < from) runs.pop();
    return runs.at(-1) ?? Number.POSITIVE_INFINITY;
  }

  /** Whether an exclamation mark at the end of incomplete text may be the start of an image. */
  maybeImage(): boolean {
    return this.unfinished && this.peek(1) === undefined && /^[\s([|]?$/.test(this.peek(-1) ?? '');
  }

  /** Adds the next `length` characters as text. */
  take(length: number): void {
    const end = this.position + length;
    if (this.position < this.boundary && this.boundary < end) this.#takeUpTo(this.boundary);
    this.#takeUpTo(end);
  }

  #takeUpTo(end: number): void {
    const node: Inline = this.list.text(this.source.slice(this.position, end));
    node.end = end;
    this.position = end;
  }

  /** Records that the result from `index` on may depend on later text. */
  markUnsettled(index: number): void {
    if (this.unfinished) this.limit = Math.min(this.limit, index);
  }

  /** Skips the rest of the text, which is parsed again from `index` when more text has arrived. */
  holdBack(index = this.position): void {
    this.markUnsettled(index);
    this.position = this.source.length;
  }
}

/** Indices of the runs of backticks from `from` on by their length, in descending order. */
function ticksOf(source: string, from: number): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  const ticks = /`+/g;
  ticks.lastIndex = from;
  for (let run = ticks.exec(source); run; run = ticks.exec(source)) {
    const starts = runs.get(run[0].length) ?? [];
    runs.set(run[0].length, starts);
    starts.push(run.index);
  }
  for (const starts of runs.values()) starts.reverse();
  return runs;
}

/** Index before any incomplete autolink, line end or surrogate pair at the end of the text. */
function boundaryOf(source: string, from: number): number {
  const last = source.length;
  const word = mailStart(source, last, maxMailDomain);
  const isDomain = source[word - 1] === '@';
  const name = isDomain ? word - 1 : last;
  const linkStart = Math.min(mailStart(source, name, maxMailName + 1), last - urlPrefixLength);
  let index = mailStart(source, linkStart, maxMailName + 1);
  while (index > from && isWhite(source[index]) && isWhite(source[index - 1])) index -= 1;
  if (/[\udc00-\udfff]/.test(source[index] ?? '')) index -= 1;
  return Math.max(from, index);
}

/** Start of up to `max` characters before `end` that can be part of an e-mail address. */
function mailStart(source: string, end: number, max: number): number {
  let index = end;
  while (index > end - max && mailCharacter.test(source[index - 1] ?? '')) index -= 1;
  return index;
}

/**
 * Whether parsing can start at `index`. It can't start within white space, which may belong to the end
 * of a line.
 */
export function canStartAt(source: string, index: number): boolean {
  return !(isWhite(source[index]) && isWhite(source[index - 1]));
}
