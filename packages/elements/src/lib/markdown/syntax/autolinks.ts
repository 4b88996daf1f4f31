import { isCjk } from './emphasis.ts';
import { type InlineState, maxMailName } from './inline-state.ts';
import { maxLinkPart } from './limits.ts';

/**
 * An extended autolink of GFM: a URL or e-mail address without delimiters. Unlike in GFM, it can be
 * adjacent to CJK text and punctuation, and CJK punctuation ends it.
 */
export interface Autolink {
  readonly start: number;
  readonly end: number;
  /** Undefined if text that has not arrived may belong to the address. */
  readonly href: string | undefined;
}

const candidate = /https?:\/\/|www\.|@/gi;
/** CJK punctuation and the private-use characters of citation marks, which are not part of an address. */
const cjkPunctuation =
  '\\u2018-\\u201f\\u2026\\u3000-\\u303f\\ufe30-\\ufe4f\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65\\ue200-\\ue206';
const urlStart = new RegExp(
  `(?:https?://|www\\.)[^\\s./?#<>()[\\]{}"'*_~\`${cjkPunctuation}]`,
  'iy',
);
const url = new RegExp(`[^\\s<${cjkPunctuation}]{1,${maxLinkPart}}`, 'iy');
const wwwMayFollow = /[\s*_~("'[{>:]|[^\x20-\x7e\p{L}\p{N}]/u;

/** A domain has at most 255 characters (RFC 5321, section 4.5.3.1.2). */
const mailDomain = /@[a-z\d.-]{0,255}/iy;
const validDomain = /^@[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z][a-z\d-]*$/i;
const mailCharacter = /[\w.+-]/;
const mailNameWithUnderscore = new RegExp(`[\\w.+-]{1,${maxMailName}}(?=@)`, 'y');

/** Finds the first autolink that starts between two indices of the same plain text. */
export function findAutolink(state: InlineState, from: number, to: number): Autolink | undefined {
  const { source } = state;
  for (let at = nextCandidate(state, from); at < to; at = nextCandidate(state, at + 1)) {
    const link =
      source[at] === '@' ? mailAt(state, nameStart(source, from, at), at) : urlAt(state, at);
    if (link) return link;
  }
  return undefined;
}

/**
 * Finds an e-mail address whose name contains the underscore at `to`, which ends the plain text because it
 * may be a delimiter of emphasis.
 */
export function findMailWithUnderscore(
  state: InlineState,
  from: number,
  to: number,
): Autolink | undefined {
  const { source } = state;
  const start = nameStart(source, from, to);
  mailNameWithUnderscore.lastIndex = start;
  if (start === to || !mailNameWithUnderscore.test(source)) return undefined;
  return mailAt(state, start, mailNameWithUnderscore.lastIndex);
}

const candidates = new WeakMap<InlineState, number>();

/** Index of the next candidate at or after `from`. It is cached, so that all calls take linear time. */
function nextCandidate(state: InlineState, from: number): number {
  let at = candidates.get(state) ?? -1;
  if (at >= from) return at;
  candidate.lastIndex = from;
  at = candidate.exec(state.source)?.index ?? Number.POSITIVE_INFINITY;
  candidates.set(state, at);
  return at;
}

function urlAt(state: InlineState, start: number): Autolink | undefined {
  const { source } = state;
  // The previous character may be a surrogate pair.
  const pair = String.fromCodePoint(source.codePointAt(start - 2) ?? 32);
  const previous = start === 0 ? ' ' : pair.length === 2 ? pair : (source[start - 1] ?? ' ');
  const isWww = /w/i.test(source[start] ?? '');
  if (isWww ? !wwwMayFollow.test(previous) && !isCjk(previous) : /[a-z]/i.test(previous)) {
    return undefined;
  }
  urlStart.lastIndex = start;
  if (!urlStart.test(source)) return undefined;
  url.lastIndex = start;
  const raw = url.exec(source)?.[0] ?? '';
  const balanced = untilUnbalancedBracket(untilDelimiter(raw, previous));
  if (state.unfinished && start + balanced.length === source.length) {
    state.markUnsettled(start);
    return { start, end: source.length, href: undefined };
  }
  const text = withoutTrailingPunctuation(balanced);
  return { start, end: start + text.length, href: isWww ? `http://${text}` : text };
}

function nameStart(source: string, from: number, to: number): number {
  const min = Math.max(from, to - maxMailName - 1);
  let start = to;
  while (start > min && mailCharacter.test(source[start - 1] ?? '')) start -= 1;
  return start;
}

function mailAt(state: InlineState, start: number, at: number): Autolink | undefined {
  const { source } = state;
  if (start === at || at - start > maxMailName) return undefined;
  // Underscores before the name are delimiters of emphasis, unless a character of a name precedes them.
  let before = start;
  while (source[before - 1] === '_' && start - before < 4) before -= 1;
  if (mailCharacter.test(source[before - 1] ?? ' ')) return undefined;
  mailDomain.lastIndex = at;
  const raw = mailDomain.exec(source)?.[0] ?? '';
  if (state.unfinished && at + raw.length === source.length) state.markUnsettled(start);
  const domain = raw.replace(/\.{2}.*/, '').replace(/\.+$/, '');
  if (!validDomain.test(domain) || domain.endsWith('-')) return undefined;
  const end = at + domain.length;
  if (source[end] === '_' && before === start) return undefined;
  const href = `mailto:${source.slice(start, end)}`;
  return { start, end, href: state.unfinished && end === source.length ? undefined : href };
}

/**
 * Cuts a URL at a delimiter that probably ends emphasis around it, as in `**https://a.example**(text)`:
 * at `**` and `~~`, and at the single delimiter before the URL.
 */
function untilDelimiter(raw: string, previous: string): string {
  const single = previous === '*' || previous === '_' ? raw.indexOf(previous) : -1;
  const ends = [raw.indexOf('**'), raw.indexOf('~~'), single].filter((end) => end > 0);
  return raw.slice(0, Math.min(raw.length, ...ends));
}

/** Cuts a URL at the first unbalanced `]`, which may end the text of a link around the URL. */
function untilUnbalancedBracket(raw: string): string {
  let depth = 0;
  for (let index = 0; index < raw.length; index += 1) {
    if (raw[index] === '[') depth += 1;
    else if (raw[index] === ']') {
      if (depth === 0) return raw.slice(0, index);
      depth -= 1;
    }
  }
  return raw;
}

const openingBrackets: Readonly<Record<string, string>> = { ')': '(', '}': '{' };

/** Removes punctuation and unbalanced brackets at the end of a URL. */
function withoutTrailingPunctuation(raw: string): string {
  const unclosed: Record<string, number> = { '(': 0, '{': 0 };
  for (const char of raw) {
    const opener = openingBrackets[char];
    if (opener) unclosed[opener] = (unclosed[opener] ?? 0) - 1;
    else if (char in unclosed) unclosed[char] = (unclosed[char] ?? 0) + 1;
  }
  let end = raw.length;
  for (; end > 0; end -= 1) {
    const char = raw[end - 1] ?? '';
    const opener = openingBrackets[char];
    if (opener) {
      const count = unclosed[opener] ?? 0;
      if (count >= 0) break;
      unclosed[opener] = count + 1;
    } else if (char === ';') {
      const reference = /&[a-z\d]+;$/i.exec(raw.slice(Math.max(0, end - 40), end));
      if (reference) end -= reference[0].length - 1;
    } else if (!/[?!.,:*_~'"]/.test(char)) break;
  }
  return raw.slice(0, end);
}
