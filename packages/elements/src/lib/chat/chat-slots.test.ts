import '../../define-all.ts';
import { expect, mount } from '../testing/fixture.ts';
import { mountChat, onTestEnd } from '../testing/host-page.ts';
import { testPlatform } from '../testing/platform.ts';
import { User, until } from '../testing/user.ts';

type Tag = 'inlay-chat' | 'inlay-launcher';

/** Adds a paragraph for each of the slots. */
function fill(element: Element, names: readonly string[]) {
  for (const name of names) {
    const part = document.createElement('p');
    part.slot = name;
    part.textContent = `The page’s ${name}`;
    element.append(part);
  }
}

async function setup(tag: Tag, names: readonly string[]) {
  const platform = testPlatform();
  const element = document.createElement(tag);
  Object.assign(element, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' });
  fill(element, names);
  mount(element).style.height = '600px';
  if ('show' in element) element.show();
  await until('the agent', () => platform.requests().some(({ name }) => /config/.test(name)));
  return { element, user: new User(element) };
}

const slotNames = ['avatar', 'header', 'actions', 'empty', 'footer'];

/** Whether an element is visible and has a height. */
const isSeen = (part: Element) => part.checkVisibility() && part.getBoundingClientRect().height > 0;

for (const tag of ['inlay-chat', 'inlay-launcher'] as const) {
  describe(`slots of ${tag}`, () => {
    it('show the content of the page instead of the default content', async () => {
      const { element, user } = await setup(tag, slotNames);

      for (const name of slotNames) await user.sees(`The page’s ${name}`);
      await until('all of it', () => [...element.children].every(isSeen));
      expect(user.text).not.to.contain('Hello kim');
      expect(user.text).not.to.contain('Orders and returns');
    });

    it('show the default content if the page fills no slot', async () => {
      const { user } = await setup(tag, []);

      await user.sees('Hello kim');
      await user.sees('Orders and returns');
    });
  });
}

describe('a chat with a conversation', () => {
  it('hides the content of the slot “empty”, and shows the content of the slot “footer”', async () => {
    const { chat, user } = await mountChat();
    fill(chat, ['empty', 'footer']);
    onTestEnd(() => chat.replaceChildren());

    await user.sees('The page’s footer');

    const [empty, footer] = chat.children;
    expect(empty && isSeen(empty)).to.equal(false);
    expect(footer && isSeen(footer)).to.equal(true);
  });
});
