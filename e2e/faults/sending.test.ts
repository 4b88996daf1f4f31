/** Messages and interrupts that are sent while the connection fails take effect once, in order. */
import { describe, expect, it } from 'vitest';
import { startSite, until, untilFinished, untilText } from './setup.ts';

describe('a message whose response is lost', () => {
  it('S26: is stored once in a new conversation, and causes one model request', async () => {
    const { proxy, openTab, readSession } = await startSite();
    const lost = proxy.faults.add(
      { type: 'lose-answer', how: 'reset' },
      { method: 'POST', path: /\/sessions\?/, times: 2 },
    );
    const { client, sent } = openTab();
    const conversation = client.conversation();
    await conversation.send('hello');
    await untilFinished(conversation);

    const posts = sent.filter(({ method }) => method === 'POST');
    expect(lost.timesApplied).toBe(2);
    expect(posts).toHaveLength(3);
    expect(new Set(posts.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect((await client.sessions.list()).data).toHaveLength(1);
    const { count } = await readSession(conversation.state.session?.id ?? '');
    expect([count('user.message'), count('span.model_request_start')]).toEqual([1, 1]);
  });

  it('S26: is stored once in an existing conversation, and causes one run and one charge', async () => {
    const { proxy, openTab, readSession } = await startSite();
    const { client, sent } = openTab();
    const conversation = client.conversation();
    await conversation.send('hello');
    await untilFinished(conversation);
    const id = conversation.state.session?.id ?? '';
    const { usage: before } = await readSession(id);
    const lost = proxy.faults.add(
      { type: 'lose-answer', how: 'reset' },
      { method: 'POST', path: '/events', times: 2 },
    );
    await conversation.send('hello');
    await untilFinished(conversation);

    const posts = sent.filter(({ path }) => path.endsWith('/events'));
    expect(lost.timesApplied).toBe(2);
    expect(new Set(posts.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    const { count, usage: after } = await readSession(id);
    expect([count('user.message'), count('session.status_running')]).toEqual([2, 2]);
    expect(count('span.model_request_start')).toBe(2);
    // The second message was sent three times, but is charged once.
    expect(after.output_tokens).toBe(2 * (before.output_tokens ?? 0));
    expect(conversation.state.entries.map(({ kind }) => kind)).toEqual([
      'user',
      'agent',
      'user',
      'agent',
    ]);
  });
});

describe('conversation.stop()', () => {
  it('S27: sends one interrupt when the client is online again, and shows the answer as stopped', async () => {
    const { proxy, openTab, readSession } = await startSite({
      agent: { model: { provider: 'scripted', delay_ms: 15, first_delay_ms: 0 } },
    });
    const { client, page } = openTab();
    const conversation = client.conversation();
    await conversation.send('slow');
    await untilText(conversation);
    const before = conversation.state.entries.at(-1);
    proxy.goOffline('reset');
    page.goOffline();
    conversation.stop();
    conversation.stop();
    expect(conversation.state.stopping).toBe(true);
    proxy.goOnline();
    page.goOnline();
    await until(() => !conversation.state.running);

    const { types, count } = await readSession(conversation.state.session?.id ?? '');
    expect(count('user.interrupt')).toBe(1);
    expect(types.at(-1)).toBe('session.status_idle');
    const after = conversation.state.entries.at(-1);
    expect(after).toMatchObject({ kind: 'agent', progress: 'stopped' });
    // The text that arrived before the interrupt is kept.
    expect(after?.kind === 'agent' && before?.kind === 'agent' && after.text).toContain(
      before?.kind === 'agent' ? before.text : '',
    );
  });

  it('S27: sends the interrupt after a message that is still queued', async () => {
    const { proxy, openTab, readSession } = await startSite({
      agent: { model: { provider: 'scripted', delay_ms: 15, first_delay_ms: 0 } },
    });
    const { client, page } = openTab();
    const conversation = client.conversation();
    await conversation.send('hello');
    await untilFinished(conversation);
    proxy.goOffline('reset');
    page.goOffline();
    void conversation.send('slow');
    conversation.stop();
    proxy.goOnline();
    page.goOnline();
    await untilFinished(conversation);

    const { types } = await readSession(conversation.state.session?.id ?? '');
    const turn = types.slice(types.lastIndexOf('user.message'));
    expect(turn.filter((type) => type === 'user.interrupt')).toHaveLength(1);
    expect(turn.at(-1)).toBe('session.status_idle');
    expect(conversation.state.stopping).toBe(false);
  });
});
