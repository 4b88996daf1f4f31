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
  /** Number of characters that are not used yet. */
  count: number;
  /** Number of characters that have closed emphasis. */
  closed: number;
  previous: Delimiter | undefined;
  next: Delimiter | undefined;
}

const punctuation = /[\p{P}\p{S}]/u;
const space = /\s/;

/**
 * CJK characters: East Asian Width W, F or H without emoji, and Hangul.
 * @see https://github.com/tats-u/markdown-cjk-friendly/blob/main/specification.md
 */
const cjk =
  /[\u1100-\u11ff\u20a9\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uffee\u{16fe0}-\u{18df2}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}\u{1f202}\u{1f210}-\u{1f219}\u{1f21b}-\u{1f22e}\u{1f230}\u{1f231}\u{1f237}\u{1f23b}\u{1f240}-\u{1f265}\u{20000}-\u{3fffd}]/u;

/** Variation selectors other than that for emoji. */
const variation = /[\ufe00-\ufe0e]/;
/** Variation selectors for ideographs. */
const ideographVariation = /[\u{e0100}-\u{e01ef}]/u;
/** Quotation marks with the variation selector for fullwidth forms. */
const wideQuote = /[‘’“”]\ufe01/;

export const isCjk = (char: string) => cjk.test(char);

/** Properties of the character beside a delimiter run. */
interface Neighbour {
  readonly isSpace: boolean;
  readonly isWide: boolean;
  readonly isPunctuation: boolean;
  readonly isIdeographVariation: boolean;
}

function neighbourOf(text: string): Neighbour {
  return {
    isSpace: text === '' || space.test(text),
    isWide: isCjk(text) || wideQuote.test(text),
    isPunctuation: punctuation.test(text),
    isIdeographVariation: ideographVariation.test(text),
  };
}

/** Cached properties of the ASCII characters. */
const asciiNeighbours = Array.from({ length: 128 }, (_, code) =>
  neighbourOf(String.fromCharCode(code)),
);
const noCharacter = neighbourOf('');

function neighbourBefore(source: string, index: number): Neighbour {
  if (index === 0) return noCharacter;
  const ascii = asciiNeighbours[source.charCodeAt(index - 1)];
  if (ascii) return ascii;
  const before = [...source.slice(Math.max(0, index - 4), index)];
  const last = before.at(-1) ?? '';
  return neighbourOf(variation.test(last) && before.length > 1 ? `${before.at(-2)}${last}` : last);
}

function neighbourAfter(source: string, index: number): Neighbour {
  if (index >= source.length) return noCharacter;
  const ascii = asciiNeighbours[source.charCodeAt(index)];
  if (ascii) return ascii;
  const nextTwo = source.slice(index, index + 2);
  return neighbourOf(
    wideQuote.test(nextTwo) ? nextTwo : String.fromCodePoint(source.codePointAt(index) ?? 32),
  );
}

/** Whether a run between this neighbour and punctuation can be flanking. */
const allowsFlanking = ({ isSpace, isWide, isPunctuation }: Neighbour) =>
  isSpace || isWide || isPunctuation;

const isNotNarrowPunctuation = ({ isPunctuation, isWide }: Neighbour) => !isPunctuation || isWide;

/**
 * Whether the delimiter run between two indices can open or close emphasis, by the flanking rules of
 * CommonMark with the CJK-friendly amendments, by which CJK text needs no spaces around emphasis.
 */
export function delimiterRoles(char: string, source: string, from: number, to: number) {
  const before = neighbourBefore(source, from);
  const after = neighbourAfter(source, to);
  const left =
    !after.isSpace &&
    (isNotNarrowPunctuation(after) || allowsFlanking(before) || before.isIdeographVariation);
  const right = !before.isSpace && (isNotNarrowPunctuation(before) || allowsFlanking(after));
  if (char !== '_') return { canOpen: left, canClose: right };
  return {
    canOpen: left && (!right || before.isPunctuation),
    canClose: right && (!left || after.isPunctuation),
  };
}

