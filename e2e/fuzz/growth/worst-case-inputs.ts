/** Strings, bodies and list items that can cause superlinear cost in parsers and Unicode functions. */

/** Repeats a unit until it has at least the given number of UTF-8 bytes. */
const repeat = (unit: string) => (bytes: number) =>
  unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)));

/** Creates a string of about the given number of UTF-8 bytes. */
type MakeText = (bytes: number) => string;

export const worstCaseTexts: Readonly<Record<string, MakeText>> = {
  'one long line': repeat('x'),
  'line breaks': repeat('\n'),
  spaces: repeat(' '),
  'characters that JSON escapes': repeat('\u0001"\\'),
  'wildcards of LIKE': repeat('%_'),
  'ligatures that fold to eighteen letters': repeat('\uFDFA'),
  // Unicode canonical ordering sorts each sequence of marks by combining class.
  'combining marks in two blocks': (bytes) =>
    `a${'\u0301'.repeat(bytes / 4)}${'\u0316'.repeat(bytes / 4)}`,
  'combining marks that alternate': (bytes) => `a${'\u0301\u0316'.repeat(bytes / 4)}`,
  'halfwidth marks': (bytes) => `\uFF76${'\uFF9E'.repeat(bytes / 3)}`,
  'Hangul jamo': repeat('\u1100\u1161\u11A8'),
  emoji: repeat('👩‍👩‍👧‍👦'),
  'lone surrogates': repeat('\ud800'),
  'Markdown markers': repeat('[**`_~'),
  addresses: repeat('a@b.example '),
};

/** JSON texts of about the given number of bytes that match no schema. */
export const worstCaseBodies: Readonly<Record<string, MakeText>> = {
  'nested arrays': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'nested objects': (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`,
  'many members': (bytes) =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: bytes / 10 }, (_, index) => [`k${index}`, 1])),
    ),
  'many empty objects': (bytes) => `[${'{},'.repeat(bytes / 3)}{}]`,
  'many numbers': (bytes) => `[${'1e9,'.repeat(bytes / 4)}1]`,
  'one long number': (bytes) => `{"a":${'9'.repeat(bytes)}}`,
  'a member repeated': (bytes) => `{${'"a":1,'.repeat(bytes / 6)}"a":1}`,
};

/** Items that are repeated in a list up to the given number of bytes. */
export const worstCaseItems: Readonly<Record<string, unknown>> = {
  'empty objects': {},
  nulls: null,
  'text blocks': { type: 'text', text: 'x' },
  messages: { type: 'user.message', content: [{ type: 'text', text: 'x' }] },
  interrupts: { type: 'user.interrupt' },
};
