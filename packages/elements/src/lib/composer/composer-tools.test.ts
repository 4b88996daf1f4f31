import '../../define.ts';
import type { FileObject } from '@inlay/protocol';
import type { Upload } from '../attachments/uploads.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { deepAll, User, until } from '../testing/user.ts';
import type { InlayComposer } from './composer.ts';

type Submitted = HTMLElementEventMap['inlay-submit']['detail'];

async function setup(options: Partial<InlayComposer> = {}) {
  const element = mount(Object.assign(document.createElement('inlay-composer'), options));
  const sent: Submitted[] = [];
  element.addEventListener('inlay-submit', ({ detail }) => sent.push(detail));
  await element.updateComplete;
  const user = new User(element);
  const type = async (text: string) => {
    user.type(text);
    await element.updateComplete;
  };
  const list = () => deepAll(element, '[role=option]');
  return { element, user, type, sent, options: list };
}

function fileOf(name: string, type = 'text/plain', size = 4): File {
  return new File([new Uint8Array(size)], name, { type });
}

function uploaded(file: File): FileObject {
  return {
    type: 'file',
    id: `file_${file.name}`,
    filename: file.name,
    mime_type: file.type,
    size_bytes: file.size,
    created_at: '2026-05-04T12:00:00Z',
  };
}

const policy = { maxBytes: 1000, maxFiles: 3, mediaTypes: ['text/plain', 'image/*'] };

