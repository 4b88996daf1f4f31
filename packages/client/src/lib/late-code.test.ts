import { describe, expect, it, vi } from 'vitest';
import type { Story } from './conversation/story-code.ts';
import { importAgain } from './late-code.ts';
import { setupClient, shown, until } from './testing/client-setup.ts';

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

describe('importAgain', () => {
  const failed = (what: string) =>
    new TypeError(`Failed to fetch dynamically imported module: ${what}`);

  it('fetches under another address what the browser remembers that it could not be had', async () => {
    const { href } = new URL('./conversation/story.ts', import.meta.url);
    const story = await importAgain<Story>(failed(href), 'reduce');
    expect(story.reduce).toBeTypeOf('function');
  });

  it('leaves the error as it is where it names no address, or something else is there', async () => {
    for (const error of [
      failed('./story.js'),
      failed(new URL('./conversation/cards.ts', import.meta.url).href),
      new Error('Loading chunk 7 failed: see https://bundler.test/help for more'),
    ]) {
      await expect(importAgain<Story>(error, 'reduce')).rejects.toBe(error);
    }
  });
});

describe('Conversation: code that comes late', () => {
  it('shows an old conversation although its code could not be loaded at once, and tells of it', async () => {
    vi.doMock('./conversation/story.ts', () => {
      throw new TypeError('Failed to fetch dynamically imported module');
    });
    const { platform, client, diagnostics } = await setupClient();
    const session = platform.session('ses_1');
    platform.append(session, 'user.message', text('Look'));
    platform.append(session, 'session.status_running');
    const id = platform.append(session, 'agent.tool_use', { name: 'look', input: {} }).id;
    const conversation = client.conversation('ses_1');
    await until(() => diagnostics.some(({ type }) => type === 'load_retry'));
    expect(conversation.state).toMatchObject({ loading: true, connection: 'connecting' });

    vi.doUnmock('./conversation/story.ts');
    await until(() => session.streams.size === 1);
    expect(shown(conversation)).toEqual(['Look (sent)', 'tool look (running)']);

    platform.append(session, 'agent.tool_result', { tool_use_id: id, ...text('found') });
    await until(() => shown(conversation).includes('tool look (done)'));
  });
});
