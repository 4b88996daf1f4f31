import '../../define-all.ts';
import type { ToolEntry } from '@inlay/client';
import { arabic } from '../i18n/languages/ar.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User } from '../testing/user.ts';

async function setup(overrides: Partial<ToolEntry> = {}) {
  const element = mount(document.createElement('inlay-tool-call'));
  element.entry = entries.tool('t1', overrides);
  await element.updateComplete;
  const decisions: unknown[] = [];
  element.addEventListener('inlay-entry-decision-request', ({ detail }) => decisions.push(detail));
  return { element, user: new User(element), decisions };
}

describe('inlay-tool-call', () => {
  it('passes the accessibility audit when finished and when waiting for approval', async () => {
    await expectAccessible((await setup()).element);
    await expectAccessible((await setup({ progress: 'approval', result: null })).element);
  });

  it('shows long values below their name, and short values beside their name', async () => {
    const input = {
      to: 'ada@example.com',
      letter: 'Dear Ada, the lamp arrived broken. '.repeat(9),
    };
    const { element } = await setup({ progress: 'approval', result: null, input });
    element.style.width = '390px';

    const isBelow = deepAll(element, 'dl > div').map(({ children: [name, value] }) => {
      if (!name || !value) return null;
      return value.getBoundingClientRect().top >= name.getBoundingClientRect().bottom;
    });
    expect(isBelow).to.deep.equal([false, true]);
  });

  it('shows the tool’s readable name, its status and its duration', async () => {
    const { user } = await setup();

    expect(user.text).to.contain('Look up order').and.to.contain('Done');
    expect(user.text).to.contain('2 s');
  });

  it('shows its input as a table, with nested values as JSON', async () => {
    const { element } = await setup({
      input: { orderId: '10482', notify: true, tags: ['a', 'b'], note: null, items: [{ sku: 1 }] },
    });

    const rows = deepAll(element, 'dl > div').map((row) => row.textContent?.replace(/\s+/g, ' '));
    expect(rows.map((row) => row?.trim())).to.deep.equal([
      'Order id 10482',
      'Notify Yes',
      'Tags a, b',
      'Note –',
      'Items [ { "sku": 1 } ]',
    ]);
  });

  it('shows empty values', async () => {
    const input = { note: '', tags: [], filter: {}, names: ['', 'Ada'], blanks: [' '] };
    const { element } = await setup({ input });

    const values = deepAll(element, 'dd').map((value) => value.textContent?.replace(/\s+/g, ''));
    expect(values).to.deep.equal(['–', '[]', '{}', '["","Ada"]', '[""]']);
  });

  it('is collapsed, and stays expanded after updates if the user expanded it', async () => {
    const { element } = await setup({ progress: 'running', result: null });
    const [details] = deepAll<HTMLDetailsElement>(element, 'details');
    expect(details?.open).to.equal(false);
    if (details) details.open = true;

    element.entry = entries.tool('t1', { result: '{"ok":true}' });
    await element.updateComplete;

    expect(deepAll<HTMLDetailsElement>(element, 'details')[0]).to.equal(details);
    expect(details?.open).to.equal(true);
    expect(deepAll(element, 'pre')[0]?.textContent).to.equal('{\n  "ok": true\n}');
  });

  it('shows the explanation of a call that needs approval, and announces it once', async () => {
    const element = mount(document.createElement('inlay-tool-call'));
    const announced: string[] = [];
    element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
    const pending = { progress: 'approval' as const, result: null, explanation: 'Refunds 5 €.' };
    element.entry = entries.tool('t1', pending);
    await element.updateComplete;
    element.entry = entries.tool('t1', pending);
    await element.updateComplete;

    expect(announced).to.deep.equal(['Your approval is needed. Refunds 5 €.']);
    expect(new User(element).text).to.contain('Refunds 5 €.').and.to.contain('Order 10482');
    expect(element.shadowRoot?.activeElement).to.equal(null);
  });

  it('asks for approval again if the call has changed', async () => {
    const { element, user } = await setup({ progress: 'approval', result: null, inputHash: 'a' });
    await user.click('Allow');
    expect(user.buttons('Allow')[0]?.disabled).to.equal(true);

    element.entry = entries.tool('t1', {
      progress: 'approval',
      result: null,
      inputHash: 'b',
      input: { order: '999' },
    });
    await element.updateComplete;

    expect(user.text).to.contain('The request has changed').and.to.contain('999');
    expect(user.buttons('Allow')[0]?.disabled).to.equal(false);
  });

  it('shows the decision and its reason', async () => {
    const allowed = await setup({ decision: { result: 'allow', reason: null } });
    expect(allowed.user.text).to.contain('You allowed this.');
    const denied = await setup({
      progress: 'denied',
      decision: { result: 'deny', reason: 'Wrong order' },
    });
    expect(denied.user.text).to.contain('You denied this: Wrong order');
  });

  it('does not claim that the user denied a call that was left unanswered', async () => {
    const { user } = await setup({ progress: 'denied', result: 'The user continued.' });
    expect(user.text).to.contain('Skipped').and.to.contain('because you didn’t answer');
    expect(user.text).not.to.match(/denied/i);
  });

  it('asks for approval with the input expanded, and dispatches the decision', async () => {
    const { element, user, decisions } = await setup({ progress: 'approval', result: null });

    expect(deepAll(element, 'details')).to.have.length(0);
    expect(user.text).to.contain('Order 10482');
    await user.click('Allow');

    expect(decisions).to.deep.equal([{ key: 't1', result: 'allow', reason: '' }]);
    expect(user.buttons('Allow')[0]?.disabled).to.equal(true);
  });

  it('dispatches the reason of a denial', async () => {
    const { element, user, decisions } = await setup({ progress: 'approval', result: null });
    await user.click('Deny');
    const [field] = deepAll<HTMLInputElement>(element, 'input');
    if (field) field.value = ' Wrong order ';

    await user.click('Deny');

    expect(decisions).to.deep.equal([{ key: 't1', result: 'deny', reason: 'Wrong order' }]);
  });

  it('disables its buttons while it is locked', async () => {
    const { element, user } = await setup({ progress: 'approval', result: null });
    element.locked = true;
    await element.updateComplete;

    expect(user.buttons('Allow')[0]?.disabled).to.equal(true);
  });

  it('makes invisible characters visible when it asks for approval', async () => {
    const { user } = await setup({
      progress: 'approval',
      result: null,
      explanation: 'Pays \u202e0001 € to Ada.',
      input: { to: 'ada\u202e', notes: ['\u2066'], more: { deep: '\u202e' } },
    });

    expect(user.text).to.contain('Pays [U+202E]0001 €').and.to.contain('ada[U+202E]');
    expect(user.text).not.to.match(/[\u202e\u2066]/);
  });

  it('asks in a right-to-left language without visible control characters', async () => {
    const { element, user } = await setup({ progress: 'approval', result: null });
    element.strings = arabic;
    await element.updateComplete;

    expect(user.text).to.contain('Look up order').and.not.to.contain('[U+');
  });

  it('accepts another decision if the page prevents the first', async () => {
    const { element, user } = await setup({ progress: 'approval', result: null });
    element.addEventListener('inlay-entry-decision-request', (event) => event.preventDefault());

    await user.click('Allow');

    expect(user.buttons('Allow')[0]?.disabled).to.equal(false);
  });

  it('shows and announces that the decision was not sent, and accepts another decision', async () => {
    const { element, user } = await setup({ progress: 'approval', result: null });
    const announced: string[] = [];
    element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
    await user.click('Allow');
    expect(user.buttons('Allow')[0]?.disabled).to.equal(true);

    element.uiStates = new Map(element.uiStates).set('t1', { announced: true, decision: 'unsent' });
    await element.updateComplete;

    expect(user.buttons('Allow')[0]?.disabled).to.equal(false);
    expect(user.text).to.contain('Not sent');
    expect(announced).to.deep.equal(['Not sent. Try again.']);
    await user.click('Allow');
    expect(user.text).not.to.contain('Not sent');
  });

  it('shows long input in full after a click on “Show all”', async () => {
    const text = `${'word '.repeat(5000)}and the end`;
    const { element, user } = await setup({ progress: 'approval', result: null, input: { text } });
    expect(user.text).not.to.contain('and the end');

    await user.click('Show all');

    expect(user.text).to.contain('and the end');
    expect(element.shadowRoot?.activeElement?.className).to.equal('input');
    expect(user.buttons('Show all')).to.have.length(0);
  });

  it('truncates a long list of short strings until a click on “Show all”', async () => {
    const ids = [...Array.from({ length: 3000 }, (_, index) => `order-${index}`), 'the end'];
    const { user } = await setup({ progress: 'approval', result: null, input: { ids } });
    expect(user.text).to.contain('order-0, order-1').and.not.to.contain('the end');

    await user.click('Show all');

    expect(user.text).to.contain('the end');
  });

  it('has no “Show all” if a list is shown in full', async () => {
    // As JSON, the list would be longer than the limit.
    const ids = [...Array.from({ length: 3000 }, () => 'abc'), 'the end'];
    const { user } = await setup({ progress: 'approval', result: null, input: { ids } });

    expect(user.text).to.contain('the end');
    expect(user.buttons('Show all')).to.have.length(0);
  });
});
