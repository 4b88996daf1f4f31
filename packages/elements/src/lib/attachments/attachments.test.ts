import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User, until } from '../testing/user.ts';
import { refusalOf } from './attachment-policy.ts';
import type { Attachment } from './uploads.ts';

const attachment = (
  key: number,
  name: string,
  overrides: Partial<Attachment> = {},
): Attachment => ({
  key,
  file: new File(['text'], name, { type: 'text/plain' }),
  state: 'uploading',
  progress: 0.25,
  refusal: null,
  uploaded: null,
  ...overrides,
});

describe('inlay-attachments', () => {
  it('aligns name and state at the start, in any direction of their texts', async () => {
    const items = [attachment(1, 'a.txt'), attachment(2, 'לוח זמנים של הרכבות.txt')];
    const element = mount(
      Object.assign(document.createElement('inlay-attachments'), { items, dir: 'rtl' }),
    );
    await element.updateComplete;

    const ends = (selector: string) =>
      deepAll(element, selector).map((each) => {
        const text = document.createRange();
        text.selectNodeContents(each);
        return Math.round(text.getBoundingClientRect().right);
      });
    expect(ends('.state')).to.deep.equal(ends('.name'));
  });

  for (const dir of ['ltr', 'rtl'] as const) {
    it(`scrolls to an added file, and to the first refused file (${dir})`, async () => {
      const element = mount(Object.assign(document.createElement('inlay-attachments'), { dir }));
      element.style.cssText = 'display: block; inline-size: 320px';
      const names = async (...items: Attachment[]) => {
        element.items = items;
        await element.updateComplete;
        const box = element.getBoundingClientRect();
        return deepAll(element, 'li')
          .filter((item) => {
            const { left, right } = item.getBoundingClientRect();
            return left >= box.left && right <= box.right;
          })
          .map((item) => item.querySelector('.name')?.textContent);
      };
      const photo = attachment(1, 'a photo with a very long name.jpg');
      const movie = attachment(2, 'a movie with a very long name.mp4', {
        state: 'refused',
        refusal: 'wrong_type',
      });
      const text = attachment(3, 'a text with a very long name.txt');

      expect(await names(photo)).to.deep.equal([photo.file.name]);
      expect(await names(photo, { ...text, key: 4 })).to.deep.equal([text.file.name]);
      expect(await names(photo, movie, text)).to.deep.equal([movie.file.name]);
      element.renderRoot.querySelector('ul')?.scrollTo(0, 0);
      const done = { ...text, state: 'done' } as const;
      expect(await names(photo, movie, done)).to.deep.equal([photo.file.name]);
      expect(await names(photo, movie, { ...text, state: 'failed' })).to.deep.equal([
        text.file.name,
      ]);
    });
  }

  it('shows the state of each file, and dispatches an event when the user retries or removes a file', async () => {
    const element = mount(
      Object.assign(document.createElement('inlay-attachments'), {
        items: [
          attachment(1, 'one.txt'),
          attachment(2, 'two.txt', { state: 'done' }),
          attachment(3, 'three.txt', { state: 'failed' }),
          attachment(4, 'four.txt', { state: 'refused', refusal: 'too_large' }),
        ],
        policy: { maxBytes: 2_500_000, maxFiles: 4, mediaTypes: [] },
      }),
    );
    const requested: string[] = [];
    element.addEventListener('inlay-attachment-remove', ({ detail }) =>
      requested.push(`remove ${detail.key}`),
    );
    element.addEventListener('inlay-attachment-retry', ({ detail }) =>
      requested.push(`retry ${detail.key}`),
    );
    const user = new User(element);
    await user.sees('25%');
    await user.sees('4 byte');
    await user.sees('Not uploaded');
    await user.sees('Larger than 2.5 MB');
    await expectAccessible(element);
    expect(
      deepAll<HTMLProgressElement>(element, 'progress').map(({ value }) => value),
    ).to.deep.equal([0.25]);

    await user.click('Try again: three.txt');
    await user.click('Remove four.txt');

    expect(requested).to.deep.equal(['retry 3', 'remove 4']);
  });

  it('announces files that are added, attached, refused and failed', async () => {
    const element = mount(document.createElement('inlay-attachments'));
    const said: string[] = [];
    element.addEventListener('inlay-announce', ({ detail }) => said.push(detail.text));
    const [one, two] = [attachment(1, 'one.txt'), attachment(2, 'two.txt')];
    const show = async (...items: Attachment[]) => {
      element.items = items;
      await element.updateComplete;
      return said.splice(0);
    };

    expect(await show(one, two)).to.deep.equal(['Uploading one.txt and two.txt']);
    expect(await show({ ...one, progress: 0.5 }, two)).to.deep.equal([]);
    expect(await show({ ...one, state: 'done' }, { ...two, state: 'failed' })).to.deep.equal([
      'Attached: one.txt',
      'two.txt: Not uploaded',
    ]);
  });

  it('has a moving bar while the progress is unknown', async () => {
    const items = [0, 0.5, 1].map((progress, key) => attachment(key, `${key}.txt`, { progress }));
    const element = mount(Object.assign(document.createElement('inlay-attachments'), { items }));
    await element.updateComplete;

    const bars = deepAll<HTMLProgressElement>(element, 'progress');
    expect(bars.map(({ position }) => position)).to.deep.equal([-1, 0.5, -1]);
    const moving = bars.map((bar) => getComputedStyle(bar).animationName !== 'none');
    expect(moving).to.deep.equal([true, false, true]);
    await expectAccessible(element);
  });

  it('shows a large picture as a thumbnail that opens it, and the name of one that can’t be decoded', async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 12_000, height: 600 });
    const context = canvas.getContext('2d');
    if (!context) throw new Error('The engine has no 2D canvas.');
    context.fillStyle = '#ff0000';
    context.fillRect(0, 0, 12_000, 600);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    const file = (content: BlobPart, name: string) =>
      attachment(name.length, name, {
        file: new File([content], name, { type: 'image/png' }),
        state: 'done',
      });
    const items = [file(blob ?? '', 'panorama.png'), file('no image', 'gnp.\u202efdp.png')];
    const element = mount(Object.assign(document.createElement('inlay-attachments'), { items }));

    await until('the thumbnail', () => {
      const [thumbnail] = deepAll<HTMLCanvasElement>(element, '.tile canvas');
      const { width = 0 } = thumbnail ?? {};
      const pixel = thumbnail?.getContext('2d')?.getImageData(width / 2, width / 2, 1, 1).data;
      return pixel?.[0] === 255 && deepAll(element, '.tile').length === 1;
    });
    const [tile, chip] = deepAll(element, 'li');
    expect(tile?.getBoundingClientRect().height).to.equal(80);
    expect(chip?.querySelector('.name')?.textContent).to.equal('gnp.[U+202E]fdp.png');
    await expectAccessible(element);

    await new User(element).click('Open panorama.png');
    const shown = await until('the lightbox', () => deepAll<HTMLImageElement>(element, 'img')[0]);
    await until('the picture', () => shown.naturalWidth === 12_000);
    expect(shown.getBoundingClientRect().right).to.be.at.most(innerWidth);
  });

  it('shows the pages of a PDF, also if its objects are compressed', async () => {
    const plain =
      '%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj 2 0 obj <</Type/Pages /Count 12>> endobj';
    const objects = '1 0 2 16 <</Type/Outlines /Count 99>> <</Kids [] /Type /Pages /Count 1>>';
    const offset = objects.indexOf('<</Kids') - objects.indexOf('<<');
    const stream = new Blob([objects.replace('2 16', `2 ${offset}`)])
      .stream()
      .pipeThrough(new CompressionStream('deflate'));
    const data = await new Response(stream).arrayBuffer();
    const compressed = [
      `%PDF-1.7\n9 0 obj <</Type /ObjStm /Length ${data.byteLength} /Filter /FlateDecode>>\nstream\n`,
      data,
      '\nendstream endobj',
    ];
    const pdf = (key: number, parts: BlobPart[]) =>
      attachment(key, `${key}.pdf`, {
        file: new File(parts, `${key}.pdf`, { type: 'application/pdf' }),
        state: 'done',
      });
    const items = [
      pdf(1, [plain]),
      pdf(2, compressed),
      pdf(3, ['%PDF-1.4 damaged', '/Type /ObjStm'.repeat(1e6)]),
    ];
    const element = mount(Object.assign(document.createElement('inlay-attachments'), { items }));

    const states = () => deepAll(element, '.state').map(({ textContent }) => textContent);
    await until('the pages', () => states().filter((text) => text?.includes('page')).length === 2);
    expect(states()[0]).to.equal(`12 pages · ${plain.length} bytes`);
    expect(states()[1]).to.match(/^1 page · \d+ bytes$/);
    expect(states()[2]).to.equal('13 MB');
  });

  it('names the allowed types at a file of another type', async () => {
    const element = mount(
      Object.assign(document.createElement('inlay-attachments'), {
        items: [attachment(1, 'film.mp4', { state: 'refused', refusal: 'wrong_type' })],
        policy: {
          maxBytes: 9,
          maxFiles: 1,
          mediaTypes: ['image/*', 'application/pdf', 'text/csv'],
        },
      }),
    );

    await new User(element).sees('File type not supported. Allowed: Image, PDF, CSV');
  });
});

