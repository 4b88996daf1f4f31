import '../../define-all.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { until } from '../testing/user.ts';

async function setup(text: string, streaming = false) {
  const element = mount(document.createElement('inlay-markdown'));
  Object.assign(element, { text, streaming });
  await element.updateComplete;
  const all = (selector: string) => [
    ...(element.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
  ];
  const kinds = () =>
    Object.fromEntries(all('.lines span').map((span) => [span.textContent, span.className]));
  return { element, all, kinds };
}

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`;

describe('a block of code', () => {
  it('gets the colours of its language', async () => {
    const { all, kinds } = await setup(fenced('ts', 'const answer = "yes"; // 42\nlog(42);'));
    await until('colours', () => all('.lines span').length > 0);

    expect(kinds()).to.include({ const: 'keyword', '"yes"': 'string', '// 42': 'comment' });
    expect(all('code')[0]?.textContent).to.equal('const answer = "yes"; // 42\nlog(42);');
  });

  it('gets the colours of the languages within it', async () => {
    const { all, kinds } = await setup(
      fenced('html', '<p id="a">b</p>\n<script>let c = 1;</script>'),
    );
    await until('colours', () => all('.lines span').length > 0);

    expect(kinds()).to.include({ id: 'type', '"a"': 'string', let: 'keyword' });
  });

  it('stays plain where its language is not known, or no one could have written it', async () => {
    const { all } = await setup(
      [
        fenced('klingon', 'const a'),
        fenced('js', `const ${'a'.repeat(3000)}`),
        fenced('js', 'let b'),
      ].join('\n'),
    );
    await until('colours', () => all('.lines span').length > 0);

    const coloured = all('.code').map((block) => block.querySelector('.lines span') !== null);
    expect(coloured).to.deep.equal([false, false, true]);
  });

  it('is coloured only when it is near the view', async () => {
    const block = fenced('js', 'let a = 1;');
    const { all } = await setup(`${block}${'A paragraph.\n\n'.repeat(300)}${block}`);
    await until('colours', () => all('.lines')[0]?.querySelector('span'));
    for (let frame = 0; frame < 30; frame += 1) await nextFrame();
    expect(all('.lines')[1]?.querySelector('span')).to.equal(null);

    all('.lines')[1]?.scrollIntoView();
    await until('colours', () => all('.lines')[1]?.querySelector('span'));
    scrollTo(0, 0);
  });

  it('is coloured only up to a length that is read in one task', async () => {
    const { all } = await setup(
      [fenced('js', 'let b;'), fenced('js', 'let a;\n'.repeat(1500))].join('\n'),
    );
    await until('colours', () => all('.code')[0]?.querySelector('.lines span'));
    for (let frame = 0; frame < 30; frame += 1) await nextFrame();

    expect(all('.code')[1]?.querySelector('.lines span')).to.equal(null);
  });

  it('is coloured while it grows, and in the end as if it had come at once', async () => {
    const code = Array.from({ length: 130 }, (_, n) => `const a${n} = ${n}; /* ${n} */`).join('\n');
    const whole = await setup(fenced('js', code));
    await until('colours of the whole', () => whole.all('.lines span').length > 0);
    const { element, all } = await setup('```js\n', true);
    element.scrollIntoView();
    for (let end = 0; end < code.length; end += 400) {
      element.text = `\`\`\`js\n${code.slice(0, end)}`;
      await element.updateComplete;
      await nextFrame();
    }
    await until('colours of half of it', () => all('.lines span').length > 0);
    element.text = fenced('js', code);
    element.streaming = false;
    await element.updateComplete;

    const html = (one: typeof whole) => one.all('code')[0]?.innerHTML;
    await until(
      'the same',
      () =>
        html(whole)?.includes('span class="c') &&
        html({ element, all, kinds: whole.kinds }) === html(whole),
    );
    expect(element.shadowRoot?.querySelector('code')?.textContent).to.equal(
      whole.element.shadowRoot?.querySelector('code')?.textContent,
    );
  });

  it('touches no line again that is full and has its colours', async () => {
    const line = 'const a = 1;\n';
    const { element, all } = await setup(`\`\`\`js\n${line.repeat(120)}`, true);
    await until('colours', () => all('.lines')[1]?.querySelector('span'));
    const first = all('.lines span')[0];
    const changes: MutationRecord[] = [];
    const observer = new MutationObserver((records) => changes.push(...records));
    const [settled] = all('.lines');
    if (settled) observer.observe(settled, { subtree: true, childList: true, characterData: true });

    element.text += `${line.repeat(200)}\`\`\`\n`;
    element.streaming = false;
    await element.updateComplete;
    await until('colours at the end', () => all('.lines').at(-1)?.querySelector('span'));

    expect(changes).to.deep.equal([]);
    expect(all('.lines span')[0]).to.equal(first);
  });

  it('keeps what is selected in it when its colours come', async () => {
    const { element, all } = await setup(fenced('js', 'const first = 1;\nconst second = 2;'));
    const text = all('.lines')[0]?.firstChild;
    if (!(text instanceof Text)) throw new Error('The code has its colours already.');
    getSelection()?.setBaseAndExtent(text, 6, text, 11);
    await until('colours', () => all('.lines span').length > 0);

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
  });

  it('wraps its lines when asked, and stays so while more arrives and when it is done', async () => {
    const { element, all } = await setup('```js\nlet a;\n', true);
    const [button] = all('[part=wrap]');
    const [block] = all('.code');
    button?.click();
    element.text += 'let b;\n';
    await element.updateComplete;
    element.text += '```\n\nDone.';
    element.streaming = false;
    await element.updateComplete;

    expect(all('.code')[0]).to.equal(block);
    expect(all('[part=wrap]')[0]?.ariaPressed).to.equal('true');
    const [lines] = all('.lines');
    expect(lines && getComputedStyle(lines).whiteSpace).to.contain('pre-wrap');
    button?.click();
    expect(button?.ariaPressed).to.equal('false');
  });
});