describe('inlay-composer: files', () => {
  it('offers to attach only where files can be taken', async () => {
    const { element, user } = await setup();
    expect(user.buttons('Attach files')).to.have.length(0);

    Object.assign(element, { attachments: policy, upload: async (file: File) => uploaded(file) });
    await element.updateComplete;

    expect(user.buttons('Attach files')).to.have.length(1);
    await expectAccessible(element);
  });

  it('sends what was attached, pictures as pictures, and begins the next message without', async () => {
    const { element, user, type, sent } = await setup({
      attachments: policy,
      upload: async (file) => uploaded(file),
    });
    await element.addFiles([fileOf('notes.txt'), fileOf('photo.png', 'image/png')]);
    await user.sees('photo.png');
    await until('both files to arrive', () => user.buttons('Send')[0]?.disabled === false);
    await expectAccessible(element);
    await type('Look at these');

    user.press('Enter');
    await element.updateComplete;

    expect(sent[0]?.attached).to.deep.equal([
      { type: 'document', source: { type: 'file', file_id: 'file_notes.txt' }, title: 'notes.txt' },
      { type: 'image', source: { type: 'file', file_id: 'file_photo.png' } },
    ]);
    expect(user.text).not.to.include('notes.txt');
  });

  it('sends files without a word, once they have arrived', async () => {
    const { element, user, sent } = await setup({
      attachments: policy,
      upload: async (file) => uploaded(file),
    });
    await element.addFiles([fileOf('notes.txt')]);
    await until('the file to arrive', () => user.buttons('Send')[0]?.disabled === false);

    user.press('Enter');

    expect(sent[0]?.text).to.equal('');
    expect(sent[0]?.attached).to.have.length(1);
  });

  it('says of each file that may not come along why, and uploads it not', async () => {
    const asked: string[] = [];
    const { element, user } = await setup({
      attachments: policy,
      upload: async (file) => {
        asked.push(file.name);
        return uploaded(file);
      },
    });

    await element.addFiles([
      fileOf('big.txt', 'text/plain', 1001),
      fileOf('tool.exe', 'application/x-msdownload'),
      fileOf('empty.txt', 'text/plain', 0),
      ...['1', '2', '3', '4'].map((name) => fileOf(`${name}.txt`)),
    ]);

    await user.sees('Larger than 1 kB');
    await user.sees('This kind of file is not accepted');
    await user.sees('The file is empty');
    await user.sees('At most 3 files');
    expect(asked).to.deep.equal(['1.txt', '2.txt', '3.txt']);
    await expectAccessible(element);
  });

  it('keeps the message back while a file is on its way, and when it failed', async () => {
    let fail: () => void = () => {};
    let attempts = 0;
    const upload: Upload = async (file, { onProgress }) => {
      attempts += 1;
      if (attempts > 1) return uploaded(file);
      onProgress(0.5);
      await new Promise((_, reject) => {
        fail = () => reject(new Error('gone'));
      });
      return uploaded(file);
    };
    const { element, user, type, sent } = await setup({ attachments: policy, upload });
    await type('Look');
    await element.addFiles([fileOf('notes.txt')]);
    await user.sees('50%');

    user.press('Enter');
    await user.sees('A file is not ready yet');
    fail();
    await user.sees('Not uploaded');
    user.press('Enter');
    expect(sent).to.deep.equal([]);
    await expectAccessible(element);

    await user.click('Upload notes.txt again');
    await until('the file to arrive', () => user.buttons('Send')[0]?.disabled === false);
    user.press('Enter');
    expect(sent).to.have.length(1);
  });

  it('hangs up on the upload of a file that is taken out', async () => {
    let signal: AbortSignal | null = null;
    const { element, user } = await setup({
      attachments: policy,
      upload: (_file, options) => {
        signal = options.signal;
        return new Promise(() => {});
      },
    });
    await element.addFiles([fileOf('notes.txt')]);

    await user.click('Remove notes.txt');

    expect((signal as AbortSignal | null)?.aborted).to.equal(true);
    await user.seesNo('notes.txt');
  });

  it('takes files from the clipboard, and leaves pasted text to the field', async () => {
    const { element, user } = await setup({
      attachments: policy,
      upload: async (file) => uploaded(file),
    });
    const paste = (data: DataTransfer) => {
      const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'clipboardData', { value: data });
      user.field.dispatchEvent(event);
      return event.defaultPrevented;
    };
    const picture = new DataTransfer();
    picture.items.add(fileOf('shot.png', 'image/png'));
    const words = new DataTransfer();
    words.setData('text/plain', 'Hello');

    expect(paste(picture)).to.equal(true);
    expect(paste(words)).to.equal(false);
    await user.sees('shot.png');
    await element.updateComplete;
  });

  it('keeps the files of each conversation apart', async () => {
    const { element, user } = await setup({
      attachments: policy,
      upload: async (file) => uploaded(file),
      thread: 'ses_1',
    });
    await element.addFiles([fileOf('one.txt')]);
    await user.sees('one.txt');

    element.thread = 'ses_2';
    await user.seesNo('one.txt');
    element.thread = 'ses_1';
    await user.sees('one.txt');
    element.forget();
    await user.seesNo('one.txt');
  });

  it('draws a picture that the browser can read', async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 8;
    canvas.height = 8;
    canvas.getContext('2d')?.fillRect(0, 0, 8, 8);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    const { element } = await setup({
      attachments: policy,
      upload: async (file) => uploaded(file),
    });

    await element.addFiles([new File([blob ?? ''], 'dot.png', { type: 'image/png' })]);

    await until('the picture', () =>
      deepAll<HTMLCanvasElement>(element, 'canvas').find(
        ({ hidden, width }) => !hidden && width > 8,
      ),
    );
  });
});

