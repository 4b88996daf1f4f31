import '../../define-all.ts';
import type { Session } from '@inlay/protocol';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';
import type { InlayConversationItem } from './conversation-item.ts';

const session: Session = {
  type: 'session',
  id: 'ses_1',
  agent: { type: 'agent', id: 'agt_1', name: 'Ada', version: '1' },
  status: 'idle',
  title: null,
  preview: 'Where is my order?',
  metadata: {},
  budget: null,
  usage: { input_tokens: 0, output_tokens: 0, spent_cents: 0 },
  created_at: '2026-05-04T09:00:00Z',
  updated_at: '2026-05-04T09:00:00Z',
  archived_at: null,
};

async function setup(options: Partial<InlayConversationItem> = {}) {
  const element = mount(
    Object.assign(document.createElement('inlay-conversation-item'), { session, ...options }),
  );
  await element.updateComplete;
  const openMenu = () => deepAll<HTMLButtonElement>(element, '.more')[0]?.click();
  return { element, user: new User(element), openMenu };
}

const focused = (element: InlayConversationItem) => element.shadowRoot?.activeElement;
const press = (element: InlayConversationItem, key: string) =>
  focused(element)?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));

const pointerDown = (target: Element) =>
  target.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));

describe('inlay-conversation-item', () => {
  it('leaves room for the button of its actions only while the button is visible', async () => {
    const { element, openMenu } = await setup();
    const space = () => {
      const [row] = deepAll(element, '.conversation');
      return row ? getComputedStyle(row).paddingInlineEnd : null;
    };
    // Without hover, the button is always visible.
    expect(space()).to.equal(matchMedia('(hover: hover)').matches ? '12px' : '40px');

    openMenu();
    await element.updateComplete;

    expect(space()).to.equal('40px');
  });

  it('shows its title, otherwise its first message, otherwise a default', async () => {
    const { element, user } = await setup();
    expect(user.text).to.contain('Where is my order?');
    await expectAccessible(element);

    element.session = { ...session, title: 'Parcel' };
    await user.sees('Parcel');
    element.session = { ...session, preview: null };
    await user.sees('New conversation');
  });

  it('shows the start of the last message without Markdown, unless it is the title', async () => {
    const { element, user } = await setup({
      session: {
        ...session,
        last_message: '# Parcel\n**It** is on\u202e its [way](https://a.example).',
      },
    });
    await user.sees('Parcel. It is on its way.');

    element.session = { ...session, last_message: session.preview ?? null };
    await user.seesNo('Parcel');
    expect(user.text.match(/Where is my order/g)).to.have.length(1);
  });

  it('cuts a long title at its end, also in a list of the other direction', async () => {
    const { element } = await setup({
      session: { ...session, title: `Where is ${'x'.repeat(99)}` },
    });
    element.style.cssText = 'direction: rtl; inline-size: 200px';
    const [title] = deepAll(element, '.title');
    const start = document.createRange();
    start.selectNodeContents(title as Element);
    start.setEnd(start.startContainer.childNodes[1] ?? start.startContainer, 1);

    const box = title?.getBoundingClientRect();
    expect(start.getBoundingClientRect().left).to.be.at.least(box?.left ?? Infinity);
  });

  it('cuts a long title in its question and in the name of its menu button', async () => {
    const { user, openMenu } = await setup({
      deletable: true,
      session: { ...session, title: `${'😀'.repeat(150)}${'x'.repeat(150)}` },
    });
    const cut = `${'😀'.repeat(59)}…`;
    expect(user.buttons(`Actions for ${cut}`)).to.have.length(1);
    openMenu();
    await user.click('Delete');

    await user.sees(`Delete “${cut}”?`);
  });

  it('trims the new title and dispatches it', async () => {
    const { element, user, openMenu } = await setup();
    const names: string[] = [];
    element.addEventListener('inlay-conversation-rename', ({ detail }) => names.push(detail.title));
    openMenu();
    await user.click('Rename');
    const field = await until('the field', () =>
      deepAll<HTMLInputElement>(element, 'input:focus').at(0),
    );
    field.value = '  Parcel  ';
    await user.click('Save');

    expect(names).to.deep.equal(['Parcel']);
  });

  it('offers the shown title for editing, also if it is the first message', async () => {
    const { element, user, openMenu } = await setup();
    openMenu();
    await user.click('Rename');
    const field = await until('the field', () =>
      deepAll<HTMLInputElement>(element, 'input:focus').at(0),
    );

    expect(field.value).to.equal('Where is my order?');
    expect([field.selectionStart, field.selectionEnd]).to.deep.equal([0, field.value.length]);
  });

  it('closes its confirmation when the action is done', async () => {
    const { element, user, openMenu } = await setup({ deletable: true });
    openMenu();
    await user.click('Delete');
    await user.sees('Delete “Where is my order?”?');
    await expectAccessible(element);

    element.busy = true;
    await element.updateComplete;
    expect(user.buttons('Delete')[0]?.disabled).to.equal(true);
    element.busy = false;

    await user.sees('Where is my order?');
    expect(user.text).not.to.contain('This can’t be undone');
  });

  it('moves focus to Cancel when it asks for confirmation, and back to the menu button after a click on Cancel', async () => {
    const { element, user, openMenu } = await setup({ deletable: true });
    openMenu();
    await user.click('Delete');
    await until('Cancel', () => focused(element)?.textContent?.trim() === 'Cancel');
    await user.click('Cancel');

    await until('the button', () => focused(element)?.matches('.more') ?? false);
  });

  it('moves through its menu with the arrow keys, and closes it with Escape', async () => {
    const { element, user, openMenu } = await setup({ deletable: true });
    openMenu();
    await until('Rename', () => focused(element)?.textContent?.includes('Rename') ?? false);
    await expectAccessible(element);
    press(element, 'ArrowUp');
    expect(focused(element)?.textContent).to.contain('Delete');
    press(element, 'ArrowDown');
    expect(focused(element)?.textContent).to.contain('Rename');

    press(element, 'Escape');
    await until('the button', () => focused(element)?.matches('.more') ?? false);
    finishAnimations(element);
    expect(user.text).not.to.contain('Rename');
  });

  it('keeps its menu open when the user clicks inside the item, even if the item is in a shadow tree', async () => {
    const { element, user, openMenu } = await setup();
    mount(document.createElement('div')).attachShadow({ mode: 'open' }).append(element);
    openMenu();
    await user.sees('Rename');

    pointerDown(deepAll(element, '.item')[0] as Element);
    await element.updateComplete;
    expect(user.text).to.contain('Rename');
  });

  it('closes its menu when the user clicks elsewhere', async () => {
    const { element, user, openMenu } = await setup();
    openMenu();
    await user.sees('Rename');

    pointerDown(document.body);
    await element.updateComplete;
    finishAnimations(element);
    expect(user.text).not.to.contain('Rename');
  });
});
