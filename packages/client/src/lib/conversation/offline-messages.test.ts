import { describe, expect, it } from 'vitest';
import { createInlayClient } from '../client.ts';
import { setupClient, shownEntries, until } from '../testing/client-setup.ts';
import { FakePage } from '../testing/fake-page.ts';
import { FakeStore } from '../testing/fake-store.ts';
import { hostTokens } from '../tokens/sources/host.ts';

/** A client that goes offline after it has loaded its configuration. */
async function setup() {
  const { platform } = await setupClient();
  const store = new FakeStore();
  const page = new FakePage();
  const client = createInlayClient({
    baseUrl: platform.baseUrl,
    tokens: hostTokens(() => 'et_offline'),
    draftStore: store,
    ports: { random: () => 0, page },
  });
  await client.config();
  page.goOffline();
  return { platform, client, store, page };
}

describe('a first message that is sent offline', () => {
  it('fails when the client is closed', async () => {
    const { client } = await setup();
    const sent = client
      .conversation()
      .send('Look')
      .catch((error: unknown) => error);

    client.close();

    expect(await sent).toMatchObject({ code: 'CLOSED' });
  });

  it('is shown and stored immediately, and is sent once when online, before later messages', async () => {
    const { platform, client, store, page } = await setup();
    const conversation = client.conversation();
    const sent = [conversation.send('Look'), conversation.send('And there?')];

    await until(() => shownEntries(conversation)[0] === 'Look (queued)');
    expect(shownEntries(conversation)).toEqual(['Look (queued)', 'And there? (queued)']);
    const stored = [...store.content.values()].join('\n');
    expect(stored).toContain('Look');
    expect(stored).toContain('And there?');
    expect(platform.sessions.length).toBe(0);

    page.goOnline();
    await Promise.all(sent);
    const messages = platform.session('ses_1').log.filter(({ type }) => type === 'user.message');
    expect(messages).toHaveLength(2);
    expect(messages[0]).toMatchObject({ content: [{ text: 'Look' }] });
    const lines = shownEntries(conversation);
    expect(lines.indexOf('Look (sent)')).toBe(0);
    expect(lines.indexOf('And there? (sent)')).toBeGreaterThan(0);
    expect([...store.content.values()].join('\n')).not.toContain('Look');
    client.close();
  });
});
