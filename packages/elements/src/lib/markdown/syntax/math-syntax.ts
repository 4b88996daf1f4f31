import { isCjk } from './emphasis.ts';
import type { InlineState } from './inline-state.ts';
import type { Scan } from './labels.ts';
import { maxFormula } from './limits.ts';

/** A formula in TeX. */
export interface Formula {
  /** Source without delimiters. */
  readonly text: string;
  /** Whether it is in display mode. */
  readonly display: boolean;
}

/** Letters and digits next to which a dollar belongs to a word or an amount: `US$5`, `100$`. */
export const wordCharacter = /[\p{Script=Latin}\p{N}]/u;
const space = /\s/;

/** A price or a range of prices with the following words. CJK words need no space before them. */
const price =
  /^\d[\d.,]*(?:[-–—~/]\$?\d[\d.,]*)?(?:\s+\p{L}{2}|\s*[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff65])/u;

/** Suffixes that can directly follow a formula: `$n$th`, `$k$s`. */
const suffix = /^(?:st|nd|rd|th|s)(?![\p{L}\p{N}])/u;
const identifier = /^\w{3,}$/;

/**
 * The start of an environment with a formula, which models write without delimiters. Other environments,
 * such as `itemize`, are text.
 */
const environment =
  /\\begin\{((?:aligned|align|alignat|alignedat|gather|gathered|equation|split|multline|eqnarray|array|d?r?cases|[pbBvV]?matrix|smallmatrix)\*?)\}/y;
