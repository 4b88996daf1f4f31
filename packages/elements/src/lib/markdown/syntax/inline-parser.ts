import { findAutolink } from './autolinks.ts';
import { Brackets } from './brackets.ts';
import { type Delimiter, flanking } from './emphasis.ts';
import { addLink, readAngle, readCode, readEntity, readLineEnd, readMath } from './inline-scans.ts';
import { type InlineOptions, InlineState } from './inline-state.ts';
import type { Inline } from './inlines.ts';
import { maxFormula, maxInlineSpan } from './limits.ts';

export interface InlineResult {
  /** What was read, as a linked list. */
  readonly first: Inline | undefined;
  /** The last node that no later text can change, if there is one. */
  readonly settled: Inline | undefined;
  /** Characters of the source up to the end of that node. The next reading starts there. */
  readonly consumed: number;
}

/** Distance between two places where the parser asks whether what it has read is settled. */
const settleEvery = 24;

const ordinary = /[^\\`*_~[\]!<&\n$]+/y;
const escapable = /[!-/:-@[-`{-~]/;

/**
 * Reads inline content: emphasis, code, formulas, links, pictures. Every scan is bounded (see
 * `limits.ts`).
 */
export function parseInlines(source: string, options: InlineOptions): InlineResult {
  return new InlineParser(new InlineState(source, options)).parse();
}

class InlineParser {
  readonly #state: InlineState;
  readonly #brackets: Brackets;
  #settled: Inline | undefined;
  #consumed = 0;
  #asked = 0;

  constructor(state: InlineState) {
    this.#state = state;
    this.#brackets = new Brackets(state);
  }

  parse(): InlineResult {
    const state = this.#state;
    const end = state.source.length;
    while (state.position < end) this.#step(state.peek() ?? '');
    if (state.unfinished) this.#showKindly();
    else this.#trimEnd();
    state.delimiters.resolve(undefined);
    return { first: state.list.first, settled: this.#settled, consumed: this.#consumed };
  }

  #step(char: string): void {
    const state = this.#state;
    if (char === '\\') this.#readEscape();
    else if (char === '`') readCode(state);
    else if (char === '$') this.#readDollar();
    else if (char === '*' || char === '_' || char === '~') this.#readDelimiters(char);
    else if (char === '[') this.#brackets.open(1);
    else if (char === '!' && state.peek(1) === '[') this.#brackets.open(2);
    else if (char === ']') this.#brackets.close();
    else if (char === '<') readAngle(state);
    else if (char === '&') readEntity(state);
    else if (char === '\n') readLineEnd(state);
    else this.#readText(char);
  }

  #readText(char: string): void {
    const state = this.#state;
    const { source } = state;
    ordinary.lastIndex = state.position;
    const from = state.position;
    const to = ordinary.test(source) ? ordinary.lastIndex : from + char.length;
    this.#settle(from, to);
    const start = state.position;
    const link = findAutolink(source, start, to);
    if (!link) {
      state.take(to - start);
      return;
    }
    if (link.start > start) state.take(link.start - start);
    if (link.end >= source.length && state.unfinished) {
      state.take(link.end - link.start);
      return;
    }
    addLink(state, source.slice(link.start, link.end), link.href);
    state.position = link.end;
  }

  #readEscape(): void {
    const state = this.#state;
    const next = state.peek(1);
    if (next === undefined && state.unfinished) state.stop();
    else if ((next === '(' || next === '[') && readMath(state)) return;
    else if (next === '\n') {
      state.position += 1;
      readLineEnd(state, true);
    } else if (next !== undefined && escapable.test(next)) {
      state.list.text(next);
      state.position += 2;
    } else state.take(1);
  }

  #readDollar(): void {
    const state = this.#state;
    if (readMath(state)) return;
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
      state.stop();
      return;
    }
    const before = [...source.slice(Math.max(0, position - 2), position)].at(-1) ?? '';
    const after = String.fromCodePoint(source.codePointAt(end) ?? 32);
    const flanks = flanking(char, before, after);
    const node = state.list.text(source.slice(position, end));
    state.position = end;
    if (char === '~' && length > 2) return;
    if (flanks.canOpen || flanks.canClose) {
      state.delimiters.push({ char, node, position, length, ...flanks });
    }
  }

  #trimEnd(): void {
    const { last } = this.#state.list;
    if (last?.kind === 'text') last.text = last.text.replace(/[ \t\n]+$/, '');
  }

  // --- text that is not whole yet --------------------------------------------------------------

  /**
   * Before the plain text from `from` to `to`: if no mark is open, nothing that follows can change
   * what has been read, and the next reading may start at the last word.
   */
  #settle(from: number, to: number): void {
    const state = this.#state;
    const { source } = state;
    if (!state.unfinished || to - this.#asked < settleEvery) return;
    let at = to;
    while (
      at > from &&
      (at === source.length || !/\S/.test(source[at] ?? '') || !/\s/.test(source[at - 1] ?? ''))
    )
      at -= 1;
    if (at === 0 || !/\s/.test(source[at - 1] ?? '')) return;
    this.#asked = to;
    if (this.#hasOpenMark(at)) return;
    if (findAutolink(source, from, at)) return;
    if (at > from) state.take(at - from);
    this.#settled = state.list.last;
    this.#consumed = at;
  }

  #hasOpenMark(at: number): boolean {
    const { openMath, delimiters } = this.#state;
    if (openMath !== undefined && at - openMath <= maxFormula) return true;
    if (this.#brackets.isOpen(at)) return true;
    delimiters.resolve(undefined);
    for (let open = delimiters.last; open; open = open.previous) {
      if (at - open.position > maxInlineSpan) return false;
      if (open.canOpen) return true;
    }
    return false;
  }

  /** Shows half-open marks at the end as what they are about to be, instead of as marks. */
  #showKindly(): void {
    const { source, delimiters, list } = this.#state;
    const end = source.length;
    this.#brackets.showKindly();
    delimiters.resolve(undefined);
    const open: Delimiter[] = [];
    for (let entry = delimiters.last; entry; entry = entry.previous) {
      if (entry.canOpen && end - entry.position <= maxInlineSpan) open.push(entry);
    }
    for (const { char, count } of open) {
      const node = list.text(char.repeat(count));
      const closer = { char, node, position: end, length: count, canOpen: false, canClose: true };
      delimiters.push(closer);
    }
  }
}
