import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { setupComposer as setup } from '../testing/composer.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { mountLauncher } from '../testing/host-page.ts';
import { testPlatform } from '../testing/platform.ts';
import { User, until } from '../testing/user.ts';

/** Fake speech recognition, which a test controls. */
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

describe('dictation in inlay-composer', () => {
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

  it('is offered only if the browser supports it and the page enables it', async () => {
    provide(null);
    const unsupported = await setup({ dictation: true });
    expect(unsupported.user.buttons('Dictate')).to.have.length(0);

    provide(FakeRecognition);
    const disabled = await setup();
    expect(disabled.user.buttons('Dictate')).to.have.length(0);
    const { element, user } = await setup({ dictation: true });
    expect(user.buttons('Dictate')).to.have.length(1);
    await expectAccessible(element);
  });

  it('appends the transcript to the text, and stops when its button is clicked', async () => {
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

  it('stops when the user types', async () => {
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

  it('drops late results after another conversation is opened', async () => {
    provide(FakeRecognition);
    const { element, user, type } = await setup({ dictation: true, conversationId: 'ses_1' });
    await type('For the first');
    await user.click('Dictate');
    const recognition = await listening();

    Object.assign(element, { conversationId: 'ses_2', value: '' });
    await element.updateComplete;
    recognition.hear('the last words');
    await element.updateComplete;

    expect(recognition.stopped).to.equal(true);
    expect(user.field.value).to.equal('');
  });

  it('keeps a quotation that is inserted during dictation', async () => {
    provide(FakeRecognition);
    const { element, user, type } = await setup({ dictation: true });
    await type('See');
    await user.click('Dictate');
    const recognition = await listening();

    element.quote('this');
    recognition.hear('more');
    await element.updateComplete;

    expect(user.field.value).to.equal('See\n\n> this\n\n');
  });

  it('shows that the microphone is not allowed, and keeps the text', async () => {
    provide(FakeRecognition);
    const { user, type } = await setup({ dictation: true });
    await type('Hello');
    await user.click('Dictate');

    (await listening()).fail('not-allowed');

    await user.sees('Microphone access is blocked.');
    expect(user.field.value).to.equal('Hello');
    await nextFrame();
    expect(user.buttons('Dictate')).to.have.length(1);
  });

  it('stops when the page hides the composer, and keeps the last words', async () => {
    provide(FakeRecognition);
    const { element, user } = await setup({ dictation: true });
    await user.click('Dictate');
    const recognition = await listening();

    recognition.hear('hello');
    element.hidden = true;
    await until('the end', () => recognition.stopped);

    expect(user.field.value).to.equal('hello');
    expect(user.buttons('Dictate')).to.have.length(1);
  });

  it('stops when the panel of a launcher closes', async () => {
    provide(FakeRecognition);
    const { launcher, user } = await mountLauncher(mount(document.createElement('div')));
    launcher.show();
    await user.sees('Hello kim');
    await user.click('Dictate');
    const recognition = await listening();

    launcher.hide();

    await until('the end', () => recognition.stopped);
  });

  it('stops when the list of conversations is opened, which can cover the composer', async () => {
    provide(FakeRecognition);
    const platform = testPlatform({
      features: { attachments: false, feedback: false, threads: true },
    });
    const chat = document.createElement('inlay-chat');
    Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' });
    const user = new User(mount(chat));
    await user.sees('Hello kim');
    await user.click('Dictate');
    const recognition = await listening();

    await user.click('Show conversations');

    await until('the end', () => recognition.stopped);
  });

  it('does not report silence as a failure', async () => {
    provide(FakeRecognition);
    const { user } = await setup({ dictation: true });
    await user.click('Dictate');

    (await listening()).fail('no-speech');
    await nextFrame();

    await user.seesNo('Dictation stopped');
  });
});
