/** The look, kept in one place: every style sheet of the elements speaks in the tokens of the theme. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseCss } from 'postcss';
import { describe, expect, it } from 'vitest';
import { cssTemplatesOf } from '../scripts/testing/css-templates.ts';
import { pairs } from './elements/src/lib/theme/pairs.ts';
import { type TokenName, tokens } from './elements/src/lib/theme/tokens.ts';

const lib = resolve(dirname(fileURLToPath(import.meta.url)), 'elements/src/lib');

const sources = readdirSync(lib, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^testing/.test(file))
  .map((file) => ({ file, text: readFileSync(join(lib, file), 'utf8') }));

/** Each style sheet: its file, and its text with `token(name)` for a token. */
const sheets = sources.flatMap(({ file }) =>
  cssTemplatesOf(join(lib, file)).map((text) => ({ file, text })),
);

/** The declarations of all style sheets, with `{name}` for a token. */
const declarations = sheets.flatMap(({ file, text }) => {
  const found: { file: string; name: string; value: string }[] = [];
  parseCss(text).walkDecls(({ prop, value }) => {
    const named = value.replace(/token\(([\w-]+)\)/g, '{$1}').replace(/\s+/g, ' ');
    found.push({ file, name: prop, value: named });
  });
  return found;
});

/** Describes declarations, one per line, with their files. */
const lines = (found: typeof declarations) =>
  found.map(({ file, name, value }) => `${relative('.', file)}: ${name}: ${value}`);

const named = (value: string) =>
  [...value.matchAll(/\{([\w-]+)\}/g)].map(([, name]) => name as TokenName);

const bubble = 'launcher/bubble.styles.ts';

/** Made by our own elements for one another, and no part of what a page sets. */
const ours = [
  '--inlay-agent-accent',
  '--inlay-actions-opacity',
  '--inlay-actions-display',
  '--inlay-live-animation',
  '--inlay-live-display',
];

describe('the style sheets', () => {
  it('are found', () => {
    expect(sheets.length).toBeGreaterThan(20);
    expect(declarations.length).toBeGreaterThan(600);
  });

  it('use every token', () => {
    const used = new Set(declarations.flatMap(({ value }) => named(value)));
    const reach = (name: TokenName) => {
      for (const other of named(tokens[name])) {
        used.add(other);
        reach(other);
      }
    };
    for (const name of [...used]) reach(name);
    // Read by number, in what the others are made of.
    used.add('contrast');

    expect(Object.keys(tokens).filter((name) => !used.has(name as TokenName))).toEqual([]);
  });

  it('read no custom property of a page that is not a token', () => {
    const known = new Set([...Object.keys(tokens).map((name) => `--inlay-${name}`), ...ours]);
    const read = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/var\((--inlay-[\w-]+)/g)].map(([, name = '']) => `${file}: ${name}`),
    );

    expect(read.filter((line) => !known.has(line.split(': ')[1] ?? ''))).toEqual([]);
  });

  it('name no colour of their own', () => {
    const literal = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)\((?!from var)/i;
    const found = declarations.filter(({ value }) => literal.test(value));

    // The bubble is drawn before the theme is loaded, and held against it by the loader's tests.
    expect(lines(found.filter(({ file }) => file !== bubble))).toEqual([]);
  });

  it('size nothing by the page’s root, which can be anything', () => {
    expect(lines(declarations.filter(({ value }) => /\drem\b/.test(value)))).toEqual([]);
  });

  it('take sizes and weights of text, and roundness, from the tokens', () => {
    const scaled = /^(?:font-size|font-weight|border-(?:[a-z]+-)*radius|box-shadow)$/;
    // Relative to the text around, or round by nature.
    const free = /\{|\d(?:em|%)|inherit|none|bolder|normal|^0$/;

    const found = declarations.filter(
      ({ file, name, value }) => scaled.test(name) && !free.test(value) && file !== bubble,
    );
    expect(lines(found)).toEqual([]);
  });

  it('hold no text that stands in no pair', () => {
    const foregrounds = new Set(pairs.flatMap((pair) => pair.foregrounds));
    // What is seen and not read: charts, meters.
    const local = declarations.filter(({ name }) => name === '--tone');
    const found = [...declarations.filter(({ name }) => name === 'color'), ...local].filter(
      ({ value }) => named(value).some((name) => !foregrounds.has(name)),
    );

    expect(lines(found)).toEqual([]);
  });

  it('paint no ground that stands in no pair', () => {
    const backgrounds = new Set<TokenName>(pairs.flatMap((pair) => pair.backgrounds));
    // Seen and not written on: bars, dots, the tracks behind them.
    const marks = ['color-border', 'color-border-strong', 'color-warning', 'color-text-muted'];
    const found = declarations.filter(
      ({ name, value }) =>
        /^background(-color)?$/.test(name) &&
        named(value).some((token) => !backgrounds.has(token) && !marks.includes(token)),
    );

    expect(lines(found)).toEqual([]);
  });

  it('move by the durations of the theme', () => {
    const motion = declarations.filter(({ name }) => /^(?:transition|animation)(-|$)/.test(name));
    const timed = motion.filter(({ value }) => /\d\.?\d*m?s\b/.test(value.replace(/\b0s\b/g, '')));

    expect(motion.length).toBeGreaterThan(15);
    expect(lines(timed)).toEqual([]);
  });

  it('stand still where the person asked for it, in every element', () => {
    const classes = sources.filter(({ text }) => /extends (?:LitElement|ChatOptions)\b/.test(text));
    const moving = classes.filter(
      ({ text }) => !/static override styles[\s\S]{0,120}?\b(?:base|reducedMotion)\b/.test(text),
    );
    const bare = moving.filter(({ text }) => /render\(\)/.test(text));
    const base = sources.find(({ file }) => file.endsWith('base.styles.ts'))?.text ?? '';

    expect(bare.map(({ file }) => file)).toEqual([]);
    expect(base).toMatch(/prefers-reduced-motion: reduce[\s\S]*transition: none !important/);
    expect(base).toMatch(/export const base = \[\w+, reducedMotion\]/);
  });
});
