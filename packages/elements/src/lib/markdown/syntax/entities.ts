/**
 * Character references of HTML. The whole table has 2,231 names and weighs more than this parser;
 * these are the ones that people and models write. Any other name stays as it was written.
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

/** A character reference at the place where the expression is set to look. */
export const entity = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,31}));/y;
const entities = new RegExp(`\\\\([!-/:-@[-\`{-~])|${entity.source}`, 'g');

/** The character that a match of `entity` stands for; `undefined` when the name is not known. */
export function entityText(decimal?: string, hex?: string, name?: string): string | undefined {
  if (name) return named.get(name);
  const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex ?? '', 16);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}

/** Resolves backslash escapes and character references, as in addresses, titles and info strings. */
export function decodeText(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  return text.replace(
    entities,
    (whole: string, escaped?: string, decimal?: string, hex?: string, name?: string) =>
      escaped ?? entityText(decimal, hex, name) ?? whole,
  );
}
