import '../../define-all.ts';
import { sendMouse } from '@web/test-runner-commands';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { onTestEnd } from '../testing/host-page.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { User, until } from '../testing/user.ts';
import type { InlayLauncher } from './launcher.ts';

/** A person who has asked something and closed the panel, on the first page of a visit. */
async function setup(options: Partial<InlayLauncher> = {}) {
  const platform = testPlatform();
  const load = async () => {
    const launcher = document.createElement('inlay-launcher');
    Object.assign(launcher, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' }, options);
    mount(launcher);
    await launcher.updateComplete;
    return { launcher, user: new User(launcher) };
  };
  const first = await load();
  first.launcher.open();
  await first.user.sees('Hello kim');
  await first.user.say('Where is it?');
  await until('the session', () => first.launcher.chat?.currentSessionId);
  await until('the message', () =>
    platform.requests().some(({ name }) => /events|sessions$/.test(name)),
  );
  first.launcher.close();
  await first.launcher.updateComplete;
  return { platform, load, first };
}

const answer = [events.running(), events.agent('On its way.'), events.idle()];

/** Lets what would happen by itself happen. */
async function settled() {
  for (let frame = 0; frame < 5; frame += 1) await nextFrame();
}

/** All that is opened to make a sound with. */
function heardOf(): AudioContext[] {
  const contexts: AudioContext[] = [];
  const { AudioContext: real } = window;
  class Heard extends real {
    constructor() {
      super();
      contexts.push(this);
    }
  }
  Object.assign(window, { AudioContext: Heard });
  onTestEnd(() => Object.assign(window, { AudioContext: real }));
  return contexts;
}

describe('what is unread in inlay-launcher', () => {
  it('counts an answer that was finished between two pages', async () => {
    const { platform, load, first } = await setup();
    first.launcher.remove();
    await settled();
    platform.append(...answer);

    const { user } = await load();

    await until('the badge', () => user.buttons('Open chat, 1 unread message')[0]);
  });

  it('counts an answer once that is still made while the page is left, and comes on the next', async () => {
    const { platform, load, first } = await setup();
    platform.append(events.running());
    first.launcher.remove();
    const { user, launcher } = await load();
    await until('the conversation', () => launcher.chat?.currentSessionId);
    await settled();
    expect(user.buttons('Open chat')).to.have.length(1);

    platform.append(events.agent('On its way.'), events.idle());

    await until('the badge', () => user.buttons('Open chat, 1 unread message')[0]);
  });

  it('does not count again what was seen, and loads no chat for it', async () => {
    const { platform, load, first } = await setup();
    first.launcher.open();
    platform.append(...answer);
    await first.user.sees('On its way.');
    first.launcher.close();
    first.launcher.remove();

    const { user, launcher } = await load();
    await settled();

    expect(user.buttons('Open chat')).to.have.length(1);
    expect(launcher.chat).to.equal(null);
  });

  it('is told with a chime where the page wants one, and only while the panel is closed', async () => {
    const contexts = heardOf();
    const { platform, first } = await setup({ sound: true });
    // Browsers let a page be heard that somebody has touched.
    await sendMouse({ type: 'click', position: [3, 3] });
    first.launcher.open();
    platform.append(...answer);
    await first.user.sees('On its way.');
    await settled();
    expect(contexts).to.have.length(0);

    first.launcher.close();
    platform.append(events.running(), events.agent('And here.'), events.idle());

    await until('a chime', () => contexts.length > 0);
  });

  it('is told without a sound otherwise', async () => {
    const contexts = heardOf();
    const { platform, first } = await setup();
    await sendMouse({ type: 'click', position: [3, 3] });
    platform.append(...answer);

    await until('the badge', () => first.user.buttons('Open chat, 1 unread message')[0]);
    await settled();

    expect(contexts).to.have.length(0);
  });
});
