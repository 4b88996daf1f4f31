import '../../define-all.ts';
import { english } from '../i18n/all-strings.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User, until } from '../testing/user.ts';
import type { FileBlock, LoadFile } from './file.ts';

const source = { type: 'file' as const, file_id: 'file_1' };
const image: FileBlock = { type: 'image', source };
const invoice: FileBlock = { type: 'document', source, title: 'Invoice.pdf' };

async function createImage(): Promise<Blob> {
  const canvas = document.createElement('canvas');
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new Error('The engine can’t encode a canvas.')),
    );
  });
}

async function setup(block: FileBlock, loadFile: LoadFile | null) {
  const element = mount(document.createElement('inlay-file'));
  Object.assign(element, { block, loadFile });
  await element.updateComplete;
  return { element, user: new User(element) };
}

describe('inlay-file', () => {
  it('passes the accessibility audit as an image and as a document', async () => {
    const { element } = await setup(image, createImage);
    await until('the image', () => deepAll(element, 'img')[0]);
    await expectAccessible(element);
    await expectAccessible((await setup(invoice, createImage)).element);
  });

  it('revokes its image URL when it is removed, and loads the image again when it is inserted', async () => {
    let loads = 0;
    const { element } = await setup(image, () => {
      loads += 1;
      return createImage();
    });
    const { src } = await until('the image', () => deepAll<HTMLImageElement>(element, 'img')[0]);

    element.remove();
    const revoked = await fetch(src).then(
      () => false,
      () => true,
    );
    mount(element);
    await until('the image again', () => deepAll(element, 'img')[0]);

    expect(revoked).to.equal(true);
    expect(loads).to.equal(2);
  });

  it('shows a name instead of an image that can’t be loaded or decoded', async () => {
    const { user } = await setup(image, () => Promise.reject(new Error('offline')));
    await user.sees('Couldn’t be loaded');

    const broken = await setup(image, async () => new Blob(['no image'], { type: 'image/png' }));
    await until('the name', () => deepAll(broken.element, '.chip')[0]);
    await broken.user.sees('Image');
  });

  it('loads a document only when it is clicked, and saves it under its name', async () => {
    const saved: string[] = [];
    const loaded: string[] = [];
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function () {
      saved.push(this.download);
    };
    const { user } = await setup(invoice, async (id) => {
      loaded.push(id);
      return new Blob(['x'.repeat(23_000)]);
    });
    expect(loaded).to.deep.equal([]);

    await user.click('Download Invoice.pdf');
    await until('a saved file', () => saved.length > 0);
    HTMLAnchorElement.prototype.click = click;

    expect(loaded).to.deep.equal(['file_1']);
    expect(saved).to.deep.equal(['Invoice.pdf']);
    await user.sees('23 kB');
  });

  it('shows the size of a document before it is loaded, in the units of the language', async () => {
    const sized = (size_bytes: number | null) => ({ ...invoice, size_bytes });
    const { element, user } = await setup(sized(1_234_567), null);
    await user.sees('1.2 MB');
    await expectAccessible(element);
    expect(user.buttons('Download Invoice.pdf. 1.2 MB')).to.have.length(1);

    element.strings = { ...english, locale: 'de' };
    await user.sees('1,2 MB');
    element.block = sized(-1);
    await user.seesNo('MB');
    element.block = sized(null);
    await element.updateComplete;
    expect(deepAll(element, '.note')).to.deep.equal([]);
  });

  it('isolates a name with characters that change the direction of text', async () => {
    const title = 'a\u202efdp.exe';
    const { element } = await setup({ ...invoice, title, size_bytes: 2_000 }, null);

    const [name] = deepAll(element, 'bdi');
    expect(name?.textContent).not.to.contain('\u202e');
    expect(deepAll(element, '.note')[0]?.textContent).to.equal('2 kB');
    expect(deepAll(element, '.note')[0]?.closest('bdi')).to.equal(null);
  });

  it('aborts a pending load when it is removed', async () => {
    let signal: AbortSignal | undefined;
    const { element } = await setup(image, (_id, receivedSignal) => {
      signal = receivedSignal;
      return new Promise(() => {});
    });

    element.remove();

    expect(signal?.aborted).to.equal(true);
  });

  it('is disabled without a function that loads files', async () => {
    const { user } = await setup(invoice, null);

    expect(user.buttons('Download Invoice.pdf')[0]?.disabled).to.equal(true);
  });

  it('revokes the URL of an image that can’t be decoded', async () => {
    const revoked: string[] = [];
    const { revokeObjectURL } = URL;
    URL.revokeObjectURL = (url) => {
      revoked.push(url);
      revokeObjectURL.call(URL, url);
    };
    const broken = async () => new Blob(['no image'], { type: 'image/png' });
    const { element } = await setup(image, broken);
    await until('the name', () => deepAll(element, '.chip')[0] && revoked.length > 0);
    URL.revokeObjectURL = revokeObjectURL;

    expect(revoked).to.have.length(1);
  });

  it('has less padding before its icon than after its name, in both text directions', async () => {
    const { element } = await setup(invoice, null);
    const [chip] = deepAll(element, '.chip');

    for (const direction of ['ltr', 'rtl']) {
      element.dir = direction;
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(chip as Element);
      expect([direction, paddingInlineStart, paddingInlineEnd]).to.deep.equal([
        direction,
        '8px',
        '12px',
      ]);
    }
  });
});
