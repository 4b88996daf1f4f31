import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';

const pixel =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="9000" height="20"/%3E';

/** The open dialog inside an element. */
const dialogIn = (element: Element) =>
  until('the dialog', () => deepAll<HTMLDialogElement>(element, 'dialog[open]')[0]);

const press = (dialog: HTMLElement, key: string) =>
  dialog.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));

describe('inlay-lightbox', () => {
  it('enlarges the pictures of a message, moves between them by arrow keys, and returns the focus', async () => {
    const message = document.createElement('inlay-user-message');
    const block = (id: string) => ({
      type: 'image' as const,
      source: { type: 'file' as const, file_id: id },
    });
    message.entry = entries.user('u', '', { content: [block('one'), block('two')], text: '' });
    message.loadFile = async (id) => {
      const width = id === 'one' ? 30 : 40;
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20"/>`;
      return new Blob([svg], { type: 'image/svg+xml' });
    };
    const keys: string[] = [];
    mount(message).addEventListener('keydown', ({ key }) => keys.push(key));
    const buttons = await until('two pictures', () => {
      const found = deepAll<HTMLButtonElement>(message, '.picture[part=file]');
      return found.length === 2 && found;
    });
    buttons[0]?.focus();
    buttons[0]?.click();
    const dialog = await dialogIn(message);
    const shownWidth = () => deepAll<HTMLImageElement>(message, 'dialog img')[0]?.naturalWidth;
    await until('the first picture', () => shownWidth() === 30);
    const [lightbox] = deepAll(message, 'inlay-lightbox');
    if (!lightbox) throw new Error('There is no lightbox.');
    finishAnimations(lightbox);
    await expectAccessible(lightbox);

    press(dialog, 'ArrowRight');
    await until('the second picture', () => shownWidth() === 40);
    press(dialog, 'ArrowRight');
    await until('the first picture again', () => shownWidth() === 30);
    expect(keys).to.deep.equal([]);

    await new User(lightbox).click('Close picture');
    // Without transitions of `display`, as in Firefox 153 and WebKitGTK, the dialog is hidden at once.
    if (navigator.userAgent.includes('Chrome')) expect(dialog.getAnimations()).to.have.length(3);
    finishAnimations(lightbox);
    await until('no dialog', () => deepAll(message, 'inlay-lightbox').length === 0);
    expect(buttons[0]?.matches(':focus')).to.equal(true);
  });

  it('shows a picture of an answer within the window, with a link to download it', async () => {
    const markdown = mount(document.createElement('inlay-markdown'));
    Object.assign(markdown, {
      text: `![A lamp](${location.origin}/lamp.png)`,
      imageOrigins: [location.origin],
    });
    const image = await until('the image', () => deepAll<HTMLImageElement>(markdown, 'img')[0]);
    image.src = pixel;
    image.closest('button')?.click();
    const dialog = await dialogIn(markdown);
    const [shown] = deepAll<HTMLImageElement>(dialog, 'img');
    await until('the picture', () => shown?.naturalWidth);

    expect(dialog.textContent).to.contain('A lamp');
    expect(shown?.getBoundingClientRect().right).to.be.at.most(innerWidth);
    expect(dialog.querySelector('a')?.download).to.equal('A lamp');
    expect(new User(markdown).buttons('Next picture')).to.have.length(0);
  });

  it('is mirrored in a chat that is read from right to left', async () => {
    const box = mount(document.createElement('div'));
    /** The first and the last child of the bar: distances from the edges where they are, and the arrows. */
    const layout = async (dir: string) => {
      box.dir = dir;
      const lightbox = Object.assign(document.createElement('inlay-lightbox'), {
        pictures: [
          { src: pixel, name: 'A' },
          { src: pixel, name: 'B' },
        ],
      });
      box.append(lightbox);
      await dialogIn(lightbox);
      const boxes = deepAll(lightbox, '.bar > :not([hidden])').map((each) =>
        each.getBoundingClientRect(),
      );
      const arrows = deepAll(lightbox, ':is(.previous, .next) svg').map(
        (each) => getComputedStyle(each).scale,
      );
      lightbox.remove();
      const isLtr = dir === 'ltr';
      return {
        // Rounded, because engines compute fractions of pixels differently for the two sides.
        starts: boxes.map(({ left, right }) => Math.round(isLtr ? left : innerWidth - right)),
        arrows,
      };
    };

    const ltr = await layout('ltr');
    expect(await layout('rtl')).to.deep.equal({ starts: ltr.starts, arrows: ['1 -1', '1 -1'] });
  });
});
