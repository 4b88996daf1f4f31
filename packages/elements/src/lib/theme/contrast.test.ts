import fc from 'fast-check';
import { contrast, luminance, ratio } from '../testing/contrast.ts';
import { expect, mount } from '../testing/fixture.ts';
import { pairs } from './pairs.ts';
import { type TokenName, token } from './tokens.ts';

interface Look {
  scheme: 'light' | 'dark';
  accent?: string;
  surface?: string;
  bubble?: string;
  contrast?: '0' | '1';
}

/** What is seen as soft lines, unless more contrast is asked for. */
const lines: TokenName[] = ['color-border', 'color-border-control'];

const names = [...new Set([...pairs.flatMap(({ of, on }) => [...of, ...on]), ...lines])];

/** An element for each token that shows it as its colour, so that one look reads them all. */
function palette() {
  const root = mount(document.createElement('div'));
  const swatches = names.map((name) => {
    const swatch = document.createElement('i');
    swatch.style.color = token(name).cssText;
    root.append(swatch);
    return [name, swatch] as const;
  });
  return ({ scheme, accent, surface, bubble, contrast: more }: Look) => {
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

/** What is below its minimum. The canvas rounds to whole bytes, hence the trace. */
function failures(color: (name: TokenName) => string): string[] {
  const lights = new Map(names.map((name) => [name, luminance(color(name))]));
  return pairs.flatMap(({ of, on, minimum }) =>
    of.flatMap((text) =>
      on.flatMap((ground) => {
        const found = ratio(lights.get(text) ?? 0, lights.get(ground) ?? 0);
        return found < minimum - 0.03 ? [`${text} on ${ground}: ${found.toFixed(2)}`] : [];
      }),
    ),
  );
}

const channel = fc.integer({ min: 0, max: 255 });
const part = fc.double({ min: 0, max: 1, noNaN: true });
const rgb = fc.tuple(channel, channel, channel).map(([r, g, b]) => `rgb(${r} ${g} ${b})`);
const grey = channel.map((value) => `rgb(${value} ${value} ${value})`);
const anyColor = fc.oneof(
  rgb,
  grey,
  fc.constantFrom(...['#000', '#fff', '#f00', '#0f0', '#00f', '#ff0', '#0ff', '#f0f']),
  fc.constantFrom('rebeccapurple', 'tomato', 'gold', 'navy', 'snow', 'hotpink', 'olive', 'teal'),
  fc
    .tuple(part, part, fc.integer({ min: 0, max: 359 }))
    .map(([l, c, h]) => `oklch(${l.toFixed(3)} ${(c * 0.37).toFixed(3)} ${h})`),
  fc
    .tuple(part, part, part)
    .map((rgb) => `color(display-p3 ${rgb.map((value) => value.toFixed(3)).join(' ')})`),
);
const scheme = fc.constantFrom<'light' | 'dark'>('light', 'dark');

describe('the contrast of every pair', () => {
  it('holds in both schemes where a page sets nothing', () => {
    const paint = palette();

    expect(failures(paint({ scheme: 'light' }))).to.deep.equal([]);
    expect(failures(paint({ scheme: 'dark' }))).to.deep.equal([]);
  });

  it('holds with any accent', () => {
    const paint = palette();
    fc.assert(
      fc.property(anyColor, scheme, (accent, scheme) => {
        expect(failures(paint({ scheme, accent }))).to.deep.equal([]);
      }),
      { numRuns: 120 },
    );
  });

  it('holds with any accent on any surface, and in a bubble of any colour', () => {
    const paint = palette();
    fc.assert(
      fc.property(anyColor, anyColor, anyColor, scheme, (accent, surface, bubble, scheme) => {
        expect(failures(paint({ scheme, accent, surface, bubble }))).to.deep.equal([]);
      }),
      { numRuns: 200 },
    );
  });

  it('grows to 7:1 for text where more contrast is asked for, and lines become visible', () => {
    const paint = palette();
    const texts: TokenName[] = ['color-text', 'color-text-muted', 'color-accent-text'];
    fc.assert(
      fc.property(anyColor, scheme, (accent, scheme) => {
        const color = paint({ scheme, accent, contrast: '1' });
        for (const text of texts) {
          for (const ground of ['color-surface', 'color-surface-soft'] as const) {
            expect(contrast(color(text), color(ground)), text).to.be.at.least(6.9);
          }
        }
        for (const line of lines) {
          expect(contrast(color(line), color('color-surface')), line).to.be.at.least(3);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is the strongest where it was made from the surface, and as set where a page sets it', () => {
    const paint = palette();

    const color = paint({ scheme: 'light', surface: '#0b3d2e' });

    expect(contrast(color('color-text'), color('color-surface'))).to.be.at.least(9);
    const own = mount(document.createElement('div'));
    own.style.setProperty('--inlay-color-surface', '#0b3d2e');
    own.style.setProperty('--inlay-color-text', 'rgb(200, 220, 210)');
    own.style.color = token('color-text').cssText;
    expect(getComputedStyle(own).color).to.equal('rgb(200, 220, 210)');
  });
});
