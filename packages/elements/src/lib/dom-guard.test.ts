import type { Entry } from '@inlay/client';
import fc from 'fast-check';
import '../define-all.ts';
import { domChanges } from './testing/dom-changes.ts';
import { entries } from './testing/entries.ts';
import { expect } from './testing/fixture.ts';
import { mountList } from './testing/message-list.ts';
import { deepAll, User } from './testing/user.ts';

/** The states of a conversation in their order. */
const states: readonly (readonly Entry[])[] = [
  [entries.user('q', 'Where is it?', { delivery: 'sending' })],
  [
    entries.user('q', 'Where is it?'),
    entries.thinking('t', { progress: 'streaming', endedAt: null }),
  ],
  [
    entries.user('q', 'Where is it?'),
    entries.thinking('t', { text: 'Let me see. I have it.' }),
    entries.agent('a', 'It is on **the', { progress: 'streaming' }),
  ],
  [
    entries.user('q', 'Where is she?'),
    entries.thinking('t', { text: 'Let me see. I have it.' }),
    entries.agent('a', 'It is on **the way**. Wait'),
    entries.user('r', 'And now?', { delivery: 'failed' }),
  ],
];

const withoutSpaces = (text: string) => text.replaceAll(/\s+/g, '');

async function setup() {
  const list = await mountList([]);
  const { element, settled } = list;
  const roots = () =>
    ['*', 'inlay-message-list'].flatMap((selector) =>
      deepAll(element, selector).flatMap(({ shadowRoot }) => shadowRoot ?? []),
    );
  const show = async (shown: readonly Entry[]) => {
    element.entries = [...shown];
    await settled();
  };
  const visible = () => withoutSpaces(new User(element).text);
  return { element, roots, show, visible, settled };
}

describe('the messages of a conversation', () => {
  let expected = '';

  before(async () => {
    const { show, visible, element } = await setup();
    for (const state of states) await show(state);
    expected = visible();
    element.remove();
    expect(expected).to.contain(withoutSpaces('It is on the way. Wait'));
    expect(expected).to.contain(withoutSpaces('Where is she?'));
  });

  it('are complete after other code has changed their DOM in any state', async () => {
    const names = Object.keys(domChanges).filter(
      // A text that is changed stays as it is until Lit writes to it.
      (name) => /removes|moves|adds/.test(name),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(fc.record({ name: fc.constantFrom(...names), root: fc.nat(), at: fc.nat() }), {
            maxLength: 4,
          }),
          { minLength: states.length - 1, maxLength: states.length - 1 },
        ),
        async (changes) => {
          const { element, roots, show, visible } = await setup();
          for (const [index, state] of states.entries()) {
            await show(state);
            for (const { name, root, at } of changes[index] ?? []) {
              const target = roots()[root % roots().length];
              if (target) domChanges[name]?.(target, (bound) => at % Math.max(1, bound));
            }
          }
          expect(visible()).to.equal(expected);
          element.remove();
        },
      ),
      { numRuns: 40 },
    );
  });

  it('show a text again that was removed beside an empty element of other code', async () => {
    const { roots, show, visible } = await setup();
    for (const state of states) {
      for (const root of roots()) {
        const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const texts: Text[] = [];
        while (nodes.nextNode()) texts.push(nodes.currentNode as Text);
        for (const text of texts) {
          text.after(document.createElement('span'));
          text.remove();
        }
      }
      await show(state);
    }

    expect(visible()).to.equal(expected);
  });

  it('show new texts in place of texts that a translator has replaced', async () => {
    const { roots, show, visible, element } = await setup();
    for (const state of states) {
      for (const root of roots())
        domChanges['replaces all texts by <font> elements']?.(root, () => 0);
      for (const root of roots()) root.normalize();
      await show(state);
    }

    expect(visible()).to.contain(withoutSpaces('Where is she?'));
    const [thinking] = deepAll(element, 'inlay-thinking');
    expect(thinking?.shadowRoot?.textContent).to.contain('LET ME SEE. I HAVE IT.');
    expect(visible()).to.contain(withoutSpaces('It is on the way. Wait'));
    expect(new User(element).buttons('Copy message')).to.have.length(3);
    expect(new User(element).buttons('Discard')).to.have.length(1);
  });

  it('show their texts once after a translator has shown the original again', async () => {
    const { roots, show, visible, settled, element } = await setup();
    for (const state of states) await show(state);
    for (const root of roots()) {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const font = document.createElement('font');
        const parent = node.parentNode as ParentNode & Node;
        parent.insertBefore(font, node);
        (node as Text).remove();
        await Promise.resolve();
        parent.replaceChild(node, font);
      }
    }
    element.agentName = 'Ada';
    await settled();
    element.agentName = '';
    await settled();

    expect(visible()).to.equal(expected);
  });

  it('can be translated when they are settled', async () => {
    const { roots, show, visible } = await setup();
    for (const state of states) await show(state);
    for (const root of roots())
      domChanges['replaces all texts by <font> elements']?.(root, () => 0);
    await show(states.at(-1) ?? []);

    expect(visible()).to.contain(withoutSpaces('WHERE IS SHE?'));
    expect(visible()).to.contain(withoutSpaces('IT IS ON THE WAY. WAIT'));
  });
});
