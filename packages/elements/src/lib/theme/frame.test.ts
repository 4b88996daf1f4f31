import { css, html, LitElement } from 'lit';
import { applyMedia } from '../testing/apply-media.ts';
import { contrast } from '../testing/contrast.ts';
import { expect, mount } from '../testing/fixture.ts';
import { base } from './base.styles.ts';
import { frame } from './frame.styles.ts';
import { token } from './tokens.ts';

class Inner extends LitElement {
  static override styles = [
    base,
    css`
      p {
        margin: 0;
        padding: ${token('space-4')};
        color: ${token('color-text-muted')};
        animation: turn ${token('duration-loop')} infinite;
        transition: opacity ${token('duration')};
      }
      @keyframes turn {
        to {
          rotate: 1turn;
        }
      }
    `,
  ];

  protected override render() {
    return html`<p>text</p>`;
  }
}

class Outer extends LitElement {
  static override styles = [base, frame];

  protected override render() {
    return html`<framed-inner></framed-inner>`;
  }
}

customElements.define('framed-inner', Inner);
customElements.define('framed-outer', Outer);

/** Mounts the element. `style` is the computed style of a paragraph that is nested in two shadow roots. */
async function setup(attributes: Record<string, string> = {}) {
  const outer = document.createElement('framed-outer') as Outer;
  for (const [name, value] of Object.entries(attributes)) outer.setAttribute(name, value);
  mount(outer);
  await outer.updateComplete;
  const inner = outer.renderRoot.querySelector('framed-inner') as Inner;
  await inner.updateComplete;
  const text = inner.renderRoot.querySelector('p');
  if (!text) throw new Error('There is no text.');
  return { outer, inner, style: getComputedStyle(text) };
}

describe('the frame styles', () => {
  it('apply the density in nested shadow roots', async () => {
    expect((await setup()).style.paddingLeft).to.equal('16px');
    expect((await setup({ density: 'compact' })).style.paddingLeft).to.equal('12px');
    expect((await setup({ density: 'roomy' })).style.paddingLeft).to.equal('20px');
  });

  it('inherit the page’s typeface only if the page sets font-family: inherit', async () => {
    const page = document.createElement('style');
    page.textContent = `
      html { font-size: 62.5% }
      body { font: italic 31px Courier }
      .inherits { font-family: inherit }
    `;
    document.head.append(page);

    const { style } = await setup();
    const inheritedStyle = await setup({ class: 'inherits' });

    expect(style.fontSize).to.equal('15px');
    expect(style.fontStyle).to.equal('normal');
    expect(style.fontFamily).to.contain('system-ui');
    expect(inheritedStyle.style.fontFamily).to.equal('Courier');
    page.remove();
  });

  it('follow the colour scheme of the page', async () => {
    const { outer, style } = await setup();
    outer.parentElement?.style.setProperty('color-scheme', 'light');
    const light = style.color;

    outer.parentElement?.style.setProperty('color-scheme', 'dark');

    expect(style.color).to.not.equal(light);
    outer.parentElement?.style.removeProperty('color-scheme');
  });

  it('disable animations and transitions if the user prefers reduced motion', async () => {
    const { inner, style } = await setup();
    expect(style.animationDuration).to.not.equal('0s');

    applyMedia(inner, 'prefers-reduced-motion: reduce');

    expect(style.animationDuration).to.equal('0s');
    expect(style.animationIterationCount).to.equal('1');
    expect(style.transitionProperty).to.equal('none');
  });

  it('raise the contrast of text if the user prefers more contrast, unless the page sets --inlay-contrast', async () => {
    const { outer, style } = await setup();
    outer.parentElement?.style.setProperty('color-scheme', 'light');
    const before = contrast(style.color, '#fff');

    applyMedia(outer, 'prefers-contrast: more');

    expect(before).to.be.lessThan(7);
    expect(contrast(style.color, '#fff')).to.be.at.least(7);
    outer.style.setProperty('--inlay-contrast', '0');
    expect(contrast(style.color, '#fff')).to.be.lessThan(7);
    outer.parentElement?.style.removeProperty('color-scheme');
  });
});
