import '../../define-all.ts';
import type { ScriptedPlatform, ScriptedSession } from '@inlay/client/testing';
import { createScriptedPlatform } from '@inlay/client/testing';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User, until } from '../testing/user.ts';
import type { InlayChat } from './chat.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

interface Setup {
  readonly chat: InlayChat;
  readonly user: User;
  readonly platform: ScriptedPlatform;
  readonly session: ScriptedSession;
  /** Makes `getToken` return null from now on, as if the user had signed out. */
  readonly signOut: () => void;
  /** Number of active intervals of the page. */
  readonly intervals: () => number;
}

/** Mounts a chat with running and waiting tool calls, and with thinking and a message that stream. */
async function mountBusyChat(): Promise<Setup> {
  const started = new Set<number>();
  const { setInterval, clearInterval } = window;
  window.setInterval = ((...input: Parameters<typeof setInterval>) => {
    const id = setInterval(...input);
    started.add(Number(id));
    return id;
  }) as typeof setInterval;
  window.clearInterval = (id) => {
    started.delete(Number(id));
    clearInterval(id);
  };
  cleanups.push(() => Object.assign(window, { setInterval, clearInterval }));

  const name = crypto.getRandomValues(new Uint32Array(2)).join('x');
  const platform = createScriptedPlatform({
    baseUrl: `${location.origin}/platform-${name}`,
    answer: null,
  });
  cleanups.push(platform.interceptFetch());
  const session = platform.createSession({ user: 'ada' });
  session.begin();
  session.append(
    { type: 'user.message', content: [{ type: 'text', text: 'Do it all' }] },
    { type: 'agent.tool_use', name: 'search', input: {}, evaluated_permission: 'allow' },
    { type: 'agent.tool_use', name: 'pay', input: {}, evaluated_permission: 'ask' },
    { type: 'agent.custom_tool_use', name: 'look', input: {} },
  );
  let token: string | null = platform.issue('ada').token;
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => token, sessionId: session.id });
  chat.style.height = '800px';
  const user = new User(mount(chat));
  cleanups.push(() => chat.remove());
  await user.sees('Needs your approval');
  session.start('agent.thinking').add('Let me see');
  await user.sees('Thinking');
  session.start('agent.message').add('I begin');
  await user.sees('I begin');
  const parts = {
    chat,
    user,
    platform,
    session,
    signOut: () => {
      token = null;
    },
    intervals: () => started.size,
  };
  // Without a progress indicator, the tests below would always pass.
  await until('progress', () => progressIndicators(chat).length > 0 && parts.intervals() > 0);
  return parts;
}

/** Elements that show progress or wait for the user. */
function progressIndicators(chat: InlayChat): string[] {
  const endless = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().iterations === Infinity)
    .map(({ effect }) => (effect as KeyframeEffect).target?.className ?? '');
  const spinners = deepAll(chat, '.spinner').map(() => 'spinner');
  const questions = deepAll(chat, '.ask').map(() => 'question');
  return [...endless, ...spinners, ...questions];
}

const endings: [string, (setup: Setup) => unknown][] = [
  [
    'the token is revoked and the host provides no other token',
    ({ platform, signOut }) => {
      signOut();
      platform.revoke(platform.requests.find(({ tokenId }) => tokenId)?.tokenId ?? '');
    },
  ],
  ['the user is blocked', ({ platform }) => platform.block('ada')],
  [
    'the token expires and the host provides no other token',
    ({ platform, signOut }) => {
      signOut();
      platform.expire(platform.requests.find(({ tokenId }) => tokenId)?.tokenId ?? '');
    },
  ],
  ['the conversation is terminated', ({ session }) => session.terminate()],
  [
    'the conversation is archived',
    ({ platform, session }) =>
      fetch(`${platform.baseUrl}/agent/v1/sessions/${session.id}/archive`, {
        method: 'POST',
        headers: { authorization: `Bearer ${platform.issue('ada').token}` },
      }),
  ],
  [
    'the conversation is deleted',
    ({ platform, session }) =>
      fetch(`${platform.baseUrl}/agent/v1/sessions/${session.id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${platform.issue('ada').token}` },
      }),
  ],
];

describe('inlay-chat with a run in progress', () => {
  for (const [cause, end] of endings) {
    it(`shows no timer, spinner or pending question after ${cause}`, async () => {
      const setup = await mountBusyChat();

      await end(setup);

      await until('no progress indicators', () => progressIndicators(setup.chat).length === 0);
      await until('no intervals', () => setup.intervals() === 0);
      expect(setup.user.text).to.contain('Do it all');
    });
  }
});
