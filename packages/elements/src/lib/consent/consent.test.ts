import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User } from '../testing/user.ts';

describe('inlay-consent', () => {
  it('shows the text with its links, and dispatches inlay-consent-given', async () => {
    const element = mount(
      Object.assign(document.createElement('inlay-consent'), {
        text: 'We keep it. [Why](https://a.example/why)',
      }),
    );
    let accepted = 0;
    element.addEventListener('inlay-consent-given', () => {
      accepted += 1;
    });
    const user = new User(element);
    await user.sees('We keep it.');
    await expectAccessible(element);
    expect(deepAll<HTMLAnchorElement>(element, 'a')[0]?.href).to.equal('https://a.example/why');

    await user.click('Accept and continue');

    expect(accepted).to.equal(1);
  });
});
