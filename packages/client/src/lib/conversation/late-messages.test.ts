import { expect, it, vi } from 'vitest';
import { createInlayClient } from '../client.ts';
import { setupClient, shown, until } from '../testing/client-setup.ts';
import { FakeStore } from '../testing/fake-store.ts';
import { hostTokens } from '../tokens/host-tokens.ts';

it('keeps what is said while code is loaded, shows it in its turn, and sends it once', async () => {
  vi.doMock('./story.ts', () => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  const { platform } = await setupClient();
  const store = new FakeStore();
  const client = createInlayClient({
    baseUrl: platform.url,
    tokens: hostTokens(() => 'et_late'),
    textStore: store,
  });
  await client.config();
  const conversation = client.conversation();
  await conversation.send('Look');
  await until(() => !conversation.state.running);
  const session = platform.session('ses_1');
  platform.append(session, 'agent.tool_use', { name: 'look', input: {} });
  platform.append(session, 'agent.message', { content: [{ type: 'text', text: 'There' }] });
  const before = conversation.state.entries.length;
  // Time for both to come, and for the first of them to want its code.
  await client.sessions.list();
  expect(conversation.state.entries).toHaveLength(before);

  const sent = conversation.send('And there?');
  await Promise.resolve();
  expect([...store.content.values()].join('\n')).toContain('And there?');
  expect(shown(conversation)).not.toContain('And there? (sent)');

  vi.doUnmock('./story.ts');
  await sent;
  const said = session.log.filter(({ type }) => type === 'user.message');
  expect(said).toHaveLength(2);
  const lines = shown(conversation);
  expect(lines.indexOf('tool look (running)')).toBeLessThan(lines.indexOf('And there? (sent)'));
  expect(lines.indexOf('And there? (sent)')).toBeGreaterThan(0);
  client.close();
});
