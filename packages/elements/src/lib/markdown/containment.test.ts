import '../../define-all.ts';
import {
  clickTargetsOutside,
  expectContained,
  loadFormulaRenderer,
  mountApproval,
  paintOverflow,
} from '../testing/containment.ts';
import { formulaAttacks, textAttacks } from '../testing/containment-attacks.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { mountList } from '../testing/message-list.ts';
import { deepAll, until } from '../testing/user.ts';

/** Disables the containment of all elements in a tree, to show that the checks can fail. */
const noContainment = new CSSStyleSheet();
noContainment.replaceSync(
  '*, :host { clip-path: none !important; overflow: visible !important; contain: none !important; content-visibility: visible !important; }',
);

describe('an answer', () => {
  it('neither paints nor receives clicks outside its box with hostile texts', async () => {
    const { showAnswer } = await mountApproval();
    for (const [name, text] of Object.entries(textAttacks)) {
      await expectContained(await showAnswer(text), name);
    }
  }).timeout(150_000);

  it('paints outside its box if its containment is disabled', async () => {
    const { element, showAnswer } = await mountApproval();
    const answer = await showAnswer('An answer.');
    const paragraph = document.createElement('p');
    paragraph.textContent = 'Something over the message before.';
    paragraph.style.cssText = 'margin-block: -80px 80px; background: yellow;';
    answer.shadowRoot?.querySelector('[part=content]')?.append(paragraph);
    await expectContained(answer, 'a paragraph with a negative margin');

    for (const each of [element, ...deepAll(element, '*')]) {
      each.shadowRoot?.adoptedStyleSheets.push(noContainment);
    }
    await nextFrame();
    expect(clickTargetsOutside(answer)).not.to.deep.equal([]);
    expect((await paintOverflow(answer))?.top).to.be.above(20);
  });
});

describe('a card', () => {
  it('neither paints nor receives clicks outside its box with a hostile title and text', async () => {
    const title = textAttacks['stacked combining marks'] ?? '';
    const text = textAttacks['lines of stacked combining marks'] ?? '';
    const { element, settled } = await mountList([
      entries.user('before', 'What is there? '.repeat(20)),
      entries.card('card', [{ type: 'text', text }], {
        card: { title, blocks: [{ type: 'text', text }] },
        progress: 'answered',
      }),
      entries.user('after', 'What does this mean? '.repeat(10)),
    ]);
    const card = await until('a card', () => {
      const [cards] = deepAll(element, 'inlay-card');
      return cards && deepAll(cards, 'h3').length > 0 && cards;
    });
    await settled();

    await expectContained(card, 'a card');
  });
});

describe('inlay-markdown without a chat', () => {
  const attacks = {
    'a raised formula with a white background':
      formulaAttacks['a raised white box with text on it'],
    'a negative kern': formulaAttacks['a negative kern'],
    'a wide rule': formulaAttacks['a wide rule'],
    'stacked marks': textAttacks['lines of stacked combining marks'],
  };
  for (const [name, text = ''] of Object.entries(attacks)) {
    it(`neither paints nor receives clicks outside its box with ${name}`, async () => {
      await loadFormulaRenderer();
      const page = mount(document.createElement('div'));
      page.style.cssText = 'inline-size: 400px; margin: 40px auto;';
      const element = document.createElement('inlay-markdown');
      element.text = text;
      const createParagraph = () => {
        const paragraph = document.createElement('p');
        paragraph.textContent = 'The page. '.repeat(60);
        return paragraph;
      };
      page.append(createParagraph(), element, createParagraph());
      await element.updateComplete;
      await nextFrame();

      await expectContained(element, name);
    });
  }
});
