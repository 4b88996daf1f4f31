/** What the person does while the connection fails: done once, and in its turn. */
import { describe, expect, it } from 'vitest';
import { answering, finished, startSite, until } from './setup.ts';

describe('a message whose answer is lost', () => {
  it('S26: is one message, one run and one charge, in a new conversation', async () => {
    const { proxy, openTab, logged } = await startSite();
    const lost = proxy.faults.add(
      { type: 'lose-answer', how: 'reset' },
      { method: 'POST', path: /\/sessions\?/, times: 2 },
    );
    const { client, sent } = openTab();
    const conversation = client.conversation();
    await conversation.send('hello');
    await finished(conversation);

    const posts = sent.filter(({ method }) => method === 'POST');
    expect(lost.strikes).toBe(2);
    expect(posts).toHaveLength(3);
    expect(new Set(posts.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect((await client.sessions.list()).data).toHaveLength(1);
    const { count } = await logged(conversation.state.session?.id ?? '');
    expect([count('user.message'), count('span.model_request_start')]).toEqual([1, 1]);
  });

  it('S26: is the same in a conversation that goes on', async () => {
    const { proxy, openTab, logged } = await startSite();
    const { client, sent } = openTab();
    const conversation = client.conversation();
    await conversation.send('hello');
    await finished(conversation);
    const id = conversation.state.session?.id ?? '';
    const { usage: before } = await logged(id);
    const lost = proxy.faults.add(
      { type: 'lose-answer', how: 'reset' },
      { method: 'POST', path: '/events', times: 2 },
    );
    await conversation.send('hello');
    await finished(conversation);

    const posts = sent.filter(({ path }) => path.endsWith('/events'));
    expect(lost.strikes).toBe(2);
    expect(new Set(posts.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    const { count, usage: after } = await logged(id);
    expect([count('user.message'), count('session.status_running')]).toEqual([2, 2]);
    expect(count('span.model_request_start')).toBe(2);
    // The same question in the same words: one more answer, and not three.
    expect(after.output_tokens).toBe(2 * (before.output_tokens ?? 0));
    expect(conversation.state.entries.map(({ kind }) => kind)).toEqual([
      'user',
      'agent',
      'user',
      'agent',
    ]);
  });
});

describe('stop', () => {
  it('S27: is kept without a network, sent once, and late words are shown as stopped', async () => {
    const { proxy, openTab, logged } = await startSite({
      agent: { model: { provider: 'scripted', delay_ms: 15, first_delay_ms: 0 } },
    });
    const { client, page } = openTab();
    const conversation = client.conversation();
    await conversation.send('long');
    await answering(conversation);
    const before = conversation.state.entries.at(-1);
    proxy.goOffline('reset');
    page.goOffline();
    conversation.stop();
    conversation.stop();
    expect(conversation.state.stopping).toBe(true);
    proxy.goOnline();
    page.goOnline();
    await until(() => !conversation.state.running);

    const { types, count } = await logged(conversation.state.session?.id ?? '');
    expect(count('user.interrupt')).toBe(1);
    expect(types.at(-1)).toBe('session.status_idle');
    const after = conversation.state.entries.at(-1);
    expect(after).toMatchObject({ kind: 'agent', progress: 'stopped' });
    // What was said before the stop arrived is part of it.
    expect(after?.kind === 'agent' && before?.kind === 'agent' && after.text).toContain(
      before?.kind === 'agent' ? before.text : '',
    );
  });

  it('S27: is remembered when it is pressed before the message went out', async () => {
    const { proxy, openTab, logged } = await startSite({
      agent: { model: { provider: 'scripted', delay_ms: 15, first_delay_ms: 0 } },
    });
    const { client, page } = openTab();
    const conversation = client.conversation();
    await conversation.send('hello');
    await finished(conversation);
    proxy.goOffline('reset');
    page.goOffline();
    void conversation.send('long');
    conversation.stop();
    proxy.goOnline();
    page.goOnline();
    await finished(conversation);

    const { types } = await logged(conversation.state.session?.id ?? '');
    const turn = types.slice(types.lastIndexOf('user.message'));
    expect(turn.filter((type) => type === 'user.interrupt')).toHaveLength(1);
    expect(turn.at(-1)).toBe('session.status_idle');
    expect(conversation.state.stopping).toBe(false);
  });
});