describe('refusalOf', () => {
  const policy = { maxBytes: 10, maxFiles: 2, mediaTypes: ['image/*', 'text/plain'] };
  const cases: [string, { size: number; type: string }, number, ReturnType<typeof refusalOf>][] = [
    ['accepts a listed type', { size: 10, type: 'text/plain' }, 0, null],
    ['accepts a type that a listed wildcard matches', { size: 1, type: 'image/png' }, 1, null],
    ['accepts a file whose type the browser does not know', { size: 1, type: '' }, 0, null],
    ['refuses a file that is too large', { size: 11, type: 'text/plain' }, 0, 'too_large'],
    ['refuses an empty file', { size: 0, type: 'text/plain' }, 0, 'empty'],
    ['refuses a type that is not listed', { size: 1, type: 'application/pdf' }, 0, 'wrong_type'],
    [
      'leaves a type that browsers derive from an ambiguous extension to the platform',
      { size: 1, type: 'application/vnd.ms-excel' },
      0,
      null,
    ],
    [
      'refuses a file if the maximum number of files is attached',
      { size: 1, type: 'text/plain' },
      2,
      'too_many',
    ],
  ];
  for (const [title, file, attached, refusal] of cases) {
    it(title, () => {
      expect(refusalOf(file, attached, policy)).to.equal(refusal);
    });
  }
});