const incompleteEnvironment = /\\b(?:e|eg|egi|egin(?:\{[a-zA-Z]{0,12}\*?)?)?$/;

/** The end of the environment that starts at an index. */
export function environmentEnd(text: string, from: number): string | undefined {
  environment.lastIndex = from;
  const name = environment.exec(text)?.[1];
  return name && `\\end{${name}}`;
}

export const isEnvironmentEnd = (closer: string) => closer.startsWith('\\end');

function scanEnvironment(state: InlineState): Scan<Formula> {
  const { source, position: from, unfinished } = state;
  const closer = environmentEnd(source, from);
  if (!closer) {
    const isIncomplete = incompleteEnvironment.test(source.slice(from, from + 24));
    return unfinished && isIncomplete ? 'open' : undefined;
  }
  const limit = Math.min(source.length, from + maxFormula);
  const end = state.next(closer, from) + closer.length;
  if (end > limit) return limit === source.length ? 'open' : undefined;
  return { end, value: { text: source.slice(from, end), display: true } };
}

/** Scans an inline formula: `$…$`, `$$…$$`, `\(…\)`, `\[…\]` or an environment. */
export function scanMath(state: InlineState): Scan<Formula> {
  const { source, position: from } = state;
  const opener = source.slice(from, from + 2);
  if (opener === '\\(') return scanTo(state, '\\)', false);
  if (opener === '\\[') return scanBrackets(state);
  if (opener === '\\b') return scanEnvironment(state);
  if (source[from] !== '$') return undefined;
  if (wordCharacter.test(source[from - 1] ?? '') || source[from - 1] === '$') return undefined;
  if (opener === '$') return 'open';
  if (opener !== '$$') return scanDollar(state, from);
  if (source[from + 2] === '$') return undefined;
  return source.length === from + 2 ? 'open' : scanTo(state, '$$', true);
}

function scanTo(state: InlineState, closer: string, display: boolean): Scan<Formula> {
  const { source, position: from, unfinished } = state;
  const limit = Math.min(source.length, from + maxFormula);
  const at = state.next(closer, from + 2);
  const isClosed = at + 2 <= limit;
  if (state.next('`', from + 2) < (isClosed ? at : limit)) return undefined;
  if (!isClosed) return limit === source.length ? 'open' : undefined;
  const text = source.slice(from + 2, at).trim();
  const end = at + 2;
  if (!text) return undefined;
  // In `\[text\](address)`, the brackets are escaped to prevent a link.
  if (closer === '\\]' && source[end] === '(') return undefined;
  if (closer === '\\]' && end === source.length && unfinished) return 'open';
  return { end, value: { text, display } };
}

/**
 * Scans `\[…\]` within a line, which can also be escaped brackets. It is a formula only if the content
 * contains a TeX command or a power, or if it contains an index, a relation or a sum and no words.
 */
function scanBrackets(state: InlineState): Scan<Formula> {
  const { source, position: from } = state;
  const result = scanTo(state, '\\]', true);
  if (!result) return undefined;
  if (result !== 'open') return isClearlyMath(result.value.text) ? result : undefined;
  const unclosed = source.slice(from + 2, from + maxFormula);
  if (!unclosed || isClearlyMath(unclosed)) return 'open';
  state.markUnsettled(from);
  return undefined;
}

const isClearlyMath = (text: string) =>
  /\\[a-zA-Z]|\^/.test(text) || (/[_=<>]|\s[-+]\s|\w\+\w/.test(text) && !/[a-zA-Z]{3}/.test(text));

/** Whether the content of escaped brackets is text: a number or words. */
const isText = (text: string) =>
  !isClearlyMath(text) && (/^\s*\d+\s*$/.test(text) || /\p{L}{3}/u.test(text));

/**
 * Scans `$…$`. To leave prices and variables as text, the dollars must not have white space on their
 * inside, the closing dollar must be the next dollar, and no Latin letter or digit may follow it, except
 * a suffix (`$n$th`).
 */
function scanDollar(state: InlineState, from: number): Scan<Formula> {
  const { source, unfinished } = state;
  if (space.test(source[from + 1] ?? ' ')) return undefined;
  const limit = Math.min(source.length, from + maxFormula);
  if (price.test(source.slice(from + 1, limit))) return undefined;
  let at = state.next('$', from + 1);
  while (at < limit && isEscaped(source, at)) at = source.indexOf('$', at + 1);
  const isClosed = at >= 0 && at < limit;
  if (state.next('`', from + 1) < (isClosed ? at : limit)) return undefined;
  if (!isClosed) return limit === source.length ? 'open' : undefined;
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

/** Maximum length in characters of an unclosed `$…` that may be a formula. A longer formula is text. */
const maxUnclosedDollar = 100;

/** A number after a dollar, until the next word shows whether it is a price. */
const undecidedNumber = /^\d[\d.,]*(?:\s+\p{L}?)?$/u;

/** Whether an incomplete text that starts with the opening delimiter of a formula is probably a formula. */
export function mayBeFormula(text: string): boolean {
  if (!/^\$[^$]/.test(text)) return true;
  const [, content = '', closer] = /^\$([^$]*)(\$?)/.exec(text) ?? [];
  if (closer || content.includes('\\')) return true;
  if (content.length > maxUnclosedDollar || /\p{L}{2}[\s,.;:]+\p{L}{2}/u.test(content))
    return false;
  return /^\d/.test(content)
    ? undecidedNumber.test(content) || /^[\d.,]+\s*[\p{L}^_=<>+*/({-]/u.test(content)
    : true;
}

/** Whether a text contains words and no mathematical syntax, as between two prices or variables. */
const isProse = (text: string) =>
  !/[\\^_={}<>+]/.test(text) && /\p{L}{3}\P{L}+\p{L}{3}/u.test(text);

/** Whether a formula can end before `after`. */
function canFollow(after: string, formula: string): boolean {
  if (after[0] === '$') return false;
  if (!wordCharacter.test(after[0] ?? '')) return true;
  return suffix.test(after) && !identifier.test(formula);
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text[index - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** The first line of a formula that is a block: the complete formula, or only its delimiter. */
export interface MathStart {
  readonly closer: string;
  readonly text: string;
  /** Whether the formula ends on the same line. */
  readonly closed: boolean;
}

export function mathStart(content: string): MathStart | undefined {
  const environmentCloser = environmentEnd(content, 0);
  if (environmentCloser) return environmentStart(content.trimEnd(), environmentCloser);
  const closer = content.startsWith('$$') ? '$$' : content.startsWith('\\[') ? '\\]' : undefined;
  if (!closer || content[2] === '$') return undefined;
  const text = content.slice(2).trimEnd();
  if (!text) return { closer, text, closed: false };
  const at = text.indexOf(closer);
  if (at < 0 || at !== text.length - 2 || !text.slice(0, at).trim()) return undefined;
  if (closer === '\\]' && isText(text.slice(0, at))) return undefined;
  return { closer, text: text.slice(0, at), closed: true };
}

function environmentStart(text: string, closer: string): MathStart | undefined {
  const at = text.indexOf(closer);
  const closed = at === text.length - closer.length && at >= 0;
  // With text after it, the formula is part of a paragraph.
  return at < 0 || closed ? { closer, text, closed } : undefined;
}
