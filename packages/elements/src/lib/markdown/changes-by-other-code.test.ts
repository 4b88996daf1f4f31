import fc from 'fast-check';
import '../../define-all.ts';
import { domChanges } from '../testing/dom-changes.ts';
import { expect, mount } from '../testing/fixture.ts';
import { until } from '../testing/user.ts';

const answer =
  '# Title\n\nA **bold** text with `code`, [a link](https://a.example) and $x^2$, which\ncontinues [here][ref].\n\n' +
  '1. One\n2. Two **words**\n   - inner *item*\n\n> A quote\n> of two lines[^1]\n\n' +
  '| a | b |\n|---|---|\n| one | **two** |\n| three | four and more |\n\n' +
  '```\nfirst line\nsecond line\n\nlast line\n```\n\n<details><summary>More</summary>\n\nhidden text\n</details>\n\n' +
  '[ref]: https://b.example\n\n[^1]: The note.\n\nThe last paragraph &amp; its end.';

async function setup() {
  const element = mount(document.createElement('inlay-markdown'));
  const content = () => element.shadowRoot?.querySelector('[part=content]') as HTMLElement;
  return {
    element,
    content,
    html: () => content()?.innerHTML.replaceAll(/<math.*?<\/math>/gs, '<math>'),
    async show(text: string, streaming: boolean) {
      Object.assign(element, { text, streaming });
      await element.updateComplete;
    },
  };
}

async function expectedHtml(text: string) {
  const { show, html, element } = await setup();
  await show(text, false);
  // The module for formulas is loaded on demand.
  await until('the formula', () => html()?.includes('<math>') ?? false);
  const expected = html();
  element.remove();
  return expected;
}

describe('a streaming answer that other code changes', () => {
  it('keeps its text when a translator replaces all texts', async () => {
    const expected = await expectedHtml(answer);
    const { show, content, html } = await setup();
    for (let end = 10; end < answer.length; end += 40) {
      await show(answer.slice(0, end), true);
      domChanges['replaces all texts by <font> elements']?.(content(), () => 0);
    }
    await show(answer, false);

    expect(html()).to.equal(expected);
  });

  it('has its complete text on screen at the end, whatever was changed at any position', async () => {
    const expected = await expectedHtml(answer);
    const names = Object.keys(domChanges);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            piece: fc.integer({ min: 1, max: 60 }),
            changes: fc.array(fc.record({ name: fc.constantFrom(...names), at: fc.nat() })),
          }),
          { minLength: 3, maxLength: 12 },
        ),
        async (steps) => {
          const { show, content, html, element } = await setup();
          await show('', true);
          const streaming = content();
          let end = 0;
          for (const { piece, changes } of steps) {
            end = Math.min(answer.length - 1, end + piece);
            await show(answer.slice(0, end), true);
            for (const { name, at } of changes) {
              const pick = (bound: number) => at % Math.max(1, bound);
              domChanges[name]?.(streaming, pick);
              if (at % 3 === 0) domChanges[name]?.(element.shadowRoot as ShadowRoot, pick);
            }
          }
          await show(answer, false);
          expect(html()).to.equal(expected);
          element.remove();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('shows text again with the next piece', async () => {
    const { show, content } = await setup();
    await show('The first words', true);
    for (const text of [...content().querySelectorAll('p')]) text.remove();
    await show('The first words and more', true);

    expect(content().textContent).to.equal('The first words and more');
  });

  it('can be translated when it is complete, but not while it streams', async () => {
    const { show, content } = await setup();
    await show('Some', true);
    expect(content().translate).to.equal(false);

    await show('Some text.', false);
    expect(content().translate).to.equal(true);
    domChanges['replaces all texts by <font> elements']?.(content(), () => 0);
    await show('Some text.', false);
    expect(content().textContent).to.equal('SOME TEXT.');
  });

  it('keeps the nodes of complete blocks that only its own code has changed', async () => {
    const { show, content } = await setup();
    await show('```js\nlet a = 1;\n```\n\n$x^2$ is\n\nfirst', true);
    const before = [...content().children];
    await until('a formula', () => content().querySelector('math'));
    await until('highlighted code', () => content().querySelector('.lines span'));
    await show('```js\nlet a = 1;\n```\n\n$x^2$ is\n\nfirst &alpha; second', true);
    await until('a character', () => content().textContent?.includes('α'));
    await show('```js\nlet a = 1;\n```\n\n$x^2$ is\n\nfirst &alpha; second', false);

    expect([...content().children]).to.deep.equal(before);
  });
});
