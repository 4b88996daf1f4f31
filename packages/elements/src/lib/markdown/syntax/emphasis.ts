import { depthBetween, type Inline, type InlineList } from './inlines.ts';
import { maxInlineDepth, maxInlineSpan } from './limits.ts';

/** A run of `*`, `_` or `~` that may open or close emphasis. */
export interface Delimiter {
  readonly char: string;
  readonly node: Inline;
  readonly position: number;
  /** Length of the run as written. */
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** Characters that are not used yet. */
  count: number;
  previous: Delimiter | undefined;
  next: Delimiter | undefined;
}

const punctuation = /[\p{P}\p{S}]/u;
const space = /\s/;

const isSpaceLike = (char: string) => char === '' || space.test(char);

/** Whether a run between two characters opens or closes: the flanking rules of CommonMark. */
export function flanking(char: string, before: string, after: string) {
  const spaceBefore = isSpaceLike(before);
  const spaceAfter = isSpaceLike(after);
  const punctuationBefore = punctuation.test(before);
  const punctuationAfter = punctuation.test(after);
  const left = !spaceAfter && (!punctuationAfter || spaceBefore || punctuationBefore);
  const right = !spaceBefore && (!punctuationBefore || spaceAfter || punctuationAfter);
  if (char !== '_') return { canOpen: left, canClose: right };
  return {
    canOpen: left && (!right || punctuationBefore),
    canClose: right && (!left || punctuationAfter),
  };
}

function matches(opener: Delimiter, closer: Delimiter): boolean {
  if (!opener.canOpen || opener.char !== closer.char) return false;
  if (closer.position - opener.position > maxInlineSpan) return false;
  if (closer.char === '~') return opener.count === closer.count;
  const eitherDoesBoth = opener.canClose || closer.canOpen;
  if (!eitherDoesBoth || closer.length % 3 === 0) return true;
  return (opener.length + closer.length) % 3 !== 0;
}

/** The delimiters that are not resolved yet, in the order of the text. */
export class DelimiterStack {
  readonly #inlines: InlineList;
  last: Delimiter | undefined;
  /**
   * Up to here every run has been tried as a closer. What comes later only adds openers behind it,
   * so it need not be tried again: asking often stays cheap.
   */
  #tried: Delimiter | undefined;

  constructor(inlines: InlineList) {
    this.#inlines = inlines;
  }

  push(delimiter: Omit<Delimiter, 'previous' | 'next' | 'count'>): void {
    const { char, node, position, length, canOpen, canClose } = delimiter;
    const entry: Delimiter = {
      char,
      node,
      position,
      length,
      canOpen,
      canClose,
      count: length,
      previous: this.last,
      next: undefined,
    };
    if (this.last) this.last.next = entry;
    this.last = entry;
  }

  remove(delimiter: Delimiter): void {
    if (delimiter === this.#tried) this.#tried = delimiter.previous;
    if (delimiter.previous) delimiter.previous.next = delimiter.next;
    if (delimiter.next) delimiter.next.previous = delimiter.previous;
    else this.last = delimiter.previous;
  }

  /** Drops what comes after `bottom`. */
  cut(bottom: Delimiter | undefined): void {
    if (!bottom || (this.#tried && this.#tried.position > bottom.position)) this.#tried = bottom;
    this.last = bottom;
    if (bottom) bottom.next = undefined;
  }

  /** Turns matching runs after `bottom` into emphasis. */
  resolve(bottom: Delimiter | undefined): void {
    // Where a closer of a kind found no opener, the next of that kind need not look again.
    const searched = new Map<string, Delimiter | undefined>();
    const from = bottom ?? this.#tried;
    let closer = from ? from.next : this.#first();
    while (closer) {
      if (!closer.canClose) {
        closer = closer.next;
        continue;
      }
      const kind = `${closer.char}${closer.canOpen}${closer.char === '~' ? closer.count : closer.length % 3}`;
      const floor = searched.has(kind) ? searched.get(kind) : bottom;
      let opener = closer.previous;
      while (opener && opener !== bottom && opener !== floor && !matches(opener, closer)) {
        opener = opener.previous;
      }
      if (opener && opener !== bottom && opener !== floor) {
        closer = this.#match(opener, closer);
      } else {
        searched.set(kind, closer.previous);
        const { next }: Delimiter = closer;
        if (!closer.canOpen) this.remove(closer);
        closer = next;
      }
    }
    if (!bottom) this.#tried = this.last;
  }

  #first(): Delimiter | undefined {
    let first = this.last;
    while (first?.previous) first = first.previous;
    return first;
  }

  /** Wraps what is between the two, and gives the delimiter to go on with. */
  #match(opener: Delimiter, closer: Delimiter): Delimiter | undefined {
    const used = closer.char === '~' ? closer.count : opener.count > 1 && closer.count > 1 ? 2 : 1;
    const depth = depthBetween(opener.node, closer.node) + 1;
    const kind = closer.char === '~' ? 'del' : used === 2 ? 'strong' : 'em';

    if (depth <= maxInlineDepth) {
      opener.node.text = opener.node.text.slice(used);
      closer.node.text = closer.node.text.slice(used);
      this.#inlines.wrap(opener.node, closer.node, { kind, text: '', depth });
    }
    opener.count -= used;
    closer.count -= used;
    // Whatever lies between a pair that matched can match nothing outside it.
    opener.next = closer;
    closer.previous = opener;
    if (opener.count === 0) this.remove(opener);
    if (closer.count > 0) return closer;
    const { next } = closer;
    this.remove(closer);
    return next;
  }
}
