import type { InlineState } from './inline-state.ts';
import { maxFormula } from './limits.ts';
import type { Scan } from './link-syntax.ts';

/** A formula in TeX, without the marks around it. */
export interface Formula {
  readonly text: string;
  /** It stands on a line of its own. */
  readonly display: boolean;
}

const word = /[\p{L}\p{N}]/u;
const space = /\s/;

/** A price, or one to another, and the words after it. */
const price = /^\d[\d.,]*(?:[-–—/]\$?\d[\d.,]*)?\s+\p{L}{2}/u;

/** Reads `$…$`, `$$…$$`, `\\(…\\)` or `\\[…\\]` within a line, from its first character. */
export function scanMath(state: InlineState): Scan<Formula> {
  const { source, position: from, unfinished } = state;
  const mark = source.slice(from, from + 2);
  if (mark === '\\(') return scanTo('\\)', source, from, false, unfinished);
  if (mark === '\\[') return scanTo('\\]', source, from, true, unfinished);
  if (source[from] !== '$') return undefined;
  if (word.test(source[from - 1] ?? '') || source[from - 1] === '$') return undefined;
  if (mark === '$') return 'open';
  if (mark !== '$$') return scanDollar(state, from);
  if (source[from + 2] === '$') return undefined;
  return source.length === from + 2 ? 'open' : scanTo('$$', source, from, true, unfinished);
}

function scanTo(
  closer: string,
  source: string,
  from: number,
  display: boolean,
  unfinished: boolean,
): Scan<Formula> {
  const limit = Math.min(source.length, from + maxFormula);
  const text = source.slice(from + 2, limit);
  const length = text.indexOf(closer);
  const tick = text.indexOf('`');
  if (tick >= 0 && (length < 0 || tick < length)) return undefined;
  if (length < 0) return limit === source.length ? 'open' : undefined;
  const end = from + 4 + length;
  const formula = text.slice(0, length);
  if (!formula.trim()) return undefined;
  // `\\[text\\](address)`: brackets that were kept from being a link.
  if (closer === '\\]' && source[end] === '(') return undefined;
  if (closer === '\\]' && end === source.length && unfinished) return 'open';
  return { end, value: { text: formula.trim(), display } };
}

/**
 * A dollar opens a formula only before a character that is no white space, and closes one only after
 * such a character and not before a letter or a digit. So prices stay prices.
 */
function scanDollar(state: InlineState, from: number): Scan<Formula> {
  const { source, unfinished } = state;
  if (space.test(source[from + 1] ?? ' ')) return undefined;
  const limit = Math.min(source.length, from + maxFormula);
  const rest = source.slice(from + 1, limit);
  if (price.test(rest)) return undefined;
  const tick = rest.indexOf('`');
  const end = tick < 0 ? limit : from + 1 + tick;
  let at = source.indexOf('$', Math.max(from + 1, state.dollarsTried));
  for (; at >= 0 && at < end; at = source.indexOf('$', at + 1)) {
    const after = source[at + 1];
    if (after === undefined && unfinished) return 'open';
    if (space.test(source[at - 1] ?? ' ') || isEscaped(source, at)) continue;
    if (after !== undefined && (after === '$' || word.test(after))) continue;
    return { end: at + 1, value: { text: source.slice(from + 1, at), display: false } };
  }
  state.dollarsTried = Math.max(state.dollarsTried, end);
  return tick < 0 && limit === source.length ? 'open' : undefined;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** The first line of a formula that has lines of its own: all of it, or its mark alone. */
export interface MathStart {
  readonly closer: '$$' | '\\]';
  readonly text: string;
  /** The formula ends on the same line. */
  readonly whole: boolean;
}

export function mathStart(content: string): MathStart | undefined {
  const closer = content.startsWith('$$') ? '$$' : content.startsWith('\\[') ? '\\]' : undefined;
  if (!closer || content[2] === '$') return undefined;
  const text = content.slice(2).trimEnd();
  if (!text) return { closer, text, whole: false };
  const at = text.indexOf(closer);
  if (at < 0 || at !== text.length - 2 || !text.slice(0, at).trim()) return undefined;
  return { closer, text: text.slice(0, at), whole: true };
}
