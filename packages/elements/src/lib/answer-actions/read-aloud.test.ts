import '../../define-all.ts';
import type { AgentEntry } from '@inlay/client';
import type { InlayAgentMessage } from '../agent-message/agent-message.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { mountChat, mountLauncher, onTestEnd } from '../testing/host-page.ts';
import { events } from '../testing/platform.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';

/** Replaces `SpeechSynthesisUtterance`, which not every engine has. */
class FakeUtterance extends EventTarget {
  readonly text: string;
  lang = '';

  constructor(text = '') {
    super();
    this.text = text;
  }
}

/** Fake speech synthesizer, which a test controls. It says nothing by itself. */
class FakeSynthesis {
  /** Utterances with a text, in order. */
  readonly spoken: FakeUtterance[] = [];
  /** Number of calls of `speak`, including those without a text. */
  calls = 0;
  cancelled = 0;

  speak(utterance: FakeUtterance) {
    this.calls += 1;
    if (utterance.text) this.spoken.push(utterance);
  }

  cancel() {
    this.cancelled += 1;
    const last = this.spoken.at(-1);
    last?.dispatchEvent(Object.assign(new Event('error'), { error: 'interrupted' }));
  }

  get texts() {
    return this.spoken.map(({ text }) => text);
  }

  /** Says the current utterance to its end. */
  finish() {
    const last = this.spoken.at(-1);
    last?.dispatchEvent(new Event('start'));
    last?.dispatchEvent(new Event('end'));
  }

  fail(error: string) {
    this.spoken.at(-1)?.dispatchEvent(Object.assign(new Event('error'), { error }));
  }

  /** Says everything, and returns the texts. */
  finishAll() {
    for (let count = 0; count < this.spoken.length; ) {
      count = this.spoken.length;
      this.finish();
    }
    return this.texts;
  }
}

/** Replaces a global until the test ends. */
function replaceGlobal(name: string, value: unknown) {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  onTestEnd(() => {
    delete (globalThis as Record<string, unknown>)[name];
    if (before) Object.defineProperty(globalThis, name, before);
  });
}

/** Removes the synthesizer until the test ends. */
function removeSynthesis() {
  const { speechSynthesis } = globalThis;
  replaceGlobal('speechSynthesis', speechSynthesis);
  delete (globalThis as Record<string, unknown>).speechSynthesis;
}

function fakeSynthesis() {
  const synthesis = new FakeSynthesis();
  replaceGlobal('speechSynthesis', synthesis);
  replaceGlobal('SpeechSynthesisUtterance', FakeUtterance);
  return synthesis;
}

/** Mounts an agent message that can be read aloud. */
async function setup(text: string, options: Partial<InlayAgentMessage> = {}) {
  const synthesis = fakeSynthesis();
  const element = mount(document.createElement('inlay-agent-message'));
  Object.assign(element, { entry: entries.agent('a', text), speakable: true, ...options });
  await element.updateComplete;
  const user = new User(element);
  /** Clicks the button, and waits for the first sentence. */
  const read = async () => {
    const count = synthesis.spoken.length;
    await user.click('Read aloud');
    await until('a sentence', () => synthesis.spoken.length > count);
  };
  return { element, user, synthesis, read };
}

const isPressed = (user: User) => user.buttons('Read aloud')[0]?.ariaPressed;

