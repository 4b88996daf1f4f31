/**
 * Upper bounds for the quantifiers in the patterns of a grammar. A pattern is tried at every position of
 * the code, and an unbounded quantifier may read to the end each time, which takes quadratic time. With
 * bounds, the time is linear.
 */

/** Upper bound of a quantifier after a character, a class, or a group without quantifiers. */
const maxRepeats = 128;

/** Upper bound of a lazy quantifier, which searches for the end of a string or comment. */
const maxLazyRepeats = 1_000;

/** Upper bound of a quantifier after a group that contains quantifiers. */
const maxNestedRepeats = 32;

const patternKeys: ReadonlySet<string> = new Set([
  'begin',
  'beforeMatch',
  'end',
  'illegal',
  'match',
  '$pattern',
]);

/** Bounds the quantifiers in all patterns of a highlight.js grammar in place, and returns the grammar. */
export function boundGrammar<T>(grammar: T, seen = new Set<unknown>()): T {
  // The modes that highlight.js shares between grammars are frozen. Their patterns need no bounds.
  if (!isObject(grammar) || Object.isFrozen(grammar) || seen.has(grammar)) return grammar;
  seen.add(grammar);
  for (const [key, value] of Object.entries(grammar)) {
    if (patternKeys.has(key)) Reflect.set(grammar, key, boundPattern(value));
    else boundGrammar(value, seen);
  }
  return grammar;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof RegExp);
}

function boundPattern(pattern: unknown): unknown {
  if (Array.isArray(pattern)) return pattern.map(boundPattern);
  if (typeof pattern === 'string') return boundRepeats(anchorRepeatedWords(pattern));
  if (!(pattern instanceof RegExp)) return pattern;
  return new RegExp(boundRepeats(anchorRepeatedWords(pattern.source)), pattern.flags);
}

/** A pattern that begins with repeated words, such as the types before the name of a function in C. */
const repeatedWords = /^\(.*\\s\]?\+\)(?:\+|\{1,\d+\})/s;

/** Makes a pattern that begins with repeated words match only at the start of a word, not at each letter. */
function anchorRepeatedWords(source: string): string {
  return repeatedWords.test(source) ? `\\b${source}` : source;
}

/** An escape, a class, an unbounded quantifier, or another character of a pattern. */
const patternPart = /\\.|\[\^?(?:\\.|[^\]\\])*\]|[*+](\??)|\{(\d+),\}(\??)|./gs;

/** Gives all unbounded quantifiers in the source of a regular expression an upper bound. */
export function boundRepeats(source: string): string {
  /** For each open group, whether it contains quantifiers. */
  const groups = [false];
  let lastGroupHasQuantifier = false;
  let previous = '';
  return source.replace(
    patternPart,
    (text: string, lazyMark?: string, minText?: string, lazyBraceMark?: string) => {
      const lazy = lazyMark ?? lazyBraceMark;
      const isNested = lastGroupHasQuantifier && previous === ')';
      previous = text;
      if (text === '(') groups.push(false);
      if (text === ')') {
        lastGroupHasQuantifier = groups.pop() ?? false;
        if (lastGroupHasQuantifier) groups[groups.length - 1] = true;
      }
      if (lazy === undefined) return text;
      groups[groups.length - 1] = true;
      const min = Number(minText ?? (text.startsWith('+') ? 1 : 0));
      const max = isNested ? maxNestedRepeats : lazy ? maxLazyRepeats : maxRepeats;
      return `{${min},${Math.max(min, max)}}${lazy}`;
    },
  );
}
