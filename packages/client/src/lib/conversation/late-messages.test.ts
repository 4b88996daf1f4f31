import { describe, expect, it, vi } from 'vitest';
import { createInlayClient } from '../client.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { setupClient, shown, until } from '../testing/client-setup.ts';
import { FakePage } from '../testing/fake-page.ts';
import { FakeStore } from '../testing/fake-store.ts';
import { hostTokens } from '../tokens/host-tokens.ts';

/** A client whose code for what is said can't be fetched, until it is `mend`ed. */
async function setup() {
  vi.doMock('./story.ts', () => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  const { platform } = await setupClient();
  const store = new FakeStore();
  const page = new FakePage();
  const diagnostics: Diagnostic[] = [];
  const client = createInlayClient({
    baseUrl: platform.url,
    tokens: hostTokens(() => 'et_late'),
    textStore: store,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ports: { random: () => 0, page },
  });
  await client.config();
  const tried = () => diagnostics.filter(({ type }) => type === 'load_retry').length;
  const mend = () => vi.doUnmock('./story.ts');
  return { platform, client, store, page, tried, mend };
}

describe('a message said before the code for it is there', () => {
  it('fails when its conversation ends, and nothing is fetched any more', async () => {
    const { client, tried } = await setup();
    const conversation = client.conversation();
    const sent = conversation.send('Look').catch((error: unknown) => error);
    await until(() => tried() > 1);

    client.close();
    expect(await sent).toMatchObject({ code: 'CLOSED' });
    const before = tried();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(tried()).toBe(before);
  });

  it('is shown and kept at once, and sent once and in its turn when the code came', async () => {
    const { platform, client, store, page, tried, mend } = await setup();
    const conversation = client.conversation();
    // The code is wanted before anything is said.
    await until(() => tried() > 0);

    const sent = [conversation.send('Look'), conversation.send('And there?')];
    expect(shown(conversation)).toEqual(['Look (sending)', 'And there? (queued)']);
    expect(conversation.state).toMatchObject({ running: true, stoppable: true });
    const kept = [...store.content.values()].join('\n');
    expect(kept).toContain('Look');
    expect(kept).toContain('And there?');
    expect(conversation.state).toBe(conversation.state);

    page.goOffline();
    await until(() => shown(conversation)[0] === 'Look (queued)');
    expect(platform.sessions.size).toBe(0);

    mend();
    page.goOnline();
    await Promise.all(sent);
    const said = platform.session('ses_1').log.filter(({ type }) => type === 'user.message');
    expect(said).toHaveLength(2);
    expect(said[0]).toMatchObject({ content: [{ text: 'Look' }] });
    const lines = shown(conversation);
    expect(lines.indexOf('Look (sent)')).toBe(0);
    expect(lines.indexOf('And there? (sent)')).toBeGreaterThan(0);
    expect([...store.content.values()].join('\n')).not.toContain('Look');
    client.close();
  });
});
