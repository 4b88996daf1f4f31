import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User } from '../testing/user.ts';
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

    await user.click('Upload three.txt again');
    await user.click('Remove four.txt');

    expect(requested).to.deep.equal(['retry 3', 'remove 4']);
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