describe('inlay-composer: commands and mentions', () => {
  it('lists the commands that begin with what was typed, and does the chosen one', async () => {
    const inputs: string[] = [];
    const { element, user, type, sent, options } = await setup({
      commands: [
        { name: 'clear', description: 'Begin anew', run: (input) => inputs.push(input) },
        { name: 'summary', description: 'Sum it up', prompt: 'Sum up our conversation.' },
      ],
    });
    await type('/');
    await until('two options', () => options().length === 2);
    expect(options().map((option) => option.getAttribute('aria-selected'))).to.deep.equal([
      'true',
      'false',
    ]);
    await expectAccessible(element);

    await type('/cl');
    await until('one option', () => options().length === 1);
    user.press('Enter');
    await element.updateComplete;

    expect(inputs).to.deep.equal(['']);
    expect(sent).to.deep.equal([]);
    expect(user.field.value).to.equal('');
    expect(options()).to.have.length(0);
  });

  it('sends the prompt of a command with what was typed behind its name', async () => {
    const { element, user, type, sent } = await setup({
      commands: [{ name: 'translate', takesInput: true, prompt: 'Translate: {input}' }],
    });
    await type('/translate good night');

    user.press('Enter');
    await element.updateComplete;

    expect(sent.map(({ text }) => text)).to.deep.equal(['Translate: good night']);
    expect(element.value).to.equal('');
  });

  it('sends a text with a slash that calls no command as it is', async () => {
    const { user, type, sent } = await setup({ commands: [{ name: 'clear' }] });
    await type('/etc/hosts is broken');

    user.press('Enter');

    expect(sent[0]?.text).to.equal('/etc/hosts is broken');
  });

  it('walks the list with the arrows, and closes it with Escape', async () => {
    const { element, user, type, options } = await setup({
      commands: [{ name: 'one' }, { name: 'two' }],
      running: true,
    });
    let stopped = false;
    element.addEventListener('inlay-stop', () => {
      stopped = true;
    });
    await type('/');
    await until('the options', () => options().length === 2);
    const active = () => user.field.getAttribute('aria-activedescendant');
    const first = active();

    user.press('ArrowDown');
    await element.updateComplete;
    expect(active()).not.to.equal(first);
    user.press('ArrowDown');
    await element.updateComplete;
    expect(active()).to.equal(first);

    expect(user.press('Escape').defaultPrevented).to.equal(true);
    await element.updateComplete;
    expect(options()).to.have.length(0);
    expect(stopped).to.equal(false);
  });

  it('mentions what the page finds, and says with the message what it was', async () => {
    const asked: string[] = [];
    const { element, user, type, sent, options } = await setup({
      findMentions: async (query) => {
        asked.push(query);
        return [{ id: 'u_7', label: 'Grace Hopper', description: 'Support' }];
      },
    });
    await type('Ask @gra');
    await until('the option', () => options().length === 1);
    options()[0]?.click();
    await element.updateComplete;
    expect(user.field.value).to.equal('Ask @Grace Hopper ');
    expect(asked).to.deep.equal(['gra']);
    await type('Ask @Grace Hopper about it');

    user.press('Enter');

    expect(sent[0]?.mentions).to.deep.equal([{ id: 'u_7', label: 'Grace Hopper' }]);
  });

  it('mentions nothing whose name was taken out of the text again', async () => {
    const { element, user, type, sent, options } = await setup({
      findMentions: () => [{ id: 'u_7', label: 'Grace' }],
    });
    await type('@');
    await until('the option', () => options().length === 1);
    user.press('Tab');
    await element.updateComplete;
    await type('Never mind');

    user.press('Enter');

    expect(sent[0]?.mentions).to.deep.equal([]);
  });

  it('lets the text be written where the page can’t say what there is', async () => {
    const { user, type, sent } = await setup({
      findMentions: () => Promise.reject(new Error('down')),
    });
    await type('Mail ada@');
    await type('Ask @x');
    await user.seesNo('Searching…');

    user.press('Enter');

    expect(sent[0]?.text).to.equal('Ask @x');
  });
});

describe('inlay-composer: keys and modes', () => {
  it('brings back what was said with the arrow up, but never over a text', async () => {
    const { element, user, type } = await setup({ said: () => ['first', 'second'] });
    user.field.focus();

    user.press('ArrowUp');
    await element.updateComplete;
    expect(user.field.value).to.equal('second');
    user.press('ArrowUp');
    user.press('ArrowDown');
    user.press('ArrowDown');
    await element.updateComplete;
    expect(user.field.value).to.equal('');

    await type('Mine');
    expect(user.press('ArrowUp').defaultPrevented).to.equal(false);
    expect(user.field.value).to.equal('Mine');
  });

  it('stops the answer with Escape, and leaves Escape to the page otherwise', async () => {
    const { element, user } = await setup({ running: true });
    let stopped = 0;
    element.addEventListener('inlay-stop', () => {
      stopped += 1;
    });

    expect(user.press('Escape').defaultPrevented).to.equal(true);
    element.running = false;
    await element.updateComplete;
    expect(user.press('Escape').defaultPrevented).to.equal(false);
    expect(stopped).to.equal(1);
  });

  it('says with the message how the agent is to answer', async () => {
    const modes = [
      { id: 'fast', label: 'Fast' },
      { id: 'deep', label: 'Thorough', description: 'Takes longer' },
    ];
    const { element, user, type, sent } = await setup({ modes });
    const chosen: string[] = [];
    element.addEventListener('inlay-mode', ({ detail }) => chosen.push(detail.mode));
    const [select] = deepAll<HTMLSelectElement>(element, 'select');
    if (!select) throw new Error('There is nothing to choose.');
    await expectAccessible(element);

    select.value = 'deep';
    select.dispatchEvent(new Event('change'));
    await type('Hello');
    user.press('Enter');

    expect(chosen).to.deep.equal(['deep']);
    expect(sent[0]?.mode).to.equal('deep');
  });

  it('has nothing to choose where there is one way only', async () => {
    const { element, user, type, sent } = await setup({ modes: [{ id: 'fast', label: 'Fast' }] });
    expect(deepAll(element, 'select')).to.have.length(0);

    await type('Hello');
    user.press('Enter');

    expect(sent[0]?.mode).to.equal(null);
  });
});

