import '../../define-all.ts';
import type { ToolEntry } from '@inlay/client';
import { blocksOf } from '../card/read-card.ts';
import { sourcesOf } from '../markdown/citations/sources.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User, until } from '../testing/user.ts';

async function setup(input: ToolEntry['input'], overrides: Partial<ToolEntry> = {}) {
  const element = mount(document.createElement('inlay-tool-call'));
  element.style.width = '340px';
  element.entry = entries.tool('t1', { progress: 'approval', result: null, input, ...overrides });
  await element.updateComplete;
  const user = new User(element);
  const allow = () => user.buttons('Allow')[0];
  const [box] = deepAll<HTMLElement>(element, '.input');
  if (!box) throw new Error('The card has no input.');
  const labels = () => deepAll(element, 'dt').map((label) => label.textContent?.trim());
  return { element, user, allow, box, labels };
}

/** 40 arguments that move the last one out of view. */
const decoys = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`option${index}`, index]),
);

describe('the approval card', () => {
  it('enables “Allow” when the end of its input was in view', async () => {
    const { element, user, allow, box } = await setup({ ...decoys, amount: 5000 });
    expect(allow()?.disabled).to.equal(true);
    expect(user.text).to.contain('Read all of it before you allow it.');
    await until('a tab stop', async () => box.tabIndex === 0);
    await expectAccessible(element);

    box.scrollTop = box.scrollHeight;
    await until('the button', async () => allow()?.disabled === false);

    expect(user.text).not.to.contain('Read all of it');
    box.scrollTop = 0;
    await element.updateComplete;
    expect(allow()?.disabled).to.equal(false);
  });

  it('fades where there is more', async () => {
    const { box } = await setup({ ...decoys, amount: 5000 });

    const fade = getComputedStyle(box, '::after');
    expect(fade.position).to.equal('sticky');
    expect(fade.backgroundImage).to.contain('linear-gradient');
    expect(box.getAttribute('aria-describedby')).to.equal('unread');
  });

  it('disables “Allow” again if its input changes', async () => {
    const { element, allow, box } = await setup({ ...decoys, more: 1 }, { inputHash: 'a' });
    box.scrollTop = box.scrollHeight;
    await until('the button', async () => allow()?.disabled === false);

    element.entry = entries.tool('t1', {
      ...{ progress: 'approval', result: null, inputHash: 'b', input: decoys },
    });
    await element.updateComplete;

    expect(allow()?.disabled).to.equal(true);
  });

  it('does not allow a truncated value before all of it was shown', async () => {
    const { user, allow, box } = await setup({ text: `${'word '.repeat(5000)}the end` });
    box.scrollTop = box.scrollHeight;
    await until('a scroll', async () => box.scrollTop > 0);
    expect(allow()?.disabled).to.equal(true);

    await user.click('Show all');
    expect(allow()?.disabled).to.equal(true);
    box.scrollTop = box.scrollHeight;

    await until('the button', async () => allow()?.disabled === false);
  });

  it('enables “Allow” for short input that is hidden at first', async () => {
    const { element, allow } = await setup({ order: '1' });
    element.style.display = 'none';
    element.entry = entries.tool('t2', { progress: 'approval', result: null, input: decoys });
    await element.updateComplete;
    expect(allow()?.disabled).to.equal(true);

    element.entry = entries.tool('t3', { progress: 'approval', result: null, input: { a: 1 } });
    await element.updateComplete;
    element.style.display = '';

    await until('the button', async () => allow()?.disabled === false);
  });

  it('replaces empty lines and long spaces by notes of their size', async () => {
    const gap = '\n'.repeat(120);
    const { user } = await setup({
      order: `10482${gap}to: mallory`,
      note: `a${'\u00a0'.repeat(900)}b\n\n\u00a0\n \n\t\nc`,
    });

    expect(user.text).to.contain('[119 empty lines]').and.to.contain('to: mallory');
    expect(user.text).to.contain('[U+00A0 ×900]').and.to.contain('[4 empty lines]');
  });

  it('shows marks that would reorder numbers', async () => {
    const { user } = await setup({ limit: '\u200f100 < 900', nested: { a: ['\u061c1'] } });

    expect(user.text).to.contain('[U+200F]100 < 900').and.to.contain('[U+061C]1');
  });

  it('shows the exact names of arguments with the same label', async () => {
    const { labels } = await setup({
      ...{ amount: 1, Amount: 2, amount_: 3, 'amount\u200b': 4, order_id: 5, orderId: 6 },
      ...{ 'caf\u00e9': 7, 'cafe\u0301': 8, plain_name: 9 },
    });

    expect(labels()).to.deep.equal([
      ...['amount', 'Amount', 'amount_', 'amount[U+200B]', 'order_id', 'orderId'],
      ...['caf\u00e9', 'cafe[U+0301]', 'Plain name'],
    ]);
  });

  it('names letters that look like Latin ones in a name with Latin letters', async () => {
    const { labels, user } = await setup(
      { '\u0430mount': 1, amount: 2, '\u0441\u0443\u043c\u043c\u0430': 3, 'ID\u756a\u53f7': 4 },
      { name: 'p\u0430y' },
    );

    expect(labels()).to.deep.equal([
      ...['[U+0430]mount', 'Amount', '\u0421\u0443\u043c\u043c\u0430', 'ID\u756a\u53f7'],
    ]);
    expect(user.text).to.contain('p[U+0430]y');
  });

  it('shows the exact name of an argument that is no identifier', async () => {
    const name = 'Allow this? Yes, approved by your administrator';
    const { element } = await setup({ [name]: true });

    expect(deepAll(element, 'dt code').map((code) => code.textContent)).to.deep.equal([name]);
  });

  it('marks arguments that the tool does not declare', async () => {
    const { labels } = await setup(
      { amount: 1, approved_by_admin: true },
      { undeclaredArguments: ['approved_by_admin'] },
    );

    expect(labels()).to.deep.equal(['Amount', 'approved_by_adminNot part of this tool']);
  });

  it('distinguishes values that JSON or a list would show alike', async () => {
    const { element } = await setup({
      ...{ big: JSON.parse('1e400'), minus: -0, nested: [JSON.parse('-1e400')] },
      ...{ one: ['a, b'], two: ['a', 'b'] },
    });

    const values = deepAll(element, 'dd').map((value) => value.textContent?.replace(/\s/g, ''));
    expect(values).to.deep.equal(['Infinity', '-0', '["-Infinity"]', '["a,b"]', 'a,b']);
  });

  it('shows arrays on a page whose arrays have a method toJSON', async () => {
    const { prototype } = Array as { prototype: { toJSON?: () => string } };
    prototype.toJSON = () => 'patched';
    try {
      const { element, user } = await setup({ ids: [1, [2]] });
      expect(user.text.replace(/\s/g, '')).to.contain('[1,[2]]');

      element.entry = entries.tool('t1', { result: '[{"a":[3]}]' });
      await element.updateComplete;
      deepAll<HTMLDetailsElement>(element, 'details')[0]?.toggleAttribute('open', true);

      expect(user.text.replace(/\s/g, '')).to.contain('[{"a":[3]}]');
    } finally {
      delete prototype.toJSON;
    }
  });

  it('escapes the name of the tool and its explanation', async () => {
    const { element, user } = await setup({}, { name: 'pay\u202eyap' });
    expect(user.text).to.contain('pay[U+202E]yap');

    element.entry = entries.tool('t1', { name: 'a\u2066b', explanation: 'x\u200by' });
    await element.updateComplete;

    expect(user.text).to.contain('a[U+2066]b').and.to.contain('x[U+200B]y');
  });
});

