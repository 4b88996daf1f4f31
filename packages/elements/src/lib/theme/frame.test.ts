import { css, html, LitElement } from 'lit';
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

/** The style of the paragraph two shadow roots below. */
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

/** Applies what an element's style sheets hold for people of that kind. Not every engine can be asked to. */
function asIf({ renderRoot }: LitElement, condition: string) {
  if (!(renderRoot instanceof ShadowRoot)) throw new Error('There is no shadow root.');
  const rules = renderRoot.adoptedStyleSheets
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSMediaRule && rule.conditionText.includes(condition))
    .flatMap((rule) => [...(rule as CSSMediaRule).cssRules]);
  expect(rules).to.not.deep.equal([]);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.map(({ cssText }) => cssText).join('\n'));
  renderRoot.adoptedStyleSheets = [...renderRoot.adoptedStyleSheets, sheet];
}

describe('the frame', () => {
  it('spreads one density through every shadow root', async () => {
    expect((await setup()).style.paddingLeft).to.equal('16px');
    expect((await setup({ density: 'compact' })).style.paddingLeft).to.equal('12px');
    expect((await setup({ density: 'roomy' })).style.paddingLeft).to.equal('20px');
  });

  it('keeps the page’s type out, and takes it where the page wants it in', async () => {
    const page = document.createElement('style');
    page.textContent = `
      html { font-size: 62.5% }
      body { font: italic 31px Courier }
      .inherits { font-family: inherit }
    `;
    document.head.append(page);

    const { style } = await setup();
    const inheriting = await setup({ class: 'inherits' });

    expect(style.fontSize).to.equal('15px');
    expect(style.fontStyle).to.equal('normal');
    expect(style.fontFamily).to.contain('system-ui');
    expect(inheriting.style.fontFamily).to.equal('Courier');
    page.remove();
  });

  it('follows the colour scheme of the page around it', async () => {
    const { outer, style } = await setup();
    outer.parentElement?.style.setProperty('color-scheme', 'light');
    const light = style.color;

    outer.parentElement?.style.setProperty('color-scheme', 'dark');

    expect(style.color).to.not.equal(light);
    outer.parentElement?.style.removeProperty('color-scheme');
  });

  it('lets everything stand still where the person asked for less motion', async () => {
    const { inner, style } = await setup();
    expect(style.animationDuration).to.not.equal('0s');

    asIf(inner, 'prefers-reduced-motion: reduce');

    expect(style.animationDuration).to.equal('0s');
    expect(style.animationIterationCount).to.equal('1');
    expect(style.transitionProperty).to.equal('none');
  });

  it('strengthens text where the person asked for more contrast, and lets the page decide', async () => {
    const { outer, style } = await setup();
    outer.parentElement?.style.setProperty('color-scheme', 'light');
    const usual = contrast(style.color, '#fff');

    asIf(outer, 'prefers-contrast: more');

    expect(usual).to.be.lessThan(7);
    expect(contrast(style.color, '#fff')).to.be.at.least(7);
    outer.style.setProperty('--inlay-contrast', '0');
    expect(contrast(style.color, '#fff')).to.be.lessThan(7);
    outer.parentElement?.style.removeProperty('color-scheme');
  });
});