/** Hears what a test says. */
class FakeRecognition extends EventTarget {
  static latest: FakeRecognition | null = null;
  lang = '';
  stopped = false;

  start() {
    FakeRecognition.latest = this;
  }

  stop() {
    this.stopped = true;
    this.dispatchEvent(new Event('end'));
  }

  abort() {
    this.stopped = true;
  }

  hear(...results: string[]) {
    const event = Object.assign(new Event('result'), {
      results: results.map((transcript) => [{ transcript }]),
    });
    this.dispatchEvent(event);
  }

  fail(error: string) {
    this.dispatchEvent(Object.assign(new Event('error'), { error }));
    this.dispatchEvent(new Event('end'));
  }
}

describe('inlay-composer: dictation', () => {
  const names = ['SpeechRecognition', 'webkitSpeechRecognition'] as const;
  const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  const provide = (value: unknown) => {
    for (const name of names) delete (globalThis as Record<string, unknown>)[name];
    if (!value) return;
    Object.defineProperty(globalThis, 'SpeechRecognition', { value, configurable: true });
  };
  afterEach(() => {
    provide(null);
    for (const [index, name] of names.entries()) {
      const descriptor = before[index];
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    }
    FakeRecognition.latest = null;
  });
  const listening = () => until('dictation to begin', () => FakeRecognition.latest);

  it('is offered only where the browser has it and the page wants it', async () => {
    provide(null);
    const without = await setup({ dictation: true });
    expect(without.user.buttons('Dictate')).to.have.length(0);

    provide(FakeRecognition);
    const unwanted = await setup();
    expect(unwanted.user.buttons('Dictate')).to.have.length(0);
    const { element, user } = await setup({ dictation: true });
    expect(user.buttons('Dictate')).to.have.length(1);
    await expectAccessible(element);
  });

  it('writes what it hears behind what stands there, and stops with the button', async () => {
    provide(FakeRecognition);
    const { element, user, type } = await setup({ dictation: true });
    await type('Dear team,');
    await user.click('Dictate');
    const recognition = await listening();

    recognition.hear('please call');
    recognition.hear('please call', ' me back');
    await element.updateComplete;
    expect(user.field.value).to.equal('Dear team, please call me back');
    expect(recognition.lang).to.equal('en');

    await user.click('Stop dictating');
    expect(recognition.stopped).to.equal(true);
    expect(user.buttons('Dictate')).to.have.length(1);
  });

  it('hears nothing more once the message was sent or is typed on', async () => {
    provide(FakeRecognition);
    const { element, user, type } = await setup({ dictation: true });
    await user.click('Dictate');
    const recognition = await listening();
    recognition.hear('hello');
    await element.updateComplete;

    await type('hello there');
    recognition.hear('hello something else');
    await element.updateComplete;

    expect(recognition.stopped).to.equal(true);
    expect(user.field.value).to.equal('hello there');
  });

  it('says so where the microphone is not allowed, and keeps the text', async () => {
    provide(FakeRecognition);
    const { user, type } = await setup({ dictation: true });
    await type('Hello');
    await user.click('Dictate');

    (await listening()).fail('not-allowed');

    await user.sees('The microphone is not allowed here.');
    expect(user.field.value).to.equal('Hello');
    await nextFrame();
    expect(user.buttons('Dictate')).to.have.length(1);
  });

  it('takes silence for no failure', async () => {
    provide(FakeRecognition);
    const { user } = await setup({ dictation: true });
    await user.click('Dictate');

    (await listening()).fail('no-speech');
    await nextFrame();

    await user.seesNo('Dictation stopped');
  });
});