describe('reading an answer aloud', () => {
  it('is offered only if the browser can speak, the page allows it, and the answer is complete', async () => {
    const count = async (overrides: Partial<AgentEntry>, speakable = true) => {
      const { user, element } = await setup('Yes.', {
        entry: entries.agent('a', 'Yes.', overrides),
        speakable,
      });
      element.remove();
      mount(element);
      await element.updateComplete;
      return user.buttons('Read aloud').length;
    };
    expect(await count({})).to.equal(1);
    expect(await count({ progress: 'streaming' })).to.equal(0);
    expect(await count({ text: '' })).to.equal(0);
    expect(await count({}, false)).to.equal(0);

    removeSynthesis();
    const element = mount(document.createElement('inlay-agent-message'));
    Object.assign(element, { entry: entries.agent('a', 'Yes.'), speakable: true });
    await element.updateComplete;
    expect(new User(element).buttons('Read aloud')).to.have.length(0);
  });

  it('passes the accessibility audit while it speaks and after a failure', async () => {
    const { element, synthesis, read } = await setup('One. Two.');
    await read();
    await element.updateComplete;
    finishAnimations(element);
    await expectAccessible(element);

    synthesis.fail('synthesis-failed');
    await element.updateComplete;
    finishAnimations(element);
    await expectAccessible(element);
  });

  it('speaks one sentence after the other, and ends', async () => {
    const { user, synthesis, read } = await setup('It *left* Basel. Is it **late**? No.');
    expect(isPressed(user)).to.equal('false');

    await read();
    expect(synthesis.texts).to.deep.equal(['It left Basel.']);
    await until('the pressed state', () => isPressed(user) === 'true');
    expect(user.buttons('Read aloud')[0]?.title).to.equal('Stop reading aloud');
    synthesis.finish();
    expect(synthesis.texts).to.deep.equal(['It left Basel.', 'Is it late?']);

    expect(synthesis.finishAll()).to.deep.equal(['It left Basel.', 'Is it late?', 'No.']);
    await until('the end', () => isPressed(user) === 'false');
    expect(user.buttons('Read aloud')[0]?.title).to.equal('Read aloud');
  });

  it('calls the synthesizer in the task of the click, as iOS requires', async () => {
    const { user, synthesis } = await setup('Yes.');

    user.buttons('Read aloud')[0]?.click();

    expect(synthesis.calls).to.equal(1);
  });

  it('speaks headings, items, tasks and line breaks with a pause after each', async () => {
    const { synthesis, read } = await setup(
      '## Plan\n\n- apples\n- pears\n\n1. First\n2. Second\n\n- [x] Keys\n- [ ] Coat\n\nAda\nZurich\n\n---\n\n> [!NOTE]\n> Quoted.',
    );
    await read();

    expect(synthesis.finishAll()).to.deep.equal([
      ...['Plan', 'apples', 'pears', '1: First', '2: Second', 'Done: Keys', 'To do: Coat'],
      ...['Ada', 'Zurich', 'Note', 'Quoted.'],
    ]);
  });

  it('summarizes code blocks, and speaks inline code', async () => {
    const { synthesis, read } = await setup('Call `run()`:\n\n```ts\nlet a;\nlet b;\n```\n\nDone.');
    await read();

    expect(synthesis.finishAll()).to.deep.equal([
      'Call run():',
      'Code, TypeScript, 2 lines',
      'Done.',
    ]);
  });

  it('speaks the rows of a table with the headers of its columns', async () => {
    const { synthesis, read } = await setup(
      '| Order | Sent |\n|--|--|\n| 10482 | Friday |\n| 7 | |',
    );
    await read();

    expect(synthesis.finishAll()).to.deep.equal(['Order: 10482, Sent: Friday', 'Order: 7']);
  });

  it('omits citations, footnote marks and collapsed text, and speaks footnotes at the end', async () => {
    const { element, synthesis, read } = await setup('', {
      entry: entries.agent(
        'a',
        'True.[^1] Also【4:0†source】 this.\n\n<details><summary>More</summary>\n\nHidden.\n\n</details>\n\n[^1]: A note.',
        { citations: [{ title: 'A', url: 'https://a.example', snippet: null, endIndex: 5 }] },
      ),
    });
    await until('the citation', () => deepAll(element, '.cite').length > 0);
    await read();

    expect(synthesis.finishAll()).to.deep.equal([
      ...['True.', 'Also this.', 'More', 'Footnotes', '1: A note.'],
    ]);
  });

  it('speaks the host of an address, the description of an image, and simple formulas', async () => {
    const { element, synthesis, read } = await setup(
      'See https://a.example/b?c=d or [the page](https://b.example/c). ![A *lamp*](https://c.example/l.png) So $n = 2$, not $\\frac{1}{2}$.\n\n$$x^2$$\n\nEnd.',
    );
    await until('the formulas', () => deepAll(element, 'math').length === 3);
    await read();

    expect(synthesis.finishAll()).to.deep.equal([
      ...['See a.example or the page.', 'A lamp', 'So n = 2, not formula.', 'formula', 'End.'],
    ]);
  });

  it('splits long sentences, which Chromium does not finish', async () => {
    const { synthesis, read } = await setup(`${'A word, and '.repeat(60)}the end.`);
    await read();

    const texts = synthesis.finishAll();
    expect(texts.join(' ')).to.equal(`${'A word, and '.repeat(60)}the end.`);
    expect(Math.max(...texts.map(({ length }) => length))).to.be.at.most(200);
  });

  it('speaks each sentence in the language of the chat, or in one of its script', async () => {
    const { synthesis, read } = await setup(
      'It is here. הוא כאן. こんにちは東京。 안녕하세요. 42.',
      {},
    );
    await read();

    synthesis.finishAll();
    const spoken = synthesis.spoken.map(({ text, lang }) => [text, lang]);
    expect(spoken).to.deep.equal([
      ['It is here.', 'en'],
      ['הוא כאן.', 'he'],
      ['こんにちは東京。', 'ja'],
      ['안녕하세요.', 'ko'],
      ['42.', 'en'],
    ]);
  });

  it('stops with the second click', async () => {
    const { user, synthesis, read } = await setup('One. Two.');
    await read();

    await user.click('Read aloud');
    await until('the end', () => isPressed(user) === 'false');
    expect(synthesis.cancelled).to.equal(1);
    expect(synthesis.texts).to.deep.equal(['One.']);

    await read();
    expect(synthesis.texts).to.deep.equal(['One.', 'One.']);
  });

  it('stops when another answer is read', async () => {
    const { user, synthesis, read } = await setup('One. Two.');
    await read();
    const other = mount(document.createElement('inlay-agent-message'));
    Object.assign(other, { entry: entries.agent('b', 'Three.'), speakable: true });
    await other.updateComplete;

    await new User(other).click('Read aloud');
    await until('the other answer', () => synthesis.texts.includes('Three.'));

    await until('the end of the first', () => isPressed(user) === 'false');
    expect(synthesis.finishAll()).to.deep.equal(['One.', 'Three.']);
  });

  it('stops when the message is removed, and when the page is left', async () => {
    const removed = await setup('One. Two.');
    await removed.read();
    removed.element.remove();
    expect(removed.synthesis.cancelled).to.equal(1);

    const left = await setup('One. Two.');
    await left.read();
    dispatchEvent(new PageTransitionEvent('pagehide'));
    expect(left.synthesis.cancelled).to.equal(1);
    await until('the end', () => isPressed(left.user) === 'false');
  });

  it('stops when the page forbids it', async () => {
    const { element, synthesis, read } = await setup('One. Two.');
    await read();

    element.speakable = false;

    await until('the end', () => synthesis.cancelled === 1);
  });

  it('stops silently if another script or the system cancels the speech', async () => {
    const { user, synthesis, read } = await setup('One. Two.');
    await read();

    synthesis.cancel();

    await until('the end', () => isPressed(user) === 'false');
    expect(user.text).not.to.contain('read aloud');
  });

  it('says that the answer can’t be read aloud if the synthesizer fails, until the next attempt', async () => {
    const { element, user, synthesis, read } = await setup('One. Two.');
    const announced: string[] = [];
    element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
    await read();

    synthesis.fail('synthesis-failed');

    await user.sees('couldn’t be read aloud');
    expect(announced).to.have.length(1);
    expect(isPressed(user)).to.equal('false');
    await read();
    await user.seesNo('couldn’t be read aloud');
  });

  it('fails if the synthesizer does not start within ten seconds', async () => {
    const timers = new Map<number, () => void>();
    const { setTimeout } = globalThis;
    replaceGlobal('setTimeout', (callback: () => void, delay = 0, ...rest: unknown[]) => {
      const timer = Reflect.apply(setTimeout, globalThis, [callback, delay, ...rest]);
      if (delay === 10_000) timers.set(timer, callback);
      return timer;
    });
    const { user, synthesis, read } = await setup('One. Two.');
    await read();
    const expire = () => [...timers.values()].at(-1)?.();

    synthesis.finish();
    expect(timers.size).to.equal(2);
    expire();

    await user.sees('couldn’t be read aloud');
    expect(synthesis.cancelled).to.equal(1);
  });

  it('is part of the chat unless `no-read-aloud` is set, and stops in a new conversation', async () => {
    const synthesis = fakeSynthesis();
    const { chat, user } = await mountChat();
    await user.click('Read aloud');
    await until('a sentence', () => synthesis.spoken.length > 0);

    await chat.newConversation();
    await until('the end', () => synthesis.cancelled === 1);

    const silent = await mountChat(undefined, { noReadAloud: true });
    expect(silent.user.buttons('Copy message').length).to.be.above(0);
    expect(silent.user.buttons('Read aloud')).to.have.length(0);
  });

  it('stops when the panel of a launcher closes', async () => {
    const synthesis = fakeSynthesis();
    const { launcher, user, platform } = await mountLauncher(mount(document.createElement('div')));
    launcher.sessionId = platform.seed('kim', [
      events.user('?'),
      events.agent('It left. It is late.'),
    ]);
    launcher.show();
    await user.click('Read aloud');
    await until('a sentence', () => synthesis.spoken.length > 0);

    launcher.hide();

    await until('the end', () => synthesis.cancelled === 1);
  });
});