function canMatch(opener: Delimiter, closer: Delimiter): boolean {
  if (!opener.canOpen || opener.char !== closer.char) return false;
  if (closer.position - opener.position > maxInlineSpan) return false;
  if (closer.char === '~') return true;
  // The “rule of 3” of CommonMark, for runs that can both open and close.
  const hasRuleOf3 = opener.canClose || closer.canOpen;
  if (!hasRuleOf3 || closer.length % 3 === 0) return true;
  return (opener.length + closer.length) % 3 !== 0;
}

/** The delimiter runs that are not resolved yet, in the order of the text. */
export class DelimiterStack {
  readonly #inlines: InlineList;
  last: Delimiter | undefined;
  readonly #tooDeep: { readonly from: number; readonly to: number }[] = [];
  /**
   * The last run that was tried as a closer. It and the runs before it need not be tried again, because
   * an opener never comes after its closer.
   */
  #tried: Delimiter | undefined;

  constructor(inlines: InlineList) {
    this.#inlines = inlines;
  }

  push(delimiter: Omit<Delimiter, 'previous' | 'next' | 'closed'>): void {
    const { char, node, position, length, canOpen, canClose, count } = delimiter;
    const entry: Delimiter = {
      char,
      node,
      position,
      length,
      canOpen,
      canClose,
      count,
      closed: 0,
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

  /**
   * Index of the first run that matched a run at or after `limit`, but was nested too deeply; `limit`
   * if there is none.
   */
  firstTooDeep(limit: number): number {
    const indices = this.#tooDeep.filter(({ to }) => to >= limit).map(({ from }) => from);
    return indices.reduce((first, from) => Math.min(first, from), limit);
  }

  /** The first run that a run at or after `limit` can still match. */
  firstOpen(limit: number): Delimiter | undefined {
    let first: Delimiter | undefined;
    for (let open = this.last; open; open = open.previous) {
      if (limit - open.position > maxInlineSpan) break;
      if (open.canOpen) first = open;
    }
    return first;
  }

  /** Removes the runs after `bottom`, or all of them. */
  removeAfter(bottom: Delimiter | undefined): void {
    if (!bottom || (this.#tried && this.#tried.position > bottom.position)) this.#tried = bottom;
    this.last = bottom;
    if (bottom) bottom.next = undefined;
  }

  /** Converts matching runs after `bottom` to emphasis. */
  resolve(bottom: Delimiter | undefined): void {
    // For each kind of closer, the run at and before which there is no opener (`openers_bottom` in
    // CommonMark).
    const searched = new Map<string, Delimiter | undefined>();
    const from = bottom ?? this.#tried;
    let closer = from ? from.next : this.#first();
    while (closer) {
      if (!closer.canClose) {
        closer = closer.next;
        continue;
      }
      const kind = `${closer.char}${closer.canOpen}${closer.length % 3}`;
      const lowest = searched.has(kind) ? searched.get(kind) : bottom;
      let opener = closer.previous;
      while (opener && opener !== bottom && opener !== lowest && !canMatch(opener, closer)) {
        opener = closer.position - opener.position > maxInlineSpan ? undefined : opener.previous;
      }
      if (opener && opener !== bottom && opener !== lowest) {
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

  /** Wraps the nodes between two runs, and returns the next closer to try. */
  #match(opener: Delimiter, closer: Delimiter): Delimiter | undefined {
    const used = opener.count > 1 && closer.count > 1 ? 2 : 1;
    const depth = depthBetween(opener.node, closer.node) + 1;
    const kind = closer.char === '~' ? 'del' : used === 2 ? 'strong' : 'em';

    if (depth <= maxInlineDepth) {
      opener.node.text = opener.node.text.slice(used);
      closer.node.text = closer.node.text.slice(used);
      this.#inlines.wrap(opener.node, closer.node, { kind, text: '', depth });
    } else this.#tooDeep.push({ from: opener.position, to: closer.position });
    opener.count -= used;
    closer.count -= used;
    closer.closed += used;
    // Runs between a matching pair can't match runs outside of it.
    opener.next = closer;
    closer.previous = opener;
    if (opener.count === 0) this.remove(opener);
    if (closer.count > 0) return closer;
    const { next } = closer;
    this.remove(closer);
    return next;
  }
}
