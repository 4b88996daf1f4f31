import type { Reference } from './blocks.ts';
import { DelimiterStack } from './emphasis.ts';
import { type Inline, InlineList } from './inlines.ts';

/** The part of a run of `*` or `_` that is left after the run has closed emphasis before it. */
export interface Leftover {
  readonly char: string;
  readonly count: number;
  /** Length of the whole run as written. */
  readonly length: number;
  readonly canClose: boolean;
}

export interface InlineOptions {
  /** The text is whole. Otherwise more may follow, and half-open syntax at the end is shown kindly. */
  readonly complete: boolean;
  /** Looks up a normalised reference label. */
  readonly reference: (label: string) => Reference | undefined;
  /** Index at which reading starts. Characters before it are only looked back at. */
  readonly from?: number;
  /** The run of delimiters at `from`, if part of it was read before. */
  readonly leftover?: Leftover | undefined;
}

/** Longest local part of a mail address (RFC 5321, section 4.5.3.1.1). */
export const maxMailName = 64;

/** Longest domain of one (RFC 5321, section 4.5.3.1.2). */
const maxMailDomain = 255;

/** Characters at the end that may be the beginning of an address, such as `https://`. */
const addressStart = 8;

const mailCharacter = /[\w.+-]/;
const isWhite = (char: string | undefined) => char === undefined || /[ \t\n]/.test(char);

/** Where the reading of inline content stands, and what it has found so far. */
export class InlineState {
  readonly source: string;
  readonly reference: InlineOptions['reference'];
  /** More text may follow. */
  readonly unfinished: boolean;
  readonly list = new InlineList();
  readonly delimiters = new DelimiterStack(this.list);
  position: number;
  /** Plain text is cut here: what stands before it does not depend on text that follows the source. */
  readonly boundary: number;
  /** The text before this index is parsed for good, apart from delimiters that are still open. */
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

  /** The character `ahead` of the position. */
  peek(ahead = 0): string | undefined {
    return this.source[this.position + ahead];
  }

  /**
   * Index of the next `mark` at or after `from`; infinite where there is none. Looking for a mark from
   * places that follow each other costs no more than one pass over the source.
   */
  next(mark: string, from: number): number {
    let at = this.#nextOf.get(mark) ?? -1;
    if (at < from) {
      at = this.source.indexOf(mark, from);
      if (at < 0) at = Number.POSITIVE_INFINITY;
      this.#nextOf.set(mark, at);
    }
    return at;
  }

  /** Index of the next run of exactly `length` backticks at or after `from`; infinite without one. */
  nextTicks(length: number, from: number): number {
    this.#ticks ??= ticksOf(this.source, this.position);
    const runs = this.#ticks.get(length) ?? [];
    while ((runs.at(-1) ?? from) < from) runs.pop();
    return runs.at(-1) ?? Number.POSITIVE_INFINITY;
  }

  /** Adds the next `length` characters as they are. */
  take(length: number): void {
    const end = this.position + length;
    if (this.position < this.boundary && this.boundary < end) this.#takeTo(this.boundary);
    this.#takeTo(end);
  }

  #takeTo(end: number): void {
    const node: Inline = this.list.text(this.source.slice(this.position, end));
    node.end = end;
    this.position = end;
  }

  /** Notes that text which follows the source may change what stands at `index`. */
  unsure(index: number): void {
    if (this.unfinished) this.limit = Math.min(this.limit, index);
  }

  /** Keeps the rest back until it is known what it is. It begins at `index` at the latest. */
  stop(index = this.position): void {
    this.unsure(index);
    this.position = this.source.length;
  }
}

/** Where the runs of backticks from `from` on start, by their length, the first last. */
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

/** Where the text ends that no autolink, line end or half a character can change. */
function boundaryOf(source: string, from: number): number {
  const last = source.length;
  const word = mailStart(source, last, maxMailDomain);
  const isDomain = source[word - 1] === '@';
  const name = isDomain ? word - 1 : last;
  const least = Math.min(mailStart(source, name, maxMailName + 1), last - addressStart);
  let at = mailStart(source, least, maxMailName + 1);
  while (at > from && isWhite(source[at]) && isWhite(source[at - 1])) at -= 1;
  if (/[\udc00-\udfff]/.test(source[at] ?? '')) at -= 1;
  return Math.max(from, at);
}

/** Start of the characters of a mail address before `end`, of which there are `most` at most. */
function mailStart(source: string, end: number, most: number): number {
  let at = end;
  while (at > end - most && mailCharacter.test(source[at - 1] ?? '')) at -= 1;
  return at;
}

/** Whether reading may start again at `index`: not within white space, which may end a line. */
export function canStartAt(source: string, index: number): boolean {
  return !(isWhite(source[index]) && isWhite(source[index - 1]));
}
