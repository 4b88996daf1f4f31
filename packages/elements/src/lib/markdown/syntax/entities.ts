/**
 * Character references of HTML that people and models write most. The whole table has 2,125 names and
 * weighs more than this parser, so it is loaded when another name is met.
 */
const names: Record<string, string> = {
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

const named = new Map(Object.entries(names));
let isWhole = false;
let lookups = 0;
let loading: Promise<boolean> | undefined;

/** How many names were looked up in vain because the whole table was not there. */
export const missedNames = () => lookups;

/** Loads the whole table. Resolves to whether it is there; the next call tries again if it is not. */
export function loadEntities(): Promise<boolean> {
  loading ??= import('character-entities').then(
    ({ characterEntities }) => {
      for (const [name, text] of Object.entries(characterEntities)) named.set(name, text);
      isWhole = true;
      return true;
    },
    () => {
      loading = undefined;
      return false;
    },
  );
  return loading;
}

function nameText(name: string): string | undefined {
  const text = named.get(name);
  if (text === undefined && !isWhole) lookups += 1;
  return text;
}

/** A character reference at the place where the expression is set to look. */
export const entity = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,31}));/y;
const entities = new RegExp(`\\\\([!-/:-@[-\`{-~])|${entity.source}`, 'g');

/** The character that a match of `entity` stands for; `undefined` when the name is not known (yet). */
export function entityText(decimal?: string, hex?: string, name?: string): string | undefined {
  if (name) return nameText(name);
  const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex ?? '', 16);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}

/** Resolves backslash escapes and character references, as in addresses, titles and info strings. */
export function decodeEntities(text: string): string {
  return text.replace(
    entities,
    (whole: string, escaped?: string, decimal?: string, hex?: string, name?: string) =>
      escaped ?? entityText(decimal, hex, name) ?? whole,
  );
}
