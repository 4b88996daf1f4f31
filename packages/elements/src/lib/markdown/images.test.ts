import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { until } from '../testing/user.ts';

/** A picture that this page's own server has, and that no other request asks for. */
const picture = () =>
  `${location.origin}/docs/inlay.png?${crypto.getRandomValues(new Uint32Array(1))}`;

async function setup(text: string, streaming = false) {
  const element = mount(document.createElement('inlay-markdown'));
  Object.assign(element, { text, streaming });
  await element.updateComplete;
  const find = <T extends HTMLElement>(selector: string) =>
    element.shadowRoot?.querySelector<T>(selector) ?? null;
  return { element, find };
}

const asked = (address: string) => performance.getEntriesByName(address).length;

describe('a blocked picture', () => {
  it('is a button that names its host and what it shows, and asks for nothing', async () => {
    const address = picture();
    const { element, find } = await setup(`![Sales by month](${address})`);

    expect(find('[part=blocked-image]')?.textContent).to.equal(
      `Sales by monthLoad image from ${location.host}`,
    );
    expect(find('img')).to.equal(null);
    expect(asked(address)).to.equal(0);
    await expectAccessible(element);
  });

  it('is loaded when the person wants it, alone, and without telling where from', async () => {
    const [address, another] = [picture(), picture()];
    const { find } = await setup(`![a](${address} "b") ![c](${another})`);
    find('[part=blocked-image]')?.focus();
    find('[part=blocked-image]')?.click();
    find('[part=blocked-image]')?.click();
    const image = await until('the picture', () => find<HTMLImageElement>('img'));

    expect([image.alt, image.title, image.referrerPolicy, image.crossOrigin]).to.deep.equal([
      'a',
      'b',
      'no-referrer',
      'anonymous',
    ]);
    expect(image.complete && image.naturalWidth > 0).to.equal(true);
    expect(image.getBoundingClientRect().height).to.be.at.most(360);
    expect(image.matches(':focus')).to.equal(true);
    expect(find('[part=blocked-image]')?.textContent).to.contain('c');
    expect(asked(another)).to.equal(0);
  });

  it('stays loaded while the paragraph around it is still being written', async () => {
    const address = picture();
    const { element, find } = await setup(`![a](${address}) and`, true);
    find('[part=blocked-image]')?.click();
    await until('the picture', () => find('img'));
    element.text += ' more **of** it';
    await element.updateComplete;

    expect(find<HTMLImageElement>('img')?.src).to.equal(address);
  });

  it('says so when it can not be loaded, and can be tried again', async () => {
    const { find } = await setup(`![a](${location.origin}/nothing-here.png?${Math.random()})`);
    find('[part=blocked-image]')?.click();
    await until('the words', () =>
      find('[part=blocked-image]')?.textContent?.includes('could not be loaded'),
    );

    expect(find('[part=blocked-image]')?.ariaBusy).not.to.equal('true');
  });

  it('is the only target where it stands in a link, and is linked when it is loaded', async () => {
    const address = picture();
    const { element, find } = await setup(`[see ![a](${address})](https://a.example)`);
    const button = find('[part=blocked-image]');

    expect(button?.closest('a')).to.equal(null);
    expect(find('a')?.textContent).to.equal('see ');
    await expectAccessible(element);
    button?.click();
    const image = await until('the picture', () => find<HTMLImageElement>('img'));
    expect(image.closest('a')?.href).to.equal('https://a.example/');
  });
});
