import '../../define-all.ts';
import { sendMouse } from '@web/test-runner-commands';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { onTestEnd } from '../testing/host-page.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { User, until } from '../testing/user.ts';
import type { InlayLauncher } from './launcher.ts';

/** Sends a message and closes the panel, on the first page of a visit. */
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
  first.launcher.show();
  await first.user.sees('Hello kim');
  await first.user.say('Where is it?');
  await until('the session', () => first.launcher.chat?.currentSessionId);
  await until('the message', () =>
    platform.requests().some(({ name }) => /events|sessions$/.test(name)),
  );
  first.launcher.hide();
  await first.launcher.updateComplete;
  return { platform, load, first };
}

const answer = [events.running(), events.agent('On its way.'), events.idle()];

/** Waits for pending updates. */
async function settled() {
  for (let frame = 0; frame < 5; frame += 1) await nextFrame();
}

/** Returns a live list of the audio contexts that are created from now on. */
function recordAudioContexts(): AudioContext[] {
  const contexts: AudioContext[] = [];
  const { AudioContext: RealAudioContext } = window;
  class RecordedAudioContext extends RealAudioContext {
    constructor() {
      super();
      contexts.push(this);
    }
  }
  Object.assign(window, { AudioContext: RecordedAudioContext });
  onTestEnd(() => Object.assign(window, { AudioContext: RealAudioContext }));
  return contexts;
}

describe('inlay-launcher with unread messages', () => {
  it('counts a message that was completed between two page loads', async () => {
    const { platform, load, first } = await setup();
    first.launcher.remove();
    await settled();
    platform.append(...answer);

    const { user } = await load();

    await until('the badge', () => user.buttons('Open chat, 1 unread message')[0]);
  });

  it('counts a message that is completed after the next page load', async () => {
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

  it('does not count messages that were seen, and does not load the chat', async () => {
    const { platform, load, first } = await setup();
    first.launcher.show();
    platform.append(...answer);
    await first.user.sees('On its way.');
    first.launcher.hide();
    first.launcher.remove();

    const { user, launcher } = await load();
    await settled();

    expect(user.buttons('Open chat')).to.have.length(1);
    expect(launcher.chat).to.equal(null);
  });

  it('plays a chime with the sound option only while the panel is closed', async () => {
    const contexts = recordAudioContexts();
    const { platform, first } = await setup({ sound: true });
    // Browsers allow sound after a user gesture.
    await sendMouse({ type: 'click', position: [3, 3] });
    first.launcher.show();
    platform.append(...answer);
    await first.user.sees('On its way.');
    await settled();
    expect(contexts).to.have.length(0);

    first.launcher.hide();
    platform.append(events.running(), events.agent('And here.'), events.idle());

    await until('a chime', () => contexts.length > 0);
  });

  it('plays no chime without the sound option', async () => {
    const contexts = recordAudioContexts();
    const { platform, first } = await setup();
    await sendMouse({ type: 'click', position: [3, 3] });
    platform.append(...answer);

    await until('the badge', () => first.user.buttons('Open chat, 1 unread message')[0]);
    await settled();

    expect(contexts).to.have.length(0);
  });

  it('reports each change of `unread` to the page', async () => {
    const { platform, first } = await setup();
    const { launcher } = first;
    const changes: number[] = [];
    launcher.addEventListener('inlay-unread-change', ({ detail }) => changes.push(detail.unread));

    platform.append(...answer);
    await until('the first message', () => launcher.unread === 1);
    platform.append(events.running(), events.agent('And here.'), events.idle());
    await until('the second message', () => launcher.unread === 2);
    launcher.show();
    await launcher.updateComplete;

    expect(launcher.unread).to.equal(0);
    expect(changes).to.deep.equal([1, 2, 0]);
  });
});
