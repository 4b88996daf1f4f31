import '../../define-all.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { until } from '../testing/user.ts';

async function setup(text: string, streaming = false) {
  const element = mount(document.createElement('inlay-markdown'));
  Object.assign(element, { text, streaming });
  await element.updateComplete;
  const findAll = (selector: string) => [
    ...(element.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
  ];
  /** Class names of the highlighted tokens. */
  const tokens = () =>
    Object.fromEntries(findAll('.lines span').map((span) => [span.textContent, span.className]));
  return { element, findAll, tokens };
}

const codeFence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`;

describe('a code block', () => {
  it('has highlighted keywords, strings and comments', async () => {
    const { findAll, tokens } = await setup(
      codeFence('ts', 'const answer = "yes"; // 42\nlog(42);'),
    );
    await until('colours', () => findAll('.lines span').length > 0);

    expect(tokens()).to.include({ const: 'keyword', '"yes"': 'string', '// 42': 'comment' });
    expect(findAll('code')[0]?.textContent).to.equal('const answer = "yes"; // 42\nlog(42);');
  });

  it('shows the name of its language, if it is known', async () => {
    const { findAll } = await setup(codeFence('JS', 'a') + codeFence('klingon', 'b'));
    const names = findAll('[part=code-language]').map(({ textContent }) => textContent);

    expect(names).to.deep.equal(['JavaScript', 'klingon']);
  });

  it('has highlighted scripts if its language is HTML', async () => {
    const { findAll, tokens } = await setup(
      codeFence('html', '<p id="a">b</p>\n<script>let c = 1;</script>'),
    );
    await until('colours', () => findAll('.lines span').length > 0);

    expect(tokens()).to.include({ id: 'type', '"a"': 'string', let: 'keyword' });
  });

  it('is not highlighted if its language is unknown or a line is very long', async () => {
    const { findAll } = await setup(
      [
        codeFence('klingon', 'const a'),
        codeFence('js', `const ${'a'.repeat(3000)}`),
        codeFence('js', 'let b'),
      ].join('\n'),
    );
    await until('colours', () => findAll('.lines span').length > 0);

    const highlighted = findAll('.code').map(
      (block) => block.querySelector('.lines span') !== null,
    );
    expect(highlighted).to.deep.equal([false, false, true]);
  });

  it('is highlighted only near the viewport', async () => {
    const block = codeFence('js', 'let a = 1;');
    const { findAll } = await setup(`${block}${'A paragraph.\n\n'.repeat(300)}${block}`);
    await until('colours', () => findAll('.lines')[0]?.querySelector('span'));
    for (let frame = 0; frame < 30; frame += 1) await nextFrame();
    expect(findAll('.lines')[1]?.querySelector('span')).to.equal(null);

    findAll('.lines')[1]?.scrollIntoView();
    await until('colours', () => findAll('.lines')[1]?.querySelector('span'));
    scrollTo(0, 0);
  });

  it('is not highlighted if it has 1500 lines', async () => {
    const { findAll } = await setup(
      [codeFence('js', 'let b;'), codeFence('js', 'let a;\n'.repeat(1500))].join('\n'),
    );
    await until('colours', () => findAll('.code')[0]?.querySelector('.lines span'));
    for (let frame = 0; frame < 30; frame += 1) await nextFrame();

    expect(findAll('.code')[1]?.querySelector('.lines span')).to.equal(null);
  });

  it('is highlighted while it streams, with the same result as when complete', async () => {
    const code = Array.from({ length: 130 }, (_, n) => `const a${n} = ${n}; /* ${n} */`).join('\n');
    const complete = await setup(codeFence('js', code));
    await until('colours of the complete code', () => complete.findAll('.lines span').length > 0);
    const { element, findAll } = await setup('```js\n', true);
    element.scrollIntoView();
    for (let end = 0; end < code.length; end += 400) {
      element.text = `\`\`\`js\n${code.slice(0, end)}`;
      await element.updateComplete;
      await nextFrame();
    }
    await until('colours of the streaming code', () => findAll('.lines span').length > 0);
    element.text = codeFence('js', code);
    element.streaming = false;
    await element.updateComplete;

    const html = (block: typeof complete) => block.findAll('code')[0]?.innerHTML;
    await until(
      'the same HTML',
      () =>
        html(complete)?.includes('span class="c') &&
        html({ element, findAll, tokens: complete.tokens }) === html(complete),
    );
    expect(element.shadowRoot?.querySelector('code')?.textContent).to.equal(
      complete.element.shadowRoot?.querySelector('code')?.textContent,
    );
  });

  it('keeps the DOM of highlighted lines when lines are added', async () => {
    const line = 'const a = 1;\n';
    const { element, findAll } = await setup(`\`\`\`js\n${line.repeat(120)}`, true);
    await until('colours', () => findAll('.lines')[1]?.querySelector('span'));
    const first = findAll('.lines span')[0];
    const changes: MutationRecord[] = [];
    const observer = new MutationObserver((records) => changes.push(...records));
    const [settled] = findAll('.lines');
    if (settled) observer.observe(settled, { subtree: true, childList: true, characterData: true });

    element.text += `${line.repeat(200)}\`\`\`\n`;
    element.streaming = false;
    await element.updateComplete;
    await until('colours at the end', () => findAll('.lines').at(-1)?.querySelector('span'));

    expect(changes).to.deep.equal([]);
    expect(findAll('.lines span')[0]).to.equal(first);
  });

  const selections = { forward: [6, 11], backward: [11, 6] } as const;
  for (const [direction, [from, to]] of Object.entries(selections)) {
    it(`keeps a ${direction} selection when it is highlighted`, async () => {
      const { element, findAll } = await setup(
        codeFence('js', 'const first = 1;\nconst second = 2;'),
      );
      const text = findAll('.lines')[0]?.firstChild;
      if (!(text instanceof Text)) throw new Error('The code is highlighted already.');
      getSelection()?.setBaseAndExtent(text, from, text, to);
      await until('colours', () => findAll('.lines span').length > 0);

      const root = element.shadowRoot;
      const selection = getSelection();
      if (!root || !selection) throw new Error('There is no selection.');
      const [range] = selection.getComposedRanges({ shadowRoots: [root] });
      const selected = document.createRange();
      if (range) {
        selected.setStart(range.startContainer, range.startOffset);
        selected.setEnd(range.endContainer, range.endOffset);
      }
      expect(selected.toString()).to.equal('first');
      // Not all engines have the property.
      expect(selection.direction ?? direction).to.equal(direction);
    });
  }

  it('offers to wrap its lines only if they overflow or are wrapped', async () => {
    const { findAll } = await setup(
      `\`\`\`\nshort\n\`\`\`\n\n\`\`\`\n${'long '.repeat(200)}\n\`\`\``,
    );
    const [short, long] = findAll('[part=wrap]');
    await until('the button', () => long?.checkVisibility());
    expect(short?.checkVisibility()).to.equal(false);

    long?.click();
    const [, lines] = findAll('pre');
    await until('the lines to be wrapped', () => lines?.tabIndex !== 0);
    expect(long?.checkVisibility()).to.equal(true);
  });

  it('wraps its lines after a click on the wrap button, while it streams and afterwards', async () => {
    const { element, findAll } = await setup('```js\nlet a;\n', true);
    const [button] = findAll('[part=wrap]');
    const [block] = findAll('.code');
    button?.click();
    element.text += 'let b;\n';
    await element.updateComplete;
    element.text += '```\n\nDone.';
    element.streaming = false;
    await element.updateComplete;

    expect(findAll('.code')[0]).to.equal(block);
    expect(findAll('[part=wrap]')[0]?.ariaPressed).to.equal('true');
    const [lines] = findAll('.lines');
    expect(lines && getComputedStyle(lines).whiteSpace).to.contain('pre-wrap');
    button?.click();
    expect(button?.ariaPressed).to.equal('false');
  });
});
