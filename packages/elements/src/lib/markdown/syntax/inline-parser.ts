import { extras } from '../extras.ts';
import { Brackets } from './brackets.ts';
import { type Delimiter, delimiterRoles } from './emphasis.ts';
import { readCode, readLineEnd } from './inline-scans.ts';
import { canStartAt, type InlineOptions, InlineState, type Leftover } from './inline-state.ts';
import type { Inline } from './inlines.ts';
import { maxInlineDepth, maxInlineSpan } from './limits.ts';

export interface InlineResult {
  /** The first node of a linked list. */
  readonly first: Inline | undefined;
  /** The last node that later text can't change, if there is one. */
  readonly settled: Inline | undefined;
  /** Index in the source of the end of that node, where the next parsing starts. */
  readonly consumed: number;
  /** Whether the text contains named character references whose table is not loaded. */
  readonly needsEntities: boolean;
  /** The delimiter run with which the next parsing starts, if part of it is settled. */
  readonly leftover: Leftover | undefined;
}

const ordinaryText = /[^\\`*_~[\]!<&\n$\u3010\ue200-\ue206]+/y;
/** The first characters of citation marks. */
const markStart = /[\u3010\ue200-\ue206]/;
const escapableCharacter = /[!-/:-@[-`{-~]/;

/**
 * Parses inline content: emphasis, code, formulas, links and images. The length of each scan is limited
 * by `limits.ts`.
 */
export function parseInlines(source: string, options: InlineOptions): InlineResult {
  return new InlineParser(source, options).parse();
}

class InlineParser {
  readonly #state: InlineState;
  readonly #brackets: Brackets;
  /** End of the plain text at the current position. */
  #textEnd = 0;

  constructor(source: string, options: InlineOptions) {
    this.#state = new InlineState(source, options);
    this.#brackets = new Brackets(this.#state);
    if (options.leftover) this.#restoreLeftover(options.leftover);
  }

  parse(): InlineResult {
    const missed = extras()?.missedNameCount() ?? 0;
    const result = this.#parse();
    return { ...result, needsEntities: (extras()?.missedNameCount() ?? 0) > missed };
  }

  #parse(): Omit<InlineResult, 'needsEntities'> {
    const state = this.#state;
    const { list, source } = state;
    while (state.position < source.length) {
      this.#step(state.peek() ?? '');
      if (list.last) list.last.end ??= state.position;
    }
    if (!state.unfinished) {
      this.#trimEnd();
      this.#brackets.closeTags();
      state.delimiters.resolve(undefined);
      return { first: list.first, settled: undefined, consumed: 0, leftover: undefined };
    }
    const openBracket = this.#brackets.firstOpen(state.limit);
    this.#brackets.closeTags();
    state.delimiters.resolve(undefined);
    const settled = this.#settle(openBracket);
    this.#closeUnclosed();
    return { first: list.first, ...settled };
  }

  #step(char: string): void {
    const state = this.#state;
    if (char === '\\') this.#readEscape();
    else if (char === '`') readCode(state);
    else if (char === '$') this.#readDollar();
    else if (char === '*' || char === '_' || char === '~') this.#readDelimiters(char);
    else if (char === '[') this.#brackets.open(1);
    else if (char === '!' && state.peek(1) === '[') this.#brackets.open(2);
    else if (char === '!' && state.maybeImage()) state.holdBack();
    else if (char === ']') this.#brackets.close();
    else if (char === '<' || char === '&') this.#readRare(char);
    else if (char === '\n') readLineEnd(state);
    else if (!markStart.test(char) || !extras()?.readMark(state)) this.#readText(char);
  }

  #readRare(char: string): void {
    const rare = extras();
    if (!rare) this.#state.take(1);
    else if (char === '<') rare.readAngle(this.#state, this.#brackets);
    else rare.readEntity(this.#state);
  }

  #readText(char: string): void {
    const state = this.#state;
    const { source, position: from, boundary } = state;
    if (this.#textEnd <= from) {
      ordinaryText.lastIndex = from;
      this.#textEnd = ordinaryText.test(source) ? ordinaryText.lastIndex : from + char.length;
    }
    const isCut = from < boundary && boundary < this.#textEnd;
    const to = isCut ? boundary : this.#textEnd;
    if (!extras()?.readAutolink(state, from, to)) state.take(to - from);
  }

  #readEscape(): void {
    const state = this.#state;
    const next = state.peek(1);
    if (next === undefined && state.unfinished) state.holdBack();
    else if (/[([b]/.test(next ?? '') && extras()?.readMath(state)) return;
    else if (next === '\n') {
      state.position += 1;
      readLineEnd(state, true);
    } else if (next !== undefined && escapableCharacter.test(next)) {
      state.list.text(next);
      state.position += 2;
    } else state.take(1);
  }

  #readDollar(): void {
    const state = this.#state;
    if (extras()?.readMath(state)) return;
    let length = 1;
    while (state.peek(length) === '$') length += 1;
    state.take(length);
  }

  #readDelimiters(char: string): void {
    const state = this.#state;
    const { source, position } = state;
    let end = position;
    while (source[end] === char) end += 1;
    const length = end - position;
    if (state.unfinished && end === source.length) {
      state.holdBack();
      return;
    }
    const { canOpen, canClose } = delimiterRoles(char, source, position, end);
    const node = state.list.text(source.slice(position, end));
    state.position = end;
    // A single tilde is text, unlike in GFM: models write it for ranges such as `3~5`.
    if (char === '~' && length !== 2) return;
    if (canOpen || canClose) {
      state.delimiters.push({ char, node, position, length, count: length, canOpen, canClose });
    }
  }

  #restoreLeftover({ char, count, length, canClose }: Leftover): void {
    const { list, delimiters, position } = this.#state;
    const node = list.text(char.repeat(count));
    node.end = position + count;
    delimiters.push({ char, node, position, length, count, canOpen: true, canClose });
    this.#state.position += count;
  }

  #trimEnd(): void {
    const { last } = this.#state.list;
    if (last?.kind === 'text') last.text = last.text.replace(/[ \t\n]+$/, '');
  }

  // --- incomplete text ---------------------------------------------------------------------------

  /**
   * Finds the last node that later text can't change. It ends before the first delimiter that can still
   * be closed, and before the limit up to which the result of parsing is final.
   */
  #settle(openBracket: number): Omit<InlineResult, 'first' | 'needsEntities'> {
    const { source, list, delimiters } = this.#state;
    let limit = Math.min(openBracket, delimiters.firstTooDeep(this.#state.limit));
    const opener = delimiters.firstOpen(this.#state.limit);
    if (opener && opener.position < limit) {
      const { char, position, length, closed, canClose, node } = opener;
      if (closed > 0 && position + length <= limit && node.previous) {
        const leftover = { char, count: length - closed, length, canClose };
        return { settled: node.previous, consumed: position + closed, leftover };
      }
      limit = position;
    }
    let settled: Inline | undefined;
    for (let node = list.first; node; node = node.next) {
      if (node.end === undefined) continue;
      if (node.end > limit) break;
      if (canStartAt(source, node.end)) settled = node;
    }
    return { settled, consumed: settled?.end ?? 0, leftover: undefined };
  }

  /** Closes unclosed emphasis and links at the end of incomplete text. */
  #closeUnclosed(): void {
    const { source, delimiters, list } = this.#state;
    const end = source.length;
    this.#brackets.hideUnclosed();
    delimiters.resolve(undefined);
    const open: Delimiter[] = [];
    for (let entry = delimiters.last; entry; entry = entry.previous) {
      if (end - entry.position > maxInlineSpan || open.length === maxInlineDepth) break;
      if (entry.canOpen) open.push(entry);
    }
    for (const { char, count } of open) {
      const node = list.text(char.repeat(count));
      const closer = { char, node, position: end, length: count, count };
      delimiters.push({ ...closer, canOpen: false, canClose: true });
    }
    delimiters.resolve(undefined);
  }
}
