import '../../define-all.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { deepAll, User, until } from '../testing/user.ts';
import type { InlayChat } from './chat.ts';

async function setup(getToken: InlayChat['getToken'] = () => 'et_kim_1') {
  const platform = testPlatform();
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, { baseUrl: platform.baseUrl, getToken, noResume: true });
  const states: string[] = [];
  chat.addEventListener('inlay-auth-change', ({ detail }) => states.push(detail.status));
  mount(chat);
  const user = new User(chat);
  return { chat, user, platform, states };
}

/** Mounts a chat with messages and a draft in the composer. */
async function setupConversation(getToken?: InlayChat['getToken']) {
  const parts = await setup(getToken);
  const { chat, user, platform } = parts;
  await user.sees('Hello kim');
  await user.say('Said before');
  await until('the session', () => chat.currentSessionId);
  await platform.append(events.running(), events.agent('Answered before.'), events.idle());
  await user.sees('Answered before.');
  user.type('My draft');
  await nextFrame();
  return parts;
}

/** Returns a `getToken` that issues a new token for each call. */
function tokenIssuer() {
  let issued = 0;
  return () => {
    issued += 1;
    return `et_kim_${issued}`;
  };
}

describe('inlay-chat without access', () => {
  it('T13: stops the duration and the announcements of an unfinished answer after a revocation', async () => {
    let allowed = true;
    const intervals = new Set<unknown>();
    const { setInterval: start, clearInterval: stop } = globalThis;
    globalThis.setInterval = ((run: () => void, delay: number) => {
      const id = start(run, delay);
      if (delay === 1000) intervals.add(id);
      return id;
    }) as typeof setInterval;
    globalThis.clearInterval = (id) => {
      intervals.delete(id);
      stop(id);
    };
    try {
      const { chat, user, platform } = await setupConversation(() => (allowed ? 'et_kim_1' : null));
      await platform.append(events.running());
      platform.live(events.start('think', 'agent.thinking'), events.delta('think', 'Hm.'));
      await until('the duration', async () => intervals.size === 1);
      const announced = () =>
        deepAll(chat, '[aria-live]').map((region) => region.textContent ?? '');
      await until('an announcement', async () => announced().join().includes('Ada'));
      allowed = false;

      await platform.revokeTokens();
      await user.sees('Your access has ended');
      await chat.updateComplete;

      expect([...intervals]).to.deep.equal([]);
      expect(announced().join()).not.to.contain('Ada');
    } finally {
      Object.assign(globalThis, { setInterval: start, clearInterval: stop });
    }
  });

  it('T13: after a revocation, shows that access has ended, keeps messages and draft, and makes the field read-only', async () => {
    let allowed = true;
    const { user, platform, states } = await setupConversation(() => (allowed ? 'et_kim_1' : null));
    allowed = false;

    await platform.revokeTokens();
    await user.sees('Your access has ended');

    expect(user.text).to.contain('Said before').and.to.contain('Answered before.');
    expect(user.text).to.contain('Your draft is saved.');
    expect(user.field.value).to.equal('My draft');
    expect(user.field.readOnly).to.equal(true);
    expect(states).to.include('revoked');
  });

  it('keeps the draft after a reconnect', async () => {
    let allowed = true;
    let issued = 0;
    const { chat, user, platform } = await setupConversation(() => {
      issued += 1;
      return allowed ? `et_kim_${issued}` : null;
    });
    allowed = false;
    await platform.revokeTokens();
    await user.sees('Your access has ended');

    allowed = true;
    await user.click('Reconnect');
    await until('the banner to go', () => deepAll(chat, ':not([inert]) > .banner').length === 0);

    expect(user.field.value).to.equal('My draft');
    expect(user.field.readOnly).to.equal(false);
    user.press('Enter');
    await until('the message', async () =>
      (await platform.requests()).some(({ name }) => name === 'POST /sessions/{id}/events'),
    );
  });

  it('moves focus to the field after a reconnect, unless the user has moved it elsewhere', async () => {
    let issued = 1;
    let getToken: () => string | null | Promise<string> = () => 'et_kim_1';
    const { chat, user, platform } = await setupConversation(() => getToken());
    /** Ends access, and presses Reconnect. Returns a function that completes the reconnect. */
    const reconnect = async () => {
      getToken = () => null;
      await platform.revokeTokens();
      await user.sees('Your access has ended');
      let answer = (_token: string) => {};
      const token = new Promise<string>((resolve) => {
        answer = resolve;
      });
      getToken = () => token;
      await user.click('Reconnect');
      return async () => {
        issued += 1;
        answer(`et_kim_${issued}`);
        await until(
          'the banner to go',
          () => deepAll(chat, ':not([inert]) > .banner').length === 0,
        );
        await nextFrame();
      };
    };
    const elsewhere = mount(document.createElement('input'));
    let complete = await reconnect();
    elsewhere.focus();
    await complete();
    expect(elsewhere.matches(':focus')).to.equal(true);

    complete = await reconnect();
    elsewhere.blur();
    await complete();
    await until('the field', () => deepAll(chat, 'textarea:focus').length === 1);
  });

  it('stops all progress indicators if access ends while a message streams', async () => {
    let allowed = true;
    const { chat, user, platform } = await setupConversation(() => (allowed ? 'et_kim_1' : null));
    const dots = () => deepAll(chat, '.pulse').length;
    await platform.append(events.running());
    await until('the dots', () => dots() === 1);
    await platform.append({
      type: 'agent.tool_use',
      id: 'evt_tool',
      name: 'look_up_order',
      input: {},
    });
    const spinner = await until('the spinner', () => deepAll(chat, '.spinner')[0]);
    expect(getComputedStyle(spinner).display).to.equal('block');
    allowed = false;

    await platform.revokeTokens();
    await user.sees('Your access has ended');

    await until('the dots to go', () => dots() === 0);
    // The computed `display` of an element that was removed is empty.
    await until('the spinner to stop', () => getComputedStyle(spinner).display !== 'block');
    expect(user.buttons('Stop')).to.have.length(0);
  });

  it('shows that the user is blocked', async () => {
    const { user, platform } = await setupConversation();
    await platform.refuse('EMBED_USER_BLOCKED');

    user.press('Enter');
    await user.sees('You can’t use this chat');

    expect(user.field.readOnly).to.equal(true);
  });

  it('shows which origin is not allowed', async () => {
    const { platform, user } = await setupConversation();
    await platform.refuse('EMBED_ORIGIN_NOT_ALLOWED');

    user.press('Enter');

    await user.sees(`${location.origin} isn’t one of the agent’s allowed origins`);
  });

  it('offers a new conversation when the budget is used up', async () => {
    const { platform, user } = await setupConversation(tokenIssuer());
    await platform.refuse('EMBED_BUDGET_EXCEEDED');
    user.press('Enter');
    await user.sees('You’ve reached this chat’s limit');
    user.type('Written meanwhile');

    await platform.refuse(null);
    await user.click('New conversation');
    await user.sees('Hello kim');
    await user.seesNo('You’ve reached this chat’s limit');
    await user.say('A new start');

    await until('a second session', async () => {
      const calls = await platform.requests();
      return calls.filter(({ name }) => name === 'POST /sessions').length === 2;
    });
  });

  it('shows nothing of the previous user after another user has signed in', async () => {
    let userId = 'kim';
    const { chat, user } = await setupConversation(() => `et_${userId}_1`);
    userId = 'lee';

    chat.reset();
    await chat.updateComplete;

    expect(user.text).not.to.contain('Said before').and.not.to.contain('Answered before.');
    expect(user.text).not.to.contain('Hello kim');
    expect(user.field.value).to.equal('');
    await user.sees('Hello lee');
  });

  it('never exposes a token in an event, the DOM or storage', async () => {
    const details: unknown[] = [];
    const names = ['inlay-ready', 'inlay-auth-change', 'inlay-error', 'inlay-answer'] as const;
    const listener = (event: Event) => details.push((event as CustomEvent).detail);
    for (const name of names) document.addEventListener(name, listener);

    const { chat, platform } = await setupConversation();
    await platform.refuse('EMBED_USER_BLOCKED');
    await chat.sendMessage('Hi');

    for (const name of names) document.removeEventListener(name, listener);
    const everywhere = JSON.stringify(details) + chat.outerHTML + JSON.stringify(localStorage);
    expect(details.length).to.be.greaterThan(2);
    expect(everywhere).not.to.contain('et_kim');
  });
});
