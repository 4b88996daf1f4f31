import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { until } from '../testing/user.ts';
import type { Citation } from './citations/sources.ts';

const citation = (endIndex: number | null, overrides: Partial<Citation> = {}): Citation => ({
  title: 'Refunds',
  url: 'https://help.example/refunds',
  snippet: 'Within 14 days.',
  endIndex,
  ...overrides,
});

async function setup(text: string, citations: readonly Citation[], streaming = false) {
  const element = mount(document.createElement('inlay-markdown'));
  Object.assign(element, { text, citations, streaming });
  await element.updateComplete;
  const findAll = (selector: string) => [
    ...(element.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
  ];
  /** The text with citation numbers in braces. */
  const textWithMarks = () => {
    const copy = findAll('[part=content]')[0]?.cloneNode(true);
    if (!(copy instanceof Element)) return '';
    for (const mark of copy.querySelectorAll('.cite')) mark.replaceWith(`{${mark.textContent}}`);
    return copy.textContent;
  };
  return { element, findAll, textWithMarks };
}

/** Renders a text with a citation at each `¤`. */
async function setupMarked(template: string) {
  const parts = template.split('¤');
  let length = 0;
  const citations = parts.slice(0, -1).map((part, index) => {
    length += part.length;
    return citation(length, { url: `https://help.example/${index}`, title: `T${index}` });
  });
  return setup(parts.join(''), citations);
}

describe('citations', () => {
  it('have numbered marks at their position, with an accessible name', async () => {
    const { element, findAll, textWithMarks } = await setupMarked('One.¤ Two¤ and *th¤ree*.¤¤');

    expect(textWithMarks()).to.equal('One.{1} Two{2} and th{3}ree.{4}{5}');
    expect(findAll('.cite button')[0]?.getAttribute('aria-label')).to.equal('Source 1: T0');
    await expectAccessible(element);
  });

  it('stay on the line of the text before them', async () => {
    const { element, findAll } = await setupMarked('It arrives.¤ The way back.¤');
    const [first] = findAll('.cite button');
    const range = document.createRange();
    const text = findAll('p')[0]?.firstChild;
    if (!text || !first) throw new Error('There is no mark.');
    for (let width = 90; width < 160; width += 1) {
      element.style.cssText = `display: block; inline-size: ${width}px`;
      range.setStart(text, (text.textContent?.length ?? 0) - 1);
      range.setEnd(text, text.textContent?.length ?? 0);

      expect(first.getBoundingClientRect().left, `${width} px`).to.be.at.least(
        range.getBoundingClientRect().right,
      );
    }
  });

  it('have no user name and password in the links to their sources', async () => {
    const url = 'https://bank.example:secret@evil.example/';
    const { findAll } = await setup('One.', [citation(4, { url })]);

    expect(findAll('.sources a').map((link) => link.getAttribute('href'))).to.deep.equal([
      'https://evil.example/',
    ]);
  });

  it('keep their position after the named character references have loaded', async () => {
    const { element, textWithMarks } = await setupMarked('Set &alefsym;.¤ Next.¤');

    await until('the character', () => textWithMarks().includes('ℵ'));
    await element.updateComplete;
    expect(textWithMarks()).to.equal('Set ℵ.{1} Next.{2}');
  });

  it('are placed in every kind of block, and after links and code that contain them', async () => {
    const { textWithMarks } = await setupMarked(
      '# H¤ead\n\n- [x] a **b**¤\n  1. c¤\n\n> d[e¤f](https://g.example) `h¤i` j\n\n| k | l |\n|---|---|\n| m¤ | n¤ |\n',
    );

    expect(textWithMarks()).to.equal('H{1}eada b{2}c{3}def{4} hi{5} jklm{6}n{7}');
  });

  it('keep their position after Markdown whose rendered text differs from its source', async () => {
    const { textWithMarks } = await setupMarked(
      '&amp; \\* [a][b] ![c](https://d.example/e) $f$ g[^1] h¤ i\n\n[b]: https://b.example\n[^1]: note¤',
    );

    expect(textWithMarks()).to.contain(' h{1} i');
    expect(textWithMarks()).to.contain('note{2}');
  });

  it('share a number if they cite the same page, and are listed without a mark if they have no position', async () => {
    const { findAll, textWithMarks } = await setup('One. Two.', [
      citation(4),
      citation(9),
      citation(null, { url: 'javascript:alert(1)', title: 'No page' }),
    ]);

    expect(textWithMarks()).to.equal('One.{1} Two.{1}');
    expect(findAll('.sources li').map((item) => item.textContent?.trim())).to.deep.equal([
      'Refundshelp.example',
      'No page',
    ]);
    const links = findAll('.sources a').map((link) => link.outerHTML);
    expect(links.length).to.equal(1);
    expect(links[0]).to.contain('noopener').and.to.contain('_blank');
  });

  it('appear when the message is complete, and keep the DOM of blocks without marks', async () => {
    const text = 'One *a*.\n\nTwo *b*.\n\n```js\nlet c;\n```';
    const { element, findAll, textWithMarks } = await setup(text, [citation(8)], true);
    expect(textWithMarks()).not.to.contain('{');
    const before = findAll('p, em, pre');

    element.streaming = false;
    await element.updateComplete;
    expect(textWithMarks()).to.contain('One a.{1}');
    expect(findAll('[part=content] :is(p, em, pre)')).to.deep.equal(before);

    element.citations = [citation(text.indexOf('*.')), citation(18)];
    await element.updateComplete;
    expect(findAll('.cite').length).to.equal(2);
    element.citations = [];
    await element.updateComplete;
    expect(findAll('.cite, .sources').length).to.equal(0);
  });

  it('show their source on click, and collapse a list of four sources', async () => {
    const manyCitations = [0, 1, 2, 3].map((n) =>
      citation(4, { url: `https://${n}.example/`, title: `T${n}`, snippet: `Snippet ${n}` }),
    );
    const { element, findAll } = await setup('One.', manyCitations);
    expect(findAll('.sources details')[0]?.hasAttribute('open')).to.equal(false);

    findAll('.cite button')[1]?.click();
    const [card] = findAll('[part=source-card]');
    expect(card?.matches(':popover-open')).to.equal(true);
    expect(card?.textContent)
      .to.contain('T1')
      .and.to.contain('1.example')
      .and.to.contain('Snippet 1');
    await expectAccessible(element);
    card?.hidePopover();
  });

  it('close their popover with Escape, and stop the key event', async () => {
    const { findAll } = await setup('One.', [citation(4)]);
    const events: Event[] = [];
    const record = (event: Event) => events.push(event);
    document.body.addEventListener('keydown', record);
    const [mark] = findAll('.cite button');
    const press = () => {
      const options = { key: 'Escape', bubbles: true, composed: true, cancelable: true };
      mark?.dispatchEvent(new KeyboardEvent('keydown', options));
    };

    mark?.click();
    press();
    expect(findAll('[part=source-card]')[0]?.matches(':popover-open')).to.equal(false);
    expect(events).to.have.length(0);
    press();
    expect(events).to.have.length(1);
    document.body.removeEventListener('keydown', record);
  });

  it('set aria-expanded, and close their popover on a second click and when focus leaves', async () => {
    const { findAll } = await setupMarked('One.¤ Two.¤');
    const [first, second] = findAll('.cite button');
    const card = () => findAll('[part=source-card]')[0];
    const expanded = () => [first?.ariaExpanded, second?.ariaExpanded];
    expect(expanded()).to.deep.equal(['false', 'false']);

    first?.focus();
    first?.click();
    expect(expanded()).to.deep.equal(['true', 'false']);
    card()?.querySelector('a')?.focus();
    expect(card()?.matches(':popover-open')).to.equal(true);
    second?.focus();
    expect(card()?.matches(':popover-open')).to.equal(false);
    expect(expanded()).to.deep.equal(['false', 'false']);

    second?.click();
    expect(expanded()).to.deep.equal(['false', 'true']);
    second?.click();
    expect(expanded()).to.deep.equal(['false', 'false']);
  });

  it('have a popover of limited height, and isolate the direction of titles', async () => {
    const title = `\u202e${'long '.repeat(5000)}`;
    const { findAll } = await setup('One.', [citation(4, { title })]);

    findAll('.cite button')[0]?.click();

    const [card] = findAll('[part=source-card]');
    expect(card?.getBoundingClientRect().height).to.be.below(300);
    const [link] = findAll('.sources a');
    expect(link && getComputedStyle(link).unicodeBidi).to.equal('isolate');
    card?.hidePopover();
  });
});
