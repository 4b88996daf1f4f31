import { describe, expect, it } from 'vitest';
import { setupClient, shownEntries, until } from '../testing/client-setup.ts';

const textContent = (words: string) => ({ content: [{ type: 'text', text: words }] });

describe('a conversation on a computer that slept for two hours', () => {
  it('T17: continues with one new token, without missing or repeated messages', async () => {
    const { client, platform, page, tokenCalls, skipTime } = await setupClient();
    const conversation = client.conversation();
    await conversation.send('Good night');
    await until(() => conversation.state.entries.length === 2);
    await client.config();
    const session = platform.session('ses_1');
    // While the laptop sleeps, the platform continues.
    platform.faults.cutStreams({ silently: true });
    session.append({ type: 'agent.message', ...textContent('While you slept.') });
    platform.expire('et_1');
    platform.received.length = 0;
    skipTime(2 * 3_600_000);

    for (const signal of ['visible', 'focus', 'online'] as const) page.emit(signal);
    const sent = conversation.send('Good morning');
    const listed = client.sessions.list();
    await Promise.all([sent, listed]);
    await until(() => shownEntries(conversation).length === 5);

    expect(tokenCalls).toEqual([null, 'et_1']);
    expect(new Set(platform.received.map(({ token }) => token))).toEqual(new Set(['et_2']));
    expect(shownEntries(conversation)).toEqual([
      'Good night (sent)',
      '> Hello. (done)',
      '> While you slept. (done)',
      'Good morning (sent)',
      '> Hello. (done)',
    ]);
  });
});