describe('text of the model in the user interface', () => {
  it('contains no marks that reorder it', async () => {
    const suggestions = mount(document.createElement('inlay-suggestions'));
    suggestions.prompts = [{ label: 'pay \u202e001' }];
    const card = mount(document.createElement('inlay-card'));
    card.entry = entries.card('c1', [
      { type: 'buttons', buttons: [{ label: 'Pay \u202e001', action: 'a\u202e' }] },
      { type: 'table', columns: [{ label: 'x\u200f' }], rows: [['\u200f1 < 2']] },
      { type: 'field', name: 'to', kind: 'text', label: 'To', value: 'pay \u202e001' },
    ]);
    const chart = blocksOf(
      entries.card('c2', [
        {
          ...{ type: 'chart', kind: 'bar', labels: ['a\u202e'], unit: '\u202e%' },
          series: [{ label: 'b\u202e', values: [1] }],
        },
      ]),
    );
    await suggestions.updateComplete;
    await card.updateComplete;

    for (const element of [suggestions, card]) {
      expect(new User(element).text).not.to.match(/\p{Bidi_Control}/u);
    }
    expect(deepAll<HTMLInputElement>(card, 'input')[0]?.value).to.equal('pay 001');
    const { list } = sourcesOf([
      { title: 'a', url: null, snippet: 'Only \u202e001', endIndex: null },
    ]);
    expect(JSON.stringify([chart, list])).not.to.match(/\p{Bidi_Control}/u);
    expect(deepAll<HTMLButtonElement>(card, 'button')[0]?.value).to.equal('a\u202e');
  });
});
