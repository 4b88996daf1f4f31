import fc from 'fast-check';
import { contrast, luminance, ratio } from '../testing/contrast.ts';
import { expect, mount } from '../testing/fixture.ts';
import { pairs } from './pairs.ts';
import { type TokenName, token } from './tokens.ts';

interface Theme {
  scheme: 'light' | 'dark';
  accent?: string;
  surface?: string;
  bubble?: string;
  contrast?: '0' | '1';
}

/** Borders that have a minimum contrast only if the user prefers more contrast. */
const softBorders: TokenName[] = ['color-border', 'color-border-control'];

const names = [
  ...new Set([
    ...pairs.flatMap(({ foregrounds, backgrounds }) => [...foregrounds, ...backgrounds]),
    ...softBorders,
  ]),
];

/** Creates a function that computes the colours of all tokens for a theme. */
function createPalette() {
  const root = mount(document.createElement('div'));
  const swatches = names.map((name) => {
    const swatch = document.createElement('i');
    swatch.style.color = token(name).cssText;
    root.append(swatch);
    return [name, swatch] as const;
  });
  return ({ scheme, accent, surface, bubble, contrast: more }: Theme) => {
    root.style.colorScheme = scheme;
    root.style.setProperty('--inlay-color-accent', accent ?? '');
    root.style.setProperty('--inlay-color-surface', surface ?? '');
    root.style.setProperty('--inlay-color-bubble', bubble ?? '');
    root.style.setProperty('--inlay-contrast', more ?? '');
    const colors = new Map(
      swatches.map(([name, swatch]) => [name, getComputedStyle(swatch).color] as const),
    );
    return (name: TokenName) => colors.get(name) ?? '';
  };
}

/** Pairs below their minimum contrast. The tolerance of 0.03 allows for the canvas's 8 bits a channel. */
function failures(color: (name: TokenName) => string): string[] {
  const luminances = new Map(names.map((name) => [name, luminance(color(name))]));
  return pairs.flatMap(({ foregrounds, backgrounds, minimum }) =>
    foregrounds.flatMap((foreground) =>
      backgrounds.flatMap((background) => {
        const actual = ratio(luminances.get(foreground) ?? 0, luminances.get(background) ?? 0);
        return actual < minimum - 0.03
          ? [`${foreground} on ${background}: ${actual.toFixed(2)}`]
          : [];
      }),
    ),
  );
}

const channel = fc.integer({ min: 0, max: 255 });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const rgb = fc.tuple(channel, channel, channel).map(([r, g, b]) => `rgb(${r} ${g} ${b})`);
const grey = channel.map((value) => `rgb(${value} ${value} ${value})`);
const anyColor = fc.oneof(
  rgb,
  grey,
  fc.constantFrom(...['#000', '#fff', '#f00', '#0f0', '#00f', '#ff0', '#0ff', '#f0f']),
  fc.constantFrom('rebeccapurple', 'tomato', 'gold', 'navy', 'snow', 'hotpink', 'olive', 'teal'),
  fc
    .tuple(fraction, fraction, fc.integer({ min: 0, max: 359 }))
    .map(([l, c, h]) => `oklch(${l.toFixed(3)} ${(c * 0.37).toFixed(3)} ${h})`),
  fc
    .tuple(fraction, fraction, fraction)
    .map((rgb) => `color(display-p3 ${rgb.map((value) => value.toFixed(3)).join(' ')})`),
);
const scheme = fc.constantFrom<'light' | 'dark'>('light', 'dark');

describe('the contrast of every colour pair', () => {
  it('is sufficient in both colour schemes by default', () => {
    const colorsOf = createPalette();

    expect(failures(colorsOf({ scheme: 'light' }))).to.deep.equal([]);
    expect(failures(colorsOf({ scheme: 'dark' }))).to.deep.equal([]);
  });

  it('is sufficient with any accent', () => {
    const colorsOf = createPalette();
    fc.assert(
      fc.property(anyColor, scheme, (accent, scheme) => {
        expect(failures(colorsOf({ scheme, accent }))).to.deep.equal([]);
      }),
      { numRuns: 120 },
    );
  });

  it('is sufficient with any accent on any surface, and in a bubble of any colour', () => {
    const colorsOf = createPalette();
    fc.assert(
      fc.property(anyColor, anyColor, anyColor, scheme, (accent, surface, bubble, scheme) => {
        expect(failures(colorsOf({ scheme, accent, surface, bubble }))).to.deep.equal([]);
      }),
      { numRuns: 200 },
    );
  });

  it('is at least 7:1 for text and 3:1 for all borders with --inlay-contrast: 1', () => {
    const colorsOf = createPalette();
    const texts: TokenName[] = ['color-text', 'color-text-muted', 'color-accent-text'];
    fc.assert(
      fc.property(anyColor, scheme, (accent, scheme) => {
        const color = colorsOf({ scheme, accent, contrast: '1' });
        for (const text of texts) {
          for (const background of ['color-surface', 'color-surface-soft'] as const) {
            expect(contrast(color(text), color(background)), text).to.be.at.least(6.9);
          }
        }
        for (const border of softBorders) {
          expect(contrast(color(border), color('color-surface')), border).to.be.at.least(3);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is at least 9:1 for text on a dark surface, unless the page sets the text colour', () => {
    const colorsOf = createPalette();

    const color = colorsOf({ scheme: 'light', surface: '#0b3d2e' });

    expect(contrast(color('color-text'), color('color-surface'))).to.be.at.least(9);
    const custom = mount(document.createElement('div'));
    custom.style.setProperty('--inlay-color-surface', '#0b3d2e');
    custom.style.setProperty('--inlay-color-text', 'rgb(200, 220, 210)');
    custom.style.color = token('color-text').cssText;
    expect(getComputedStyle(custom).color).to.equal('rgb(200, 220, 210)');
  });
});
