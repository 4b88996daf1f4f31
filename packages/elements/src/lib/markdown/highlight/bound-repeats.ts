/**
 * Bounds on how often a pattern of a grammar may repeat something. An engine tries a pattern at every
 * position of the code, and an unbounded repeat may read to the end of it each time: the time then
 * grows with the square of the length. With a bound it grows with the length alone.
 */

/** Repeats of a character, a class, or a group without a repeat in it. */
const maxRepeats = 128;

/** The same where as few as possible are wanted: such a repeat looks for the end of a string. */
const maxLazyRepeats = 1_000;

/** Repeats of a group that repeats something itself. */
const maxNestedRepeats = 32;

const patternKeys: ReadonlySet<string> = new Set([
  'begin',
  'beforeMatch',
  'end',
  'illegal',
  'match',
  '$pattern',
]);

/** Bounds every repeat in the patterns of a highlight.js grammar, in place. Gives the grammar back. */
export function boundGrammar<T>(grammar: T, seen = new Set<unknown>()): T {
  // highlight.js shares frozen modes between grammars: strings and comments, whose patterns are short.
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
  if (typeof pattern === 'string') return boundRepeats(pattern);
  if (pattern instanceof RegExp) return new RegExp(boundRepeats(pattern.source), pattern.flags);
  return pattern;
}

/** An escape, a class, a repeat without end, or any other character of a pattern. */
const piece = /\\.|\[\^?(?:\\.|[^\]\\])*\]|[*+](\??)|\{(\d+),\}(\??)|./gs;

/** The source of a regular expression with an end to every repeat. */
export function boundRepeats(source: string): string {
  /** For each group that is open, whether something repeats in it. */
  const groups = [false];
  let nested = false;
  let before = '';
  return source.replace(piece, (text: string, mark?: string, least?: string, openMark?: string) => {
    const lazy = mark ?? openMark;
    const repeatsNested = nested && before === ')';
    before = text;
    if (text === '(') groups.push(false);
    if (text === ')') {
      nested = groups.pop() ?? false;
      if (nested) groups[groups.length - 1] = true;
    }
    if (lazy === undefined) return text;
    groups[groups.length - 1] = true;
    const from = Number(least ?? (text.startsWith('+') ? 1 : 0));
    const most = repeatsNested ? maxNestedRepeats : lazy ? maxLazyRepeats : maxRepeats;
    return `{${from},${Math.max(from, most)}}${lazy}`;
  });
}
