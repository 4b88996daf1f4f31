import '../../define-all.ts';
import type { EmbedConfig } from '@inlay/protocol';
import { expect, mount } from '../testing/fixture.ts';
import { testPlatform } from '../testing/platform.ts';
import { User, until } from '../testing/user.ts';
import type { InlayChat } from './chat.ts';

async function setup(
  settings: Partial<EmbedConfig> = {},
  getToken: InlayChat['getToken'] = () => 'et_kim_1',
) {
  const platform = testPlatform({
    features: { attachments: true, feedback: false, threads: false },
    attachments: { max_bytes: 1_000, max_files: 2, media_types: ['text/*'] },
    ...settings,
  });
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, { baseUrl: platform.baseUrl, getToken });
  const user = new User(mount(chat));
  await user.sees('Hello kim');
  if (settings.features?.attachments !== false)
    await until('the attach button', () => user.buttons('Attach files').length > 0);
  /** Dispatches a drag event on the text field. Returns whether the chat handled it. */
  const drag = (type: string, fill: (data: DataTransfer) => void) => {
    const dataTransfer = new DataTransfer();
    fill(dataTransfer);
    const options = { bubbles: true, composed: true, cancelable: true };
    const event = new DragEvent(type, options);
    Object.defineProperty(event, 'dataTransfer', { value: dataTransfer });
    return !user.field.dispatchEvent(event);
  };
  return { chat, user, drag, platform };
}

const addFile = (data: DataTransfer) =>
  void data.items.add(new File(['a'], 'notes.txt', { type: 'text/plain' }));
const addText = (data: DataTransfer) => data.setData('text/plain', 'Hello');

describe('files that are dragged over inlay-chat', () => {
  it('show a drop hint, and are attached and announced when dropped', async () => {
    const { chat, user, drag } = await setup();

    expect(drag('dragenter', addFile)).to.equal(true);
    await user.sees('Drop files to attach');
    expect(drag('dragover', addFile)).to.equal(true);
    expect(drag('drop', addFile)).to.equal(true);

    await user.seesNo('Drop files to attach');
    await user.sees('Uploading notes.txt');
    await user.sees('Attached: notes.txt');
    await chat.updateComplete;
  });

  it('hide the drop hint when they leave the chat', async () => {
    const { user, drag } = await setup();
    drag('dragenter', addFile);
    await user.sees('Drop files to attach');

    drag('dragleave', addFile);

    await user.seesNo('Drop files to attach');
  });

  it('are attached when dropped while sending is paused', async () => {
    const { chat, user, drag, platform } = await setup();
    await user.say('Hello');
    await until('the session', () => chat.currentSessionId);
    await platform.append({
      type: 'session.status_terminated',
      reason: 'closed',
    });
    await user.sees('This conversation has ended');

    expect(drag('dragover', addFile)).to.equal(true);
    expect(drag('drop', addFile)).to.equal(true);

    await user.sees('notes.txt');
  });

  it('are neither attached nor left to the browser while the user can’t write', async () => {
    let allowed = true;
    const getToken = () => (allowed ? 'et_kim_1' : null);
    const { chat, user, drag, platform } = await setup({}, getToken);
    await user.say('Hello');
    await until('the session', () => chat.currentSessionId);
    drag('dragenter', addFile);
    await user.sees('Drop files to attach');
    allowed = false;
    platform.revokeTokens();
    await user.sees('Your access has ended');
    expect(user.text).not.to.contain('Drop files to attach');

    expect(drag('dragover', addFile)).to.equal(true);
    expect(drag('drop', addFile)).to.equal(true);

    await user.seesNo('Drop files to attach');
    expect(user.text).not.to.contain('notes.txt');
  });

  it('hide the drop hint after the drag, even if an element under the pointer was removed', async () => {
    const { user, drag } = await setup();
    drag('dragenter', addFile);
    drag('dragenter', addFile);
    drag('dragover', addFile);
    await user.sees('Drop files to attach');

    drag('dragleave', addFile);

    await user.seesNo('Drop files to attach');
  });

  it('are left to the page if attachments are disabled', async () => {
    const withoutAttachments = await setup({
      features: { attachments: false, feedback: false, threads: false },
    });
    expect(withoutAttachments.drag('dragover', addFile)).to.equal(false);
    expect(withoutAttachments.drag('drop', addFile)).to.equal(false);
  });
});

describe('text that is dropped on inlay-chat', () => {
  it('is left to the page', async () => {
    const { drag } = await setup();

    expect(drag('drop', addText)).to.equal(false);
  });
});
