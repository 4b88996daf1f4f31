import '../../define-all.ts';
import { sendKeys } from '@web/test-runner-commands';
import { expect, nextFrame } from '../testing/fixture.ts';
import { mountBox, mountChat, mountLauncher, onTestEnd } from '../testing/host-page.ts';
import { events } from '../testing/platform.ts';
import { deepAll, until } from '../testing/user.ts';

/** Replaces a property until the test ends. */
function replace<T extends object>(target: T, name: string, descriptor: PropertyDescriptor) {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { configurable: true, ...descriptor });
  onTestEnd(() => {
    if (before) Object.defineProperty(target, name, before);
    else Reflect.deleteProperty(target, name);
  });
}

describe('in an unusual page,', () => {
  it('a chat and a launcher can be used if access to storage throws', async () => {
    const get = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    replace(window, 'localStorage', { get });
    replace(window, 'sessionStorage', { get });

    const { chat, user } = await mountChat();
    user.type('A draft');
    await user.say('Can you hear me?');
    await user.sees('Can you hear me?');
    const { launcher, user: other } = await mountLauncher(mountBox(), {
      teaser: 'Hello',
      teaserDelay: 0,
    });
    await other.sees('Hello');
    launcher.show();
    await other.sees('Hello kim');

    expect(chat.currentSessionId).not.to.equal(null);
  });

  it('a launcher signs in an anonymous visitor if access to localStorage throws', async () => {
    replace(window, 'localStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    const { launcher, user } = await mountLauncher(mountBox(), {
      getToken: null,
      publishableKey: 'pk_demo',
    });
    launcher.show();

    await user.sees('Hello visitor');
  });

  it('a chat shows messages if Array.prototype and Object.prototype have enumerable properties', async () => {
    replace(Array.prototype, 'last', { enumerable: true, value: () => 'junk', writable: true });
    replace(Object.prototype, 'extend', { enumerable: true, value: () => 'junk', writable: true });

    const { user, platform, chat } = await mountChat();
    await user.say('And now?');
    await until('the message', () =>
      platform.requests().some(({ name }) => /POST .*events/.test(name)),
    );
    await platform.append(events.running(), events.agent('All is well.'), events.idle());
    await user.sees('All is well.');

    expect(user.text).not.to.contain('junk');
    expect(deepAll(chat, 'inlay-agent-message')).to.have.length(2);
  });

  it('a chat shows messages if `scrollIntoView` is missing', async () => {
    for (const name of ['scrollIntoView', 'scrollIntoViewIfNeeded']) {
      replace(Element.prototype, name, { value: undefined, writable: true });
    }

    const { user, platform } = await mountChat();
    await user.say('Scroll');
    await platform.append(events.running(), events.agent('Down here.'), events.idle());

    await user.sees('Down here.');
  });
});

describe('presses and focus in a chat', () => {
  /** Presses and focuses an element. Returns the types of the events that the page received. */
  function press(target: HTMLElement) {
    const types: string[] = [];
    for (const type of ['pointerdown', 'mousedown', 'focusin', 'click']) {
      const listen = () => types.push(type);
      document.addEventListener(type, listen);
      onTestEnd(() => document.removeEventListener(type, listen));
    }
    const options = { bubbles: true, composed: true };
    target.dispatchEvent(new PointerEvent('pointerdown', options));
    target.dispatchEvent(new MouseEvent('mousedown', options));
    target.focus();
    target.click();
    return types;
  }

  it('do not reach listeners of the page, except clicks', async () => {
    const { user } = await mountChat();

    expect(press(user.field)).to.deep.equal(['click']);
  });

  it('reach the page if they are in content of the page', async () => {
    const { chat } = await mountChat();
    const button = document.createElement('button');
    button.slot = 'footer';
    chat.append(button);
    await nextFrame();

    expect(press(button)).to.deep.equal(['pointerdown', 'mousedown', 'focusin', 'click']);
  });

  it('look to the page like focus that moves into a frame', async () => {
    const { chat, user } = await mountChat();
    const input = document.createElement('input');
    chat.before(input);
    const targets: (EventTarget | null)[] = [];
    input.addEventListener('focusout', ({ relatedTarget }) => targets.push(relatedTarget));
    input.focus();

    user.field.focus();

    expect(targets).to.deep.equal([null]);
  });
});

