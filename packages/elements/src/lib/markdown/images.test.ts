import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { until } from '../testing/user.ts';

/** A unique URL of an image on the test server. */
const imageUrl = () =>
  `${location.origin}/docs/inlay.png?${crypto.getRandomValues(new Uint32Array(1))}`;

/** A unique URL of an image whose first requests fail. */
const unreliableUrl = (failures: number) =>
  `${location.origin}/unreliable-image/${crypto.randomUUID()}?failures=${failures}`;

async function setup(text: string, streaming = false) {
  const element = mount(document.createElement('inlay-markdown'));
  Object.assign(element, { text, streaming });
  await element.updateComplete;
  const find = <T extends HTMLElement>(selector: string) =>
    element.shadowRoot?.querySelector<T>(selector) ?? null;
  return { element, find };
}

const requestCount = (url: string) => performance.getEntriesByName(url).length;

describe('a blocked image', () => {
  it('is a button with its alternative text and host, and is not requested', async () => {
    const url = imageUrl();
    const { element, find } = await setup(`![Sales by month](${url})`);

    expect(find('[part=blocked-image]')?.textContent).to.equal(
      `Sales by monthLoad image from ${location.host}`,
    );
    expect(find('img')).to.equal(null);
    expect(requestCount(url)).to.equal(0);
    await expectAccessible(element);
  });

  it('is loaded on click, without a referrer, and without other images', async () => {
    const [url, otherUrl] = [imageUrl(), imageUrl()];
    const { find } = await setup(`![a](${url} "b") ![c](${otherUrl})`);
    find('[part=blocked-image]')?.focus();
    find('[part=blocked-image]')?.click();
    find('[part=blocked-image]')?.click();
    const image = await until('the image', () => find<HTMLImageElement>('img'));

    expect([image.alt, image.title, image.referrerPolicy, image.crossOrigin]).to.deep.equal([
      'a',
      'b',
      'no-referrer',
      'anonymous',
    ]);
    expect(image.complete && image.naturalWidth > 0).to.equal(true);
    expect(image.getBoundingClientRect().height).to.be.at.most(360);
    expect(image.closest('button')?.matches(':focus')).to.equal(true);
    expect(find('[part=blocked-image]')?.textContent).to.contain('c');
    expect(requestCount(otherUrl)).to.equal(0);
  });

  it('stays loaded while its paragraph streams', async () => {
    const url = imageUrl();
    const { element, find } = await setup(`![a](${url}) and`, true);
    find('[part=blocked-image]')?.click();
    await until('the image', () => find('img'));
    element.text += ' more **of** it';
    await element.updateComplete;

    expect(find<HTMLImageElement>('img')?.src).to.equal(url);
  });

  it('shows a message if it can’t be loaded, and stops being busy', async () => {
    const { find } = await setup(`![a](${location.origin}/nothing-here.png?${Math.random()})`);
    find('[part=blocked-image]')?.click();
    await until('the message', () =>
      find('[part=blocked-image]')?.textContent?.includes('couldn’t be loaded'),
    );

    expect(find('[part=blocked-image]')?.ariaBusy).not.to.equal('true');
  });

  it('is loaded without CORS if the request with CORS fails', async () => {
    const url = unreliableUrl(1);
    const { find } = await setup(`![a](${url})`);
    find('[part=blocked-image]')?.click();
    const image = await until('the image', () => find<HTMLImageElement>('img'));

    expect(image.crossOrigin).to.equal(null);
    expect(image.naturalWidth).to.equal(20);
  });

  it('is loaded by another click after a failure', async () => {
    const url = unreliableUrl(2);
    const { find } = await setup(`![a](${url})`);
    find('[part=blocked-image]')?.click();
    await until('the message', () =>
      find('[part=blocked-image]')?.textContent?.includes('couldn’t be loaded'),
    );
    find('[part=blocked-image]')?.click();

    expect(find('[part=blocked-image]')?.textContent).not.to.contain('couldn’t be loaded');
    const image = await until('the image', () => find<HTMLImageElement>('img'));
    expect(image.naturalWidth).to.equal(20);
  });

  it('is outside its link before it is loaded, and inside the link afterwards', async () => {
    const url = imageUrl();
    const { element, find } = await setup(`[see ![a](${url})](https://a.example)`);
    const button = find('[part=blocked-image]');

    expect(button?.closest('a')).to.equal(null);
    expect(find('a')?.textContent).to.equal('see ');
    await expectAccessible(element);
    button?.click();
    const image = await until('the image', () => find<HTMLImageElement>('img'));
    expect(image.closest('a')?.href).to.equal('https://a.example/');
  });
});
