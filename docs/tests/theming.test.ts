/** Checks that the style sheets of the elements use the design tokens of the theme. */
import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseCss } from 'postcss';
import { describe, expect, it } from 'vitest';
import { allTags } from '../../packages/elements/src/lib/all-tags.ts';
import { reducedMotion } from '../../packages/elements/src/lib/theme/base.styles.ts';
import { pairs } from '../../packages/elements/src/lib/theme/pairs.ts';
import { type TokenName, tokens } from '../../packages/elements/src/lib/theme/tokens.ts';
import { parseModule } from '../../scripts/testing/syntax.ts';
import { cssTemplatesOf } from '../../scripts/testing/templates.ts';

const lib = resolve(dirname(fileURLToPath(import.meta.url)), '../../packages/elements/src/lib');

const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.test\.ts$|^testing/.test(file),
);

/** All style sheets, with `token(name)` in place of each interpolated token. */
const sheets = files.flatMap((file) =>
  cssTemplatesOf(parseModule(join(lib, file))).map((text) => ({ file, text })),
);

/** The declarations of all style sheets, with `{name}` in place of each token. */
const declarations = sheets.flatMap(({ file, text }) => {
  const found: { file: string; name: string; value: string }[] = [];
  parseCss(text).walkDecls(({ prop, value }) => {
    const named = value.replace(/token\(([\w-]+)\)/g, '{$1}').replace(/\s+/g, ' ');
    found.push({ file, name: prop, value: named });
  });
  return found;
});

/** Formats declarations, one per line, with their files. */
const lines = (found: typeof declarations) =>
  found.map(({ file, name, value }) => `${relative('.', file)}: ${name}: ${value}`);

const tokensIn = (value: string) =>
  [...value.matchAll(/\{([\w-]+)\}/g)].map(([, name]) => name as TokenName);

const bubble = 'launcher/bubble.styles.ts';

/** Custom properties that the elements set for each other. They are not part of the public interface. */
const internalProperties = [
  '--inlay-agent-accent',
  '--inlay-actions-background',
  '--inlay-actions-opacity',
  '--inlay-actions-display',
  '--inlay-actions-pointer-events',
  '--inlay-actions-position',
  '--inlay-ended-display',
  '--inlay-live-animation',
  '--inlay-live-display',
  '--inlay-shift',
  '--inlay-short-display',
  '--inlay-short-size',
];

describe('the style sheets', () => {
  it('are found: more than 20, with more than 600 declarations', () => {
    expect(sheets.length).toBeGreaterThan(20);
    expect(declarations.length).toBeGreaterThan(600);
  });

  it('use every token', () => {
    const used = new Set(declarations.flatMap(({ value }) => tokensIn(value)));
    const addReferences = (name: TokenName) => {
      for (const other of tokensIn(tokens[name])) {
        used.add(other);
        addReferences(other);
      }
    };
    for (const name of [...used]) addReferences(name);
    // Other tokens use `contrast` in their formulas, without a reference in braces.
    used.add('contrast');

    expect(Object.keys(tokens).filter((name) => !used.has(name as TokenName))).toEqual([]);
  });

  it('use only custom properties that are tokens or internal', () => {
    const knownProperties = new Set([
      ...Object.keys(tokens).map((name) => `--inlay-${name}`),
      ...internalProperties,
    ]);
    const read = declarations.flatMap(({ file, value }) =>
      [...value.matchAll(/var\((--inlay-[\w-]+)/g)].map(([, name = '']) => `${file}: ${name}`),
    );

    expect(read.filter((line) => !knownProperties.has(line.split(': ')[1] ?? ''))).toEqual([]);
  });

  it('contain no literal colour', () => {
    const literal = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)\((?!from var)/i;
    const withLiteral = declarations.filter(({ value }) => literal.test(value));

    // The bubble is shown before the theme is loaded. The loader's tests compare it with the theme.
    expect(lines(withLiteral.filter(({ file }) => file !== bubble))).toEqual([]);
  });

  it('use no rem unit, because the font size of the page’s root is unknown', () => {
    expect(lines(declarations.filter(({ value }) => /\drem\b/.test(value)))).toEqual([]);
  });

  it('use tokens for font sizes, font weights, radii and shadows', () => {
    const tokenProperties = /^(?:font-size|font-weight|border-(?:[a-z]+-)*radius|box-shadow)$/;
    // Tokens, relative sizes, and keywords.
    const allowedValues = /\{|\d(?:em|%)|inherit|none|bolder|normal|^0$/;

    const withoutToken = declarations.filter(
      ({ file, name, value }) =>
        tokenProperties.test(name) && !allowedValues.test(value) && file !== bubble,
    );
    expect(lines(withoutToken)).toEqual([]);
  });

  it('use only text colours that `pairs.ts` lists for the contrast checks', () => {
    const foregrounds = new Set(pairs.flatMap((pair) => pair.foregrounds));
    // Colours of graphics, such as charts and meters.
    const graphics = declarations.filter(({ name }) => name === '--tone');
    const found = [...declarations.filter(({ name }) => name === 'color'), ...graphics].filter(
      ({ value }) => tokensIn(value).some((name) => !foregrounds.has(name)),
    );

    expect(lines(found)).toEqual([]);
  });

  it('use only background colours that `pairs.ts` lists for the contrast checks', () => {
    const backgrounds = new Set<TokenName>(pairs.flatMap((pair) => pair.backgrounds));
    // Backgrounds without text: bars, dots and tracks.
    const marks = [
      'color-border',
      'color-on-accent',
      'color-border-strong',
      'color-warning',
      'color-text-muted',
    ];
    const found = declarations.filter(
      ({ name, value }) =>
        /^background(-color)?$/.test(name) &&
        tokensIn(value).some((token) => !backgrounds.has(token) && !marks.includes(token)),
    );

    expect(lines(found)).toEqual([]);
  });

  it('use tokens for the durations of transitions and animations', () => {
    const motion = declarations.filter(({ name }) => /^(?:transition|animation)(-|$)/.test(name));
    const timed = motion.filter(({ value }) => /\d\.?\d*m?s\b/.test(value.replace(/\b0s\b/g, '')));

    expect(motion.length).toBeGreaterThan(15);
    expect(lines(timed)).toEqual([]);
  });

  it.each(Object.entries(allTags))(
    'disable motion in %s if the user prefers reduced motion',
    (_tag, element) => {
      expect([element.styles].flat(Number.POSITIVE_INFINITY)).toContain(reducedMotion);
    },
  );
});