describe('keyboard events in a chat', () => {
  /** Records the keyboard events that a target receives. */
  function recordKeys(target: EventTarget) {
    const keys: string[] = [];
    const listen = (event: Event) => keys.push(`${event.type} ${(event as KeyboardEvent).key}`);
    for (const type of ['keydown', 'keypress', 'keyup']) {
      target.addEventListener(type, listen);
      onTestEnd(() => target.removeEventListener(type, listen));
    }
    return keys;
  }

  it('do not reach listeners of the page while the user types', async () => {
    const { chat, user } = await mountChat();
    const received = recordKeys(document);
    user.field.focus();

    for (const key of ['/', '?', 'g', 'ArrowLeft', 'Backspace', 'Backspace', 'x']) {
      await sendKeys({ press: key });
    }

    expect(received).to.deep.equal([]);
    expect(user.field.value).to.contain('x');
    expect(document.activeElement).to.equal(chat);
  });

  it('reach listeners on the chat itself', async () => {
    const { chat, user } = await mountChat();
    const received = recordKeys(chat);
    user.field.focus();
    await sendKeys({ press: 'x' });

    expect(received).to.include('keydown x');
  });

  it('reach the page for Escape, for function keys, and for other keys with Ctrl or Meta', async () => {
    const { user } = await mountChat();
    const received = recordKeys(document);
    user.press('Escape');
    user.press('k', { ctrlKey: true });
    user.press('F2');
    user.press('k', { metaKey: true });

    expect(received).to.deep.equal(['keydown Escape', 'keydown k', 'keydown F2', 'keydown k']);
  });

  it('do not reach the page for characters typed with AltGr (Ctrl and Alt) or Option (Alt)', async () => {
    const { user } = await mountChat();
    const received = recordKeys(document);
    user.press('@', { ctrlKey: true, altKey: true });
    user.press('ł', { altKey: true });

    expect(received).to.deep.equal([]);
  });

  it('reach the page if a button has focus', async () => {
    const { chat } = await mountChat();
    const received = recordKeys(document);
    const [button] = deepAll(chat, 'button');
    button?.dispatchEvent(
      new KeyboardEvent('keydown', { key: '/', bubbles: true, composed: true }),
    );

    expect(received).to.deep.equal(['keydown /']);
  });
});

describe('a chat and a launcher', () => {
  it('leave no global variable, listener or style when they are removed', async () => {
    // Loads all chunks before the comparison, because they stay loaded.
    const first = await mountLauncher(mountBox());
    first.launcher.show();
    await first.user.sees('Hello kim');
    first.launcher.remove();
    await nextFrame();
    const listeners = trackListeners();
    const names = Object.keys(window).sort();
    const { style, className } = document.documentElement;
    const [cssBefore, classBefore] = [style.cssText, className];
    const children = document.body.childElementCount;

    const { launcher, user } = await mountLauncher(document.body);
    launcher.show();
    await user.sees('Hello kim');
    const { chat } = await mountChat(document.body);
    expect(listeners.size).to.be.greaterThan(0);
    launcher.remove();
    chat.remove();
    await nextFrame();
    await nextFrame();

    expect(Object.keys(window).sort()).to.deep.equal(names);
    expect([style.cssText, className]).to.deep.equal([cssBefore, classBefore]);
    expect(document.body.childElementCount).to.equal(children);
    await until(
      () => `the removal of listeners: ${[...listeners].join(', ')}`,
      () => listeners.size === 0,
    );
  });
});

/** Returns a live set with the type and a number of each listener that is added to the page from now on. */
function trackListeners(): Set<string> {
  const active = new Set<string>();
  const known = new WeakMap<object, Map<string, string>>();
  let count = 0;
  for (const target of [window, document, window.visualViewport].filter((each) => each !== null)) {
    const { addEventListener, removeEventListener } = target as EventTarget;
    const add: typeof addEventListener = function (this: EventTarget, type, listener, options) {
      if (listener) {
        count += 1;
        const name = `${type} ${count}`;
        const signal = typeof options === 'object' ? options.signal : undefined;
        active.add(name);
        signal?.addEventListener('abort', () => active.delete(name), { once: true });
        const namesByType = known.get(listener) ?? new Map<string, string>();
        namesByType.set(type, name);
        known.set(listener, namesByType);
      }
      addEventListener.call(target, type, listener, options);
    };
    const remove: typeof removeEventListener = (type, listener, options) => {
      const name = listener && known.get(listener)?.get(type);
      if (name) active.delete(name);
      removeEventListener.call(target, type, listener, options);
    };
    Object.assign(target, { addEventListener: add, removeEventListener: remove });
    onTestEnd(() => {
      Reflect.deleteProperty(target, 'addEventListener');
      Reflect.deleteProperty(target, 'removeEventListener');
    });
  }
  return active;
}

