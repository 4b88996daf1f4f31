import { lazy } from '../../lazy.ts';

/**
 * The most common named character references of HTML. The complete table has 2,125 names and is larger
 * than this parser, so it is loaded when another name occurs.
 */
const commonNames: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
  shy: '\u00ad',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  sect: '§',
  deg: '°',
  plusmn: '±',
  times: '×',
  divide: '÷',
  minus: '−',
  euro: '€',
  pound: '£',
  larr: '←',
  rarr: '→',
  rArr: '⇒',
  le: '≤',
  ge: '≥',
  ne: '≠',
  infin: '∞',
  micro: 'µ',
  check: '✓',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  ntilde: 'ñ',
};

const characters = new Map(Object.entries(commonNames));
let missCount = 0;

const allNames = lazy(async () => {
  const { characterEntities } = await import('character-entities');
  for (const [name, text] of Object.entries(characterEntities)) characters.set(name, text);
  return characters;
});

/** Number of lookups so far that failed because the complete table is not loaded. */
export const missedNameCount = () => missCount;

/**
 * Loads the complete table.
 *
 * @returns Whether it is loaded. If loading failed, the next call retries.
 */
export async function loadEntities(): Promise<boolean> {
  return (await allNames.load()) !== undefined;
}

function nameText(name: string): string | undefined {
  const text = characters.get(name);
  if (text === undefined && !allNames.value) missCount += 1;
  return text;
}

/** A character reference at `lastIndex`. */
export const entity = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,31}));/y;
const escapeOrEntity = new RegExp(`\\\\([!-/:-@[-\`{-~])|${entity.source}`, 'g');

/** Returns the character of a match of `entity`; `undefined` if its name is unknown or not loaded. */
export function entityText(decimal?: string, hex?: string, name?: string): string | undefined {
  if (name) return nameText(name);
  const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex ?? '', 16);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}

/** Resolves the backslash escapes and character references of URLs, titles and info strings. */
export function decodeEntities(text: string): string {
  return text.replace(
    escapeOrEntity,
    (match: string, escaped?: string, decimal?: string, hex?: string, name?: string) =>
      escaped ?? entityText(decimal, hex, name) ?? match,
  );
}
