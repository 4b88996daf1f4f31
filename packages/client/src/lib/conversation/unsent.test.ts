import { describe, expect, it } from 'vitest';
import { setupClient, shownEntries, until } from '../testing/client-setup.ts';
import { sendProblem } from '../testing/platform-server.ts';
import { createTestBed } from '../testing/test-bed.ts';
import { codeOf } from '../testing/token-setup.ts';
import { anonymousVisitor } from '../tokens/sources/anonymous.ts';

/** A conversation that was closed while offline, with two queued messages. */
async function setupUnsent(options: Parameters<typeof setupClient>[0] = {}) {
  const setup = await setupClient(options);
  setup.page.emit('offline');
  const conversation = setup.client.conversation();
  const sent = [conversation.send('one'), conversation.send('two')];
  conversation.close();
  return { ...setup, conversation, sent };
}

describe('a closed conversation with unsent messages', () => {
  it('sends the messages once and in order, and opens no stream', async () => {
    const { platform, page, conversation, sent } = await setupUnsent();
    page.emit('online');
    await Promise.all(sent);

    const messages = platform.session('ses_1').log.filter(({ type }) => type === 'user.message');
    expect(messages.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'one' }],
      [{ type: 'text', text: 'two' }],
    ]);
    expect(platform.sessions.length).toBe(1);
    expect(conversation.state).toMatchObject({ connection: 'closed', running: false });
    expect(conversation.state.session?.id).toBe('ses_1');
    await until(() => platform.session('ses_1').readers === 0);
    expect(platform.countReceived('GET', /stream/)).toBe(0);
  });

  it('notifies no listener, and rejects new messages', async () => {
    const { page, conversation, sent } = await setupUnsent();
    let notifications = 0;
    conversation.subscribe(() => {
      notifications += 1;
    });
    page.emit('online');
    await Promise.all(sent);

    expect(notifications).toBe(0);
    expect(await codeOf(conversation.send('three'))).toBe('CLOSED');
  });

  it('drops the messages at client.reset()', async () => {
    const { platform, client, page, conversation, sent } = await setupUnsent();
    client.reset();
    page.emit('online');

    expect(await Promise.all(sent.map(codeOf))).toEqual(['SUBJECT_CHANGED', 'SUBJECT_CHANGED']);
    expect(conversation.state.entries).toEqual([]);
    expect(platform.sessions.length).toBe(0);
    expect(page.watchers).toBe(1);
  });

  it('drops the messages when the client is closed', async () => {
    const { client, page, sent } = await setupUnsent();
    client.close();
    expect(await Promise.all(sent.map(codeOf))).toEqual(['CLOSED', 'CLOSED']);
    expect(page.watchers).toBe(0);
  });
});

describe('Conversation.discard', () => {
  it('removes a failed message, so that retry() does not send it', async () => {
    const { platform, client } = await setupClient();
    const conversation = client.conversation();
    platform.intercept = ({ method }, response) => {
      if (method !== 'POST') return undefined;
      sendProblem(response, 402, 'EMBED_BUDGET_EXCEEDED');
      return 'handled';
    };
    expect(await codeOf(conversation.send('Hi'))).toBe('EMBED_BUDGET_EXCEEDED');
    platform.intercept = () => undefined;
    conversation.discard(conversation.state.entries[0]?.key ?? '');
    expect(shownEntries(conversation)).toEqual([]);

    conversation.retry();
    await conversation.send('Again');
    expect(shownEntries(conversation)[0]).toBe('Again (sent)');
    expect(
      platform.session('ses_1').log.filter(({ type }) => type === 'user.message'),
    ).toHaveLength(1);
  });

  it('has no effect on a message that is queued offline', async () => {
    const { client, page } = await setupClient();
    page.emit('offline');
    const conversation = client.conversation();
    conversation.send('Hi').catch(() => {});
    conversation.discard(conversation.state.entries[0]?.key ?? '');
    expect(shownEntries(conversation)).toEqual(['Hi (queued)']);
  });
});

describe('the session of a sent message', () => {
  it('is in the state when send() of the first message resolves', async () => {
    const { client } = await setupClient();
    const conversation = client.conversation();
    await conversation.send('Hi');
    expect(conversation.state.session?.id).toBe('ses_1');
  });

  it('is loaded before send() to an existing session resolves', async () => {
    const { platform, client } = await setupClient();
    platform.createSession({ id: 'ses_old', user: 'ada' });
    const pendingLoads: (() => void)[] = [];
    const conversation = client.conversation('ses_old');
    platform.intercept = ({ method, path }, response) => {
      if (method !== 'GET' || !path.endsWith('/ses_old') || pendingLoads.length > 0)
        return undefined;
      pendingLoads.push(() => response.destroy());
      return 'handled';
    };
    let sent = false;
    const sending = conversation.send('Hi').then(() => {
      sent = true;
    });
    await until(() => pendingLoads.length === 1 && platform.session('ses_old').log.length > 0);
    expect(sent).toBe(false);
    pendingLoads[0]?.();
    await sending;
    expect(conversation.state.session?.id).toBe('ses_old');
  });
});

describe('InlayClient.unsent', () => {
  it('rejects while access is denied', async () => {
    const bed = createTestBed({
      client: { tokens: anonymousVisitor({ publishableKey: 'pk_unknown', store: 'memory' }) },
    });
    await expect(bed.client.unsent()).rejects.toMatchObject({ code: 'AUTHENTICATION_ERROR' });
    await bed.close();
  });
});