describe('in a page with an unusual language or direction,', () => {
  for (const [lang, dir] of [
    ['', 'auto'],
    ['x-klingon', ''],
    ['not a language!', 'sideways'],
    ['ar', 'ltr'],
    ['en-US-u-hc-h23', 'rtl'],
  ] as const) {
    it(`a chat accepts text with lang “${lang}” and dir “${dir}”`, async () => {
      const { lang: langBefore, dir: dirBefore } = document.documentElement;
      onTestEnd(() =>
        Object.assign(document.documentElement, { lang: langBefore, dir: dirBefore }),
      );
      document.documentElement.setAttribute('lang', lang);
      document.documentElement.setAttribute('dir', dir);

      const { user } = await mountChat();
      user.type('ok');

      expect(user.field.value).to.equal('ok');
    });
  }
});

describe('on one page,', () => {
  it('ten chats have separate conversations and drafts', async () => {
    const chats = await Promise.all(Array.from({ length: 10 }, () => mountChat()));
    for (const [index, { user }] of chats.entries()) user.type(`Draft ${index}`);
    await nextFrame();

    expect(chats.map(({ user }) => user.field.value)).to.deep.equal(
      chats.map((_, index) => `Draft ${index}`),
    );
    const [fourth] = chats.slice(3);
    await fourth?.user.say('Only here');
    await fourth?.user.sees('Only here');
    expect(chats.filter(({ user }) => user.text.includes('Only here'))).to.have.length(1);
  });

  it('two launchers in different corners open separately', async () => {
    const first = await mountLauncher(mountBox(), { getToken: null, publishableKey: 'pk_demo' });
    const second = await mountLauncher(mountBox(), { placement: 'bottom-start' });
    second.launcher.show();
    await second.user.sees('Hello kim');

    expect(first.launcher.open).to.equal(false);
    const [left, right] = [second, first].map(
      ({ launcher }) => deepAll(launcher, '.bubble')[0]?.getBoundingClientRect().x ?? 0,
    );
    expect(left).to.be.lessThan(right ?? 0);
    second.launcher.hide();
    first.launcher.show();
    await first.user.sees('Hello visitor');
    expect(second.launcher.open).to.equal(false);
  });

  it('a second copy of the bundle does not replace the elements of the first copy', async () => {
    const before = customElements.get('inlay-chat');
    const copy = new URL('../../define.ts?copy=2', import.meta.url).href;

    await import(/* @vite-ignore */ copy);

    expect(customElements.get('inlay-chat')).to.equal(before);
    const { user } = await mountChat();
    expect(user.text).to.contain('Where is my order?');
  });
});

describe('a chat that is moved while an answer streams', () => {
  it('keeps stream, draft, scroll position and focus', async () => {
    const { chat, user, platform } = await mountChat();
    for (let turn = 0; turn < 8; turn += 1) {
      await platform.append(events.agent(`Answer ${turn}. ${'More and more. '.repeat(30)}`));
    }
    await user.sees('Answer 7');
    await platform.append(events.running());
    platform.live(events.start('evt_live'), events.delta('evt_live', 'It grows'));
    await user.sees('It grows');
    user.type('My draft');
    const scroller = deepAll(chat, '[role=log]')[0] as HTMLElement;
    scroller.scrollTop = 120;
    await nextFrame();
    await nextFrame();
    const { scrollTop } = scroller;
    const streams = platform.streams();
    user.field.focus();

    const other = mountBox();
    other.append(chat);
    await nextFrame();
    expect(user.field.matches(':focus')).to.equal(true);
    expect(user.field.value).to.equal('My draft');
    expect(scroller.isConnected).to.equal(true);
    expect(scroller.scrollTop).to.be.closeTo(scrollTop, 2);
    expect(platform.streams()).to.equal(streams);

    platform.live(events.delta('evt_live', ' and grows on'));
    scroller.scrollTop = scroller.scrollHeight;
    await user.sees('It grows and grows on');
  });
});
