import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User, until } from '../testing/user.ts';
import type { FileBlock, LoadFile } from './file.ts';

const source = { type: 'file' as const, file_id: 'file_1' };
const image: FileBlock = { type: 'image', source };
const invoice: FileBlock = { type: 'document', source, title: 'Invoice.pdf' };

async function pixels(): Promise<Blob> {
  const canvas = document.createElement('canvas');
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('There is no picture.'))));
  });
}

async function setup(block: FileBlock, loadFile: LoadFile | null) {
  const element = mount(document.createElement('inlay-file'));
  Object.assign(element, { block, loadFile });
  await element.updateComplete;
  return { element, user: new User(element) };
}

describe('inlay-file', () => {
  it('passes the accessibility audit, as a picture and as a name', async () => {
    const { element } = await setup(image, pixels);
    await until('the picture', () => deepAll(element, 'img')[0]);
    await expectAccessible(element);
    await expectAccessible((await setup(invoice, pixels)).element);
  });

  it('gives the address of a picture back when it leaves, and fetches it again when it is back', async () => {
    let loads = 0;
    const { element } = await setup(image, () => {
      loads += 1;
      return pixels();
    });
    const { src } = await until('the picture', () => deepAll<HTMLImageElement>(element, 'img')[0]);

    element.remove();
    const gone = await fetch(src).then(
      () => false,
      () => true,
    );
    mount(element);
    await until('the picture again', () => deepAll(element, 'img')[0]);

    expect(gone).to.equal(true);
    expect(loads).to.equal(2);
  });

  it('shows its name where a picture can not be fetched, or is none', async () => {
    const { user } = await setup(image, () => Promise.reject(new Error('offline')));
    await user.sees('Could not be loaded');

    const broken = await setup(image, async () => new Blob(['no picture'], { type: 'image/png' }));
    await until('the name', () => deepAll(broken.element, '.chip')[0]);
    await broken.user.sees('Image');
  });

  it('fetches a document only when it is wanted, and saves it under its name', async () => {
    const saved: string[] = [];
    const wanted: string[] = [];
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function () {
      saved.push(this.download);
    };
    const { user } = await setup(invoice, async (id) => {
      wanted.push(id);
      return new Blob(['x'.repeat(23_000)]);
    });
    expect(wanted).to.deep.equal([]);

    await user.click('Download Invoice.pdf');
    await until('a saved file', () => saved.length > 0);
    HTMLAnchorElement.prototype.click = click;

    expect(wanted).to.deep.equal(['file_1']);
    expect(saved).to.deep.equal(['Invoice.pdf']);
    await user.sees('23 kB');
  });

  it('stops fetching when it leaves', async () => {
    let signal: AbortSignal | undefined;
    const { element } = await setup(image, (_id, given) => {
      signal = given;
      return new Promise(() => {});
    });

    element.remove();

    expect(signal?.aborted).to.equal(true);
  });

  it('can not be pressed where nothing can be fetched', async () => {
    const { user } = await setup(invoice, null);

    expect(user.buttons('Download Invoice.pdf')[0]?.disabled).to.equal(true);
  });

  it('gives the address of what is no picture back at once', async () => {
    const given: string[] = [];
    const { revokeObjectURL } = URL;
    URL.revokeObjectURL = (address) => {
      given.push(address);
      revokeObjectURL.call(URL, address);
    };
    const broken = async () => new Blob(['no picture'], { type: 'image/png' });
    const { element } = await setup(image, broken);
    await until('the name', () => deepAll(element, '.chip')[0] && given.length > 0);
    URL.revokeObjectURL = revokeObjectURL;

    expect(given).to.have.length(1);
  });
});
