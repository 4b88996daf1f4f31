import { isCjk } from './emphasis.ts';
import type { InlineState } from './inline-state.ts';
import { maxFormula } from './limits.ts';
import type { Scan } from './link-syntax.ts';

/** A formula in TeX, without the marks around it. */
export interface Formula {
  readonly text: string;
  /** It stands on a line of its own. */
  readonly display: boolean;
}

/** Letters and digits after which a dollar is part of a word or an amount: `US$5`, `100$`. */
const joined = /[\p{Script=Latin}\p{N}]/u;
const space = /\s/;

/** A price, or one to another, and the words after it. CJK words need no space before them. */
const price =
  /^\d[\d.,]*(?:[-–—~/]\$?\d[\d.,]*)?(?:\s+\p{L}{2}|\s*[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff65])/u;

/** Letters that may follow a formula in the same word: `$n$th`, `$k$s`. */
const suffix = /^(?:st|nd|rd|th|s)(?![\p{L}\p{N}])/u;
const identifier = /^\w{3,}$/;

/** Reads `$…$`, `$$…$$`, `\\(…\\)` or `\\[…\\]` within a line, from its first character. */
export function scanMath(state: InlineState): Scan<Formula> {
  const { source, position: from } = state;
  const mark = source.slice(from, from + 2);
  if (mark === '\\(') return scanTo(state, '\\)', false);
  if (mark === '\\[') return scanBrackets(state);
  if (source[from] !== '$') return undefined;
  if (joined.test(source[from - 1] ?? '') || source[from - 1] === '$') return undefined;
  if (mark === '$') return 'open';
  if (mark !== '$$') return scanDollar(state, from);
  if (source[from + 2] === '$') return undefined;
  return source.length === from + 2 ? 'open' : scanTo(state, '$$', true);
}

function scanTo(state: InlineState, closer: string, display: boolean): Scan<Formula> {
  const { source, position: from, unfinished } = state;
  const limit = Math.min(source.length, from + maxFormula);
  const at = state.next(closer, from + 2);
  const isThere = at + 2 <= limit;
  if (state.next('`', from + 2) < (isThere ? at : limit)) return undefined;
  if (!isThere) return limit === source.length ? 'open' : undefined;
  const text = source.slice(from + 2, at).trim();
  const end = at + 2;
  if (!text) return undefined;
  // `\\[text\\](address)`: brackets that were kept from being a link.
  if (closer === '\\]' && source[end] === '(') return undefined;
  if (closer === '\\]' && end === source.length && unfinished) return 'open';
  return { end, value: { text, display } };
}

/**
 * `\\[` and `\\]` within a line are escaped brackets as often as marks of a formula. They are a formula
 * where their content is clearly one: a TeX command, a power, an index or a relation, and no words.
 */
function scanBrackets(state: InlineState): Scan<Formula> {
  const { source, position: from } = state;
  const found = scanTo(state, '\\]', true);
  if (!found) return undefined;
  if (found !== 'open') return isClearlyMath(found.value.text) ? found : undefined;
  const half = source.slice(from + 2, from + maxFormula);
  if (!half || isClearlyMath(half)) return 'open';
  state.unsure(from);
  return undefined;
}

const isClearlyMath = (text: string) =>
  /\\[a-zA-Z]|\^/.test(text) || (/[_=<>]|\s[-+]\s|\w\+\w/.test(text) && !/[a-zA-Z]{3}/.test(text));

/** Text that stands in escaped brackets on a line of its own: a number, or words. */
const isText = (text: string) =>
  !isClearlyMath(text) && (/^\s*\d+\s*$/.test(text) || /\p{L}{3}/u.test(text));

/**
 * A dollar opens a formula only before a character that is no white space, and the next dollar must close
 * it: after such a character, and not before a letter or a digit. So prices and variables stay text.
 */
function scanDollar(state: InlineState, from: number): Scan<Formula> {
  const { source, unfinished } = state;
  if (space.test(source[from + 1] ?? ' ')) return undefined;
  const limit = Math.min(source.length, from + maxFormula);
  if (price.test(source.slice(from + 1, limit))) return undefined;
  let at = state.next('$', from + 1);
  while (at < limit && isEscaped(source, at)) at = source.indexOf('$', at + 1);
  const isThere = at >= 0 && at < limit;
  if (state.next('`', from + 1) < (isThere ? at : limit)) return undefined;
  if (!isThere) return limit === source.length ? 'open' : undefined;
  if (unfinished && source.length - at < 5) return 'open';
  const text = source.slice(from + 1, at);
  if (space.test(text.at(-1) ?? ' ') || isProse(text)) return undefined;
  if (!canFollow(source.slice(at + 1, at + 5), text)) return undefined;
  const besideCjk = isCjk(source[from - 1] ?? '') || isCjk(source[at + 1] ?? '');
  if (besideCjk && !text.includes('\\') && /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(text)) {
    return undefined;
  }
  return { end: at + 1, value: { text, display: false } };
}

/** Words and nothing of a formula: what stands between two variables or amounts. */
const isProse = (text: string) =>
  !/[\\^_={}<>+]/.test(text) && /\p{L}{3}\P{L}+\p{L}{3}/u.test(text);

/** Whether a formula can end before `after`. */
function canFollow(after: string, formula: string): boolean {
  if (after[0] === '$') return false;
  if (!joined.test(after[0] ?? '')) return true;
  return suffix.test(after) && !identifier.test(formula);
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
  if (closer === '\\]' && isText(text.slice(0, at))) return undefined;
  return { closer, text: text.slice(0, at), whole: true };
}
