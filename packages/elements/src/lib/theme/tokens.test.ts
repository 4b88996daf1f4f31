import fc from 'fast-check';
import type { CSSResultGroup } from 'lit';
import { tags } from '../tags.ts';
import { expect, mount } from '../testing/fixture.ts';
import { type TokenName, token, tokens } from './tokens.ts';

function textOf(styles: CSSResultGroup | undefined): string {
  if (!styles) return '';
  if (Array.isArray(styles)) return styles.map(textOf).join('\n');
  return 'cssText' in styles ? styles.cssText : '';
}

const sheets = Object.values(tags)
  .map((element) => textOf(element.styles))
  .join('\n');

/** WCAG 2.2 relative luminance of a colour, as the browser paints it. */
function luminance(color: string): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('There is no canvas.');
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((byte) => {
    const part = byte / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function paint(scheme: 'light' | 'dark', accent?: string) {
  const element = mount(document.createElement('div'));
  element.style.colorScheme = scheme;
  if (accent) element.style.setProperty('--inlay-color-accent', accent);
  return (name: TokenName) => {
    element.style.color = token(name).cssText;
    return getComputedStyle(element).color;
  };
}

describe('tokens', () => {
  it('are all used', () => {
    const unused = Object.keys(tokens).filter((name) => !sheets.includes(`--inlay-${name}`));

    expect(unused).to.deep.equal([]);
  });

  it('are the only custom properties of a page that the style sheets read', () => {
    // Set by an element for another of this package.
    const own = [
      '--inlay-agent-accent',
      '--inlay-actions-opacity',
      '--inlay-actions-display',
      '--inlay-live-animation',
      '--inlay-live-display',
    ];
    const read = [...sheets.matchAll(/var\((--inlay-[\w-]+)/g)].map(([, name]) => String(name));
    const known = new Set([...Object.keys(tokens).map((name) => `--inlay-${name}`), ...own]);

    expect([...new Set(read)].filter((name) => !known.has(name))).to.deep.equal([]);
  });

  it('give text at least 4.5:1 in both schemes', () => {
    const texts: TokenName[] = [
      'color-text',
      'color-text-muted',
      'color-accent-text',
      'color-danger',
      'color-warning',
      'color-success',
    ];
    const grounds: TokenName[] = ['color-surface', 'color-surface-raised', 'color-surface-soft'];
    for (const scheme of ['light', 'dark'] as const) {
      const color = paint(scheme);
      for (const text of texts) {
        for (const ground of grounds) {
          const ratio = contrast(color(text), color(ground));
          expect(ratio, `${text} on ${ground}, ${scheme}`).to.be.at.least(4.5);
        }
      }
    }
  });

  it('give 4.5:1 on and in any accent that a page sets', () => {
    const channel = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(channel, channel, channel, fc.boolean(), (red, green, blue, dark) => {
        const color = paint(dark ? 'dark' : 'light', `rgb(${red} ${green} ${blue})`);
        // The canvas rounds to whole bytes.
        const enough = 4.45;
        const onAccent = contrast(color('color-on-accent'), color('color-accent'));
        const asText = contrast(color('color-accent-text'), color('color-surface'));
        const onSoft = contrast(color('color-accent-text'), color('color-accent-soft'));
        return onAccent >= enough && asText >= enough && onSoft >= enough;
      }),
      { numRuns: 150 },
    );
  });

  it('take what the page sets, at any level', () => {
    const outer = mount(document.createElement('div'));
    outer.style.setProperty('--inlay-radius-small', '3px');
    const inner = document.createElement('div');
    outer.append(inner);

    inner.style.borderRadius = token('radius-small').cssText;

    expect(getComputedStyle(inner).borderRadius).to.equal('3px');
  });
});
