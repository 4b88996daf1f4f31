import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User } from '../testing/user.ts';

async function setup(text: string) {
  const element = mount(document.createElement('inlay-user-message'));
  element.entry = entries.user('u', text);
  await element.updateComplete;
  await deepAll<HTMLElementTagNameMap['inlay-user-text']>(element, 'inlay-user-text')[0]
    ?.updateComplete;
  return { element, user: new User(element) };
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `Line ${index}`);

describe('inlay-user-text', () => {
  it('collapses more than 12 lines until the user shows all', async () => {
    const { element, user } = await setup(lines(50).join('\n'));
    const height = () => deepAll(element, '.bubble')[0]?.offsetHeight ?? 0;
    const collapsed = height();
    await expectAccessible(element);

    await user.click('Show all');
    expect(height()).to.be.above(3 * collapsed);
    expect(user.buttons('Show all')).to.have.length(0);
    expect(user.text).to.contain('Line 49');
  });

  it('can be shown in full if a hidden URL overflows behind the button', async () => {
    const { element, user } = await setup(
      `${'a long line that wraps '.repeat(40)}https://shop.example/${'path'.repeat(80)}`,
    );
    expect(user.buttons('Show all')).to.have.length(1);

    await expectAccessible(element);
  });

  it('does not collapse 12 lines', async () => {
    const { user } = await setup([...lines(11), 'https://example.com'].join('\n'));
    expect(user.buttons('Show all')).to.have.length(0);
  });

  it('links URLs without the punctuation after them, unless the page prevents it', async () => {
    const { element } = await setup('See https://shop.example/a?b=(c). Or <https://x.example/>!');
    const links = deepAll<HTMLAnchorElement>(element, 'a');
    expect(links.map(({ textContent }) => textContent)).to.deep.equal([
      'https://shop.example/a?b=(c',
      'https://x.example/',
    ]);
    expect(links[0]?.rel).to.contain('noopener');

    const requested: string[] = [];
    element.addEventListener('inlay-link-request', (event) => {
      requested.push(event.detail.href);
      event.preventDefault();
    });
    links[1]?.click();
    expect(requested).to.deep.equal(['https://x.example/']);
  });
});
