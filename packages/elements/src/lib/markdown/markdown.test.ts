import '../../define-all.ts';
import { english } from '../i18n/all-strings.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';

const richText =
  '# One\n\nA *b* **c** `d` [e](https://f.example)\n\n- [x] done\n- [ ] open\n\n1. g\n\n> h\n\n---\n\n| i | j |\n|---|---|\n| 1 | 2 |\n\n```js\nconst k = 1;\n```\n\n![l](https://m.example/n)\n';

async function setup(
  text: string,
  properties: Partial<HTMLElementTagNameMap['inlay-markdown']> = {},
) {
  const element = mount(document.createElement('inlay-markdown'));
  Object.assign(element, { text, ...properties });
  await element.updateComplete;
  const find = (selector: string) => element.shadowRoot?.querySelector<HTMLElement>(selector);
  return { element, find };
}

describe('inlay-markdown', () => {
  it('passes the accessibility audit', async () => {
    const { element } = await setup(richText);

    await expectAccessible(element);
  });

  it('renders headings two levels lower', async () => {
    const { element } = await setup('# a\n\n## b\n\n###### c');
    const headings = element.shadowRoot?.querySelectorAll('h1, h2, h3, h4, h5, h6') ?? [];

    expect([...headings].map((heading) => heading.localName)).to.deep.equal(['h4', 'h5', 'h6']);
  });

  it('renders at most once per frame while it streams', async () => {
    const { element, find } = await setup('a', { streaming: true });
    const content = find('[part=content]');
    if (!content) throw new Error('There is no content.');
    let renderings = 0;
    const observer = new MutationObserver(() => {
      renderings += 1;
    });
    observer.observe(content, { subtree: true, childList: true, characterData: true });

    for (let index = 0; index < 50; index += 1) {
      element.text += ' word';
      await Promise.resolve();
    }
    expect(renderings).to.equal(0);
    await element.updateComplete;
    await Promise.resolve();

    expect(renderings).to.equal(1);
    expect(content.textContent).to.equal(`a${' word'.repeat(50)}`);
  });

  it('renders the first change of a frame in this frame while it streams', async () => {
    const { element, find } = await setup('a', { streaming: true });
    await nextFrame();
    element.text = 'a word';
    let isNextFrame = false;
    requestAnimationFrame(() => {
      isNextFrame = true;
    });
    await element.updateComplete;

    expect(isNextFrame).to.equal(false);
    expect(find('[part=content]')?.textContent).to.equal('a word');
  });

  it('keeps the rendered blocks when the first rare syntax arrives', async () => {
    const { element, find } = await setup('# Title\n\nSee ', { streaming: true });
    const heading = find('h4');

    element.text += 'https://a.example\n\n| a |\n|---|\n| 1 |\n';
    await element.updateComplete;

    expect(find('a')?.textContent).to.equal('https://a.example');
    expect(find('td')?.textContent).to.equal('1');
    expect(find('h4')).to.equal(heading);
  });

  it('renders the new text when `text` is replaced', async () => {
    const { element, find } = await setup('**first**', { streaming: true });
    element.text = '_second_';
    element.streaming = false;
    await element.updateComplete;

    expect(find('[part=content]')?.textContent).to.equal('second');
  });

  it('renders text that is appended to a complete text', async () => {
    const { element, find } = await setup('- a');
    element.text = '- a\n- b';
    await element.updateComplete;
    await nextFrame();

    expect(find('ul')?.children.length).to.equal(2);
  });

  it('copies code, announces “Copied”, and dispatches inlay-copy', async () => {
    const { element, find } = await setup(`\`\`\`\n${'line\n'.repeat(120)}\`\`\``);
    const copied: string[] = [];
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    });
    const announced: string[] = [];
    element.addEventListener('inlay-announce', (event) => {
      announced.push((event as CustomEvent<{ text: string }>).detail.text);
    });
    const copyEvent = new Promise((resolve) => element.addEventListener('inlay-copy', resolve));
    find('[part=copy]')?.click();
    await copyEvent;
    Reflect.deleteProperty(navigator, 'clipboard');

    expect(copied).to.deep.equal(['line\n'.repeat(120).trim()]);
    expect(find('[part=copy]')?.textContent).to.equal('Copied');
    expect(announced).to.deep.equal(['Copied']);
  });

  it('keeps complete blocks when a streaming text turns out to need the extras', async () => {
    const { element, find } = await setup('First.\n\nSecond', { streaming: true });
    const paragraph = find('p');

    element.text += ' ends.\n\n```js\nconst a = 1;\n';
    await element.updateComplete;
    expect(find('code')?.textContent).to.contain('const a');
    expect(find('p')).to.equal(paragraph);
    element.text += `\`\`\`\n\n${'word '.repeat(5_000)}`;
    await element.updateComplete;
    expect(find('[part=content]')?.className).to.equal('long');
    expect(find('p')).to.equal(paragraph);
  });

  it('wraps only long table cells', async () => {
    const { element } = await setup(
      '| Month | Place |\n|---|---|\n| September to November | a very long text that takes more than one line |',
    );
    element.style.cssText = 'display: block; inline-size: 240px';
    const [short, long] = element.shadowRoot?.querySelectorAll('td') ?? [];
    const lines = (cell?: Element) => {
      const range = document.createRange();
      if (cell) range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    };

    expect(lines(short)).to.equal(1);
    expect(lines(long)).to.be.above(1);
  });

  it('gives each block the direction of its first letter', async () => {
    const { element } = await setup('1. שלום\n\nHello\n\n| 1 | مرحبا |\n|---|---|\n\n123');
    const blocks = element.shadowRoot?.querySelector('[part=content]')?.children ?? [];

    expect([...blocks].map((block) => block.getAttribute('dir'))).to.deep.equal([
      'rtl',
      'ltr',
      'rtl',
      null,
    ]);
  });

  it('renders inline code from left to right, also in a right-to-left paragraph', async () => {
    const { find } = await setup('שלום `600 s`');
    const [text] = find('code')?.childNodes ?? [];
    const left = (from: number) => {
      const range = document.createRange();
      range.setStart(text as Text, from);
      range.setEnd(text as Text, from + 1);
      return range.getBoundingClientRect().left;
    };

    expect(left(0)).to.be.lessThan(left(4));
  });

  it('shows its `strings` on buttons and tables', async () => {
    const strings = { ...english, copy: 'Kopieren', table: 'Tabelle' };
    const { find } = await setup(richText, { strings });

    expect(find('[part=copy]')?.textContent).to.equal('Kopieren');
    expect(find('.table')?.getAttribute('aria-label')).to.equal('Tabelle');
  });

  it('renders again only if a string that it uses has changed', async () => {
    const { element, find } = await setup(richText);
    const heading = find('h4');

    element.strings = { ...english, send: 'Senden' };
    await element.updateComplete;
    expect(find('h4')).to.equal(heading);

    element.strings = { ...english, copy: 'Kopieren' };
    await element.updateComplete;
    expect(find('[part=copy]')?.textContent).to.equal('Kopieren');
  });
});
