import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { contrast } from '../testing/contrast.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { takeScreenshot } from '../testing/pixels.ts';
import { deepAll, User, until } from '../testing/user.ts';
import type { InlayComposer } from './composer.ts';

async function setup(options: Partial<InlayComposer> = {}) {
  const element = mount(Object.assign(document.createElement('inlay-composer'), options));
  const sent: string[] = [];
  element.addEventListener('inlay-submit-request', ({ detail }) => sent.push(detail.text));
  await element.updateComplete;
  const user = new User(element);
  const type = async (text: string) => {
    user.type(text);
    await element.updateComplete;
  };
  return { element, user, type, sent };
}

describe('inlay-composer', () => {
  it('passes the accessibility audit when empty, when filled, and while the agent runs', async () => {
    const { element, type } = await setup({ disclaimer: 'It can err.' });
    await expectAccessible(element);
    await type('Hello');
    await expectAccessible(element);
    element.running = true;
    await element.updateComplete;
    await expectAccessible(element);
  });

  it('shows the stop button in strong contrast to the composer, unlike the disabled send button', async () => {
    const { element } = await setup();
    const backgroundOf = (selector: string) => {
      const [button] = deepAll(element, selector);
      return button ? getComputedStyle(button).backgroundColor : '';
    };
    const box = backgroundOf('[part=base]');
    expect(contrast(box, backgroundOf('[part=send]'))).to.be.lessThan(1.5);

    element.running = true;
    await element.updateComplete;

    expect(contrast(box, backgroundOf('[part=stop]'))).to.be.greaterThan(7);
  });

  it('has the soft border of controls', async () => {
    const { element } = await setup();
    element.style.setProperty('--inlay-color-border-control', 'rgb(1, 2, 3)');
    const [box] = deepAll(element, '[part=base]');

    expect(box && getComputedStyle(box).borderColor).to.equal('rgb(1, 2, 3)');
  });

  it('fades lines out that are cut off at the upper edge', async () => {
    const { user } = await setup({ value: 'MMMM\n'.repeat(20).trim() });
    const { field } = user;
    await until('the height', () => field.scrollHeight > field.clientHeight);
    // Half a line above the edge.
    field.scrollTop = 4 * Number.parseFloat(getComputedStyle(field).lineHeight) + 14;
    await nextFrame();

    const { left, top } = field.getBoundingClientRect();
    const { data, width } = await takeScreenshot();
    const scale = width / innerWidth;
    /** Range of the red values in the row of pixels at a distance from the edge. */
    const rangeAt = (distance: number) => {
      const start = Math.round((top + distance) * scale) * width + Math.round((left + 14) * scale);
      const reds = Array.from({ length: 50 * scale }, (_, x) => data[4 * (start + x)] ?? 0);
      return Math.max(...reds) - Math.min(...reds);
    };
    // Letters have vertical strokes, so that each row of pixels of a line has several colours.
    const ranges = [40, 44, 48, 52, 56].map(rangeAt);
    expect(Math.max(...ranges), 'contrast of a line').to.be.greaterThan(100);
    expect(rangeAt(0), 'contrast at the edge').to.be.lessThan(30);
  });

  it('renders only once when a second line moves the buttons below the text', async () => {
    const { element, type } = await setup({ attachments: null, modes: [] });
    let updates = 0;
    const hostUpdated = () => {
      updates += 1;
    };
    element.addController({ hostUpdated });

    await type('One line\nand another');

    expect(element.isUpdatePending).to.equal(false);
    expect(updates).to.equal(1);
    expect(deepAll(element, 'form.tall')).to.have.length(1);
    const [field] = deepAll(element, 'textarea');
    expect(field?.scrollHeight).to.equal(field?.clientHeight);
  });

  it('moves the buttons below a draft of two lines', async () => {
    const { element } = await setup({ value: 'One line\nand another' });
    await element.updateComplete;

    expect(deepAll(element, 'form.tall')).to.have.length(1);
  });

  it('sends the trimmed text with Enter and clears the field', async () => {
    const { element, user, type, sent } = await setup();
    await type('  Hello\n');

    user.press('Enter');

    expect(sent).to.deep.equal(['Hello']);
    expect(element.value).to.equal('');
  });

  it('keeps the text if the page prevents inlay-submit-request', async () => {
    const { element, user, type } = await setup();
    element.addEventListener('inlay-submit-request', (event) => event.preventDefault());
    await type('Hello');

    user.press('Enter');

    expect(element.value).to.equal('Hello');
  });

  it('inserts a line break with Shift+Enter', async () => {
    const { user, type, sent } = await setup();
    await type('Hello');

    const event = user.press('Enter', { shiftKey: true });

    expect(event.defaultPrevented).to.equal(false);
    expect(sent).to.deep.equal([]);
  });

  it('does not send with the Enter key that ends an input method composition', async () => {
    const { user, type, sent } = await setup();
    await type('こんにちは');

    user.press('Enter', { isComposing: true });
    user.press('Enter', { keyCode: 229 });

    expect(sent).to.deep.equal([]);
  });

  it('does not send white space', async () => {
    const { user, type, sent } = await setup();
    await type('  \n ');

    user.press('Enter');

    expect(sent).to.deep.equal([]);
    expect(user.buttons('Send')[0]?.disabled).to.equal(true);
  });

  it('shows the stop button while the agent runs, and the send button after the user has typed', async () => {
    const { element, user, type } = await setup({ running: true });
    let stopped = 0;
    element.addEventListener('inlay-stop', () => {
      stopped += 1;
    });
    expect(user.buttons('Send')).to.have.length(0);

    await user.click('Stop');
    expect(stopped).to.equal(1);
    await type('One more thing');
    expect(user.buttons('Send')).to.have.length(1);
  });

  it('does not stop the agent by the second click of a double-click on the send button', async () => {
    const { element, user } = await setup({ running: true });
    let stopped = 0;
    element.addEventListener('inlay-stop', () => {
      stopped += 1;
    });
    const [stop] = user.buttons('Stop');
    const click = (detail: number) => stop?.dispatchEvent(new MouseEvent('click', { detail }));

    click(2);
    expect(stopped).to.equal(0);
    click(1);
    click(3);
    expect(stopped).to.equal(2);
  });

  it('does not send if sending is disabled, and makes the field read-only if `readOnly` is set', async () => {
    const { element, user, type, sent } = await setup({ sendingDisabled: true });
    await type('Hello');
    user.press('Enter');
    expect(sent).to.deep.equal([]);

    element.readOnly = true;
    await element.updateComplete;
    expect(user.field.readOnly).to.equal(true);
    expect(user.field.value).to.equal('Hello');
  });

  it('hides the field if it is read-only and empty', async () => {
    const { element, user } = await setup({ readOnly: true });
    expect(user.field.checkVisibility()).to.equal(false);
    element.value = 'My draft';
    await element.updateComplete;
    expect(user.field.checkVisibility()).to.equal(true);
  });

  it('has the direction of its text, and that of the page until the text has a letter', async () => {
    const { element, type } = await setup();
    element.dir = 'rtl';
    const directionOf = async (text: string) => {
      await type(text);
      const [field] = deepAll(element, 'textarea');
      return field && getComputedStyle(field).direction;
    };

    expect(await directionOf('/')).to.equal('rtl');
    expect(await directionOf('/order')).to.equal('ltr');
    expect(await directionOf('/הזמנה')).to.equal('rtl');
  });

  it('uses the placeholder as the accessible name of the field', async () => {
    const { element, user } = await setup({ placeholder: 'Message Ada' });
    expect(user.field.getAttribute('aria-label')).to.equal('Message Ada');
    element.placeholder = '';
    await element.updateComplete;
    expect(user.field.getAttribute('aria-label')).to.equal('Write a message');
  });

  it('shows the buttons below the text from the second line until the field is empty', async () => {
    const { element, user, type } = await setup();
    element.style.width = '300px';
    const isAbove = () => {
      const send = user.buttons('Send')[0]?.getBoundingClientRect();
      return send ? user.field.getBoundingClientRect().bottom <= send.top : null;
    };
    const typeAndUpdate = async (text: string) => {
      await type(text);
      await element.updateComplete;
    };
    await typeAndUpdate('One line');
    expect(isAbove()).to.equal(false);
    await typeAndUpdate('One line, and more words than a line has.');
    expect(isAbove()).to.equal(true);
    expect(user.field.scrollHeight).to.equal(user.field.clientHeight);
    await typeAndUpdate('One line');
    expect(isAbove()).to.equal(true);
    await typeAndUpdate('');
    expect(isAbove()).to.equal(false);
  });

  it('grows with its text up to a maximum', async () => {
    const { user, type } = await setup();
    const low = user.field.offsetHeight;

    await type('line\n'.repeat(4));
    const grown = user.field.offsetHeight;
    await type('line\n'.repeat(200));

    expect(grown).to.be.greaterThan(low);
    expect(user.field.offsetHeight).to.be.at.most(200);
  });

  it('dispatches inlay-draft for every change of the text', async () => {
    const { element, user, type } = await setup();
    const drafts: string[] = [];
    element.addEventListener('inlay-draft', ({ detail }) => drafts.push(detail.value));

    await type('Hello');
    user.press('Enter');

    expect(drafts).to.deep.equal(['Hello', '']);
  });

  it('shows the mode that the page sets, even after the user chose another mode', async () => {
    const modes = ['fast', 'deep'].map((id) => ({ id, label: id }));
    const { element } = await setup({ modes, mode: 'fast' });
    const select = await until('the modes', () => deepAll<HTMLSelectElement>(element, 'select')[0]);
    const choose = (mode: string) => {
      select.value = mode;
      select.dispatchEvent(new Event('change'));
      return element.updateComplete;
    };
    await choose('deep');
    await choose('fast');

    element.mode = 'deep';
    await element.updateComplete;

    expect(select.value).to.equal('deep');
  });

  it('sends the mode that its selector shows, after the modes or the user changed', async () => {
    const modesOf = (...ids: string[]) => ids.map((id) => ({ id, label: id }));
    const modes = modesOf('fast', 'deep', 'wide');
    const { element, user } = await setup({ modes, mode: 'wide' });
    const select = await until('the modes', () => deepAll<HTMLSelectElement>(element, 'select')[0]);
    const choose = (mode: string) => {
      select.value = mode;
      select.dispatchEvent(new Event('change'));
    };
    const sentModes: unknown[] = [];
    element.addEventListener('inlay-submit-request', ({ detail }) => sentModes.push(detail.mode));
    choose('deep');
    await user.say('Hello');

    element.modes = modesOf('brief', 'long');
    await element.updateComplete;
    expect(select.value).to.equal('brief');
    await user.say('Hello');

    element.modes = modes;
    element.forget();
    await element.updateComplete;
    expect(select.value).to.equal('wide');
    await user.say('Hello');
    expect(sentModes).to.deep.equal(['deep', null, 'wide']);
  });
});
