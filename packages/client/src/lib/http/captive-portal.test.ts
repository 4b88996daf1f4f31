import { describe, expect, it } from 'vitest';
import { setupBed } from '../testing/bed-setup.ts';
import { anonymousVisitor } from '../tokens/sources/anonymous.ts';

const setup = () => setupBed({ answer: 'Yes.' });

const portal = { status: 200, html: '<title>Free Wi-Fi</title>' };

describe('a captive portal', () => {
  it('S11: causes no lost message, and does not end the user’s access', async () => {
    const bed = setup();
    const conversation = bed.client.conversation();
    const sent = conversation.send('One');
    await bed.until(() => conversation.state.entries.length === 2);
    await sent;
    const id = conversation.state.session?.id ?? '';

    bed.faults.failNext(portal, /^/, 6);
    bed.faults.cutStreams();
    void conversation.send('Two');
    const reopened = bed.openTab().client.conversation(id);
    await bed.until(() => reopened.state.entries.length === 4 && !reopened.state.running);
    await bed.until(() => conversation.state.entries.length === 4);
    expect(conversation.state.entries.map(({ kind }) => kind)).toEqual([
      'user',
      'agent',
      'user',
      'agent',
    ]);
    expect(bed.client.auth.status).toBe('ok');
  });

  it('S11: does not end the access of a user who opens the page while it intercepts requests', async () => {
    const bed = setup();
    bed.faults.failNext(portal, /^/, 4);
    const conversation = bed.client.conversation();
    void conversation.send('One');
    await bed.until(() => conversation.state.entries.length === 2);
    await bed.until(() => bed.client.auth.externalUserId === 'ada');
    expect(bed.client.auth.status).toBe('ok');
  });
});

describe.each([403, 404])('a web page with status %i in place of a response', (status) => {
  const page = { status, html: '<title>Back soon</title>' };

  it('S11: does not end an open conversation', async () => {
    const bed = setup();
    const session = bed.platform.createSession({ user: 'ada' });
    const conversation = bed.client.conversation(session.id);
    await bed.until(() => conversation.state.connection === 'open');
    bed.faults.failNext(page, 'GET /sessions/{id}/events/stream', 2);
    bed.faults.cutStreams();
    await bed.until(() => conversation.state.connection === 'reconnecting');
    await bed.until(() => conversation.state.connection === 'open');

    await conversation.send('One');
    await bed.until(() => conversation.state.entries.length === 2);
  });

  it('S11: does not end a conversation that is being opened', async () => {
    const bed = setup();
    const session = bed.platform.createSession({ user: 'ada' });
    bed.faults.failNext(page, 'GET /sessions/{id}', 2);
    const conversation = bed.client.conversation(session.id);
    await bed.until(() => conversation.state.connection === 'open');

    await conversation.send('One');
    await bed.until(() => conversation.state.entries.length === 2);
  });

  it('S11: does not end the access of a user whose token is being refreshed', async () => {
    const bed = setup();
    await bed.client.config();
    bed.faults.failNext(page, 'GET /embed/config', 2);
    await bed.until(() => bed.getTokenCalls === 4, 10 * 60_000);
    await bed.clock.settle();

    expect(bed.client.auth.status).toBe('ok');
  });

  it('S11: does not end the access of a user who opens the page', async () => {
    const bed = setup();
    bed.faults.failNext(page, 'GET /embed/config', 2);
    const config = bed.client.config();
    await bed.until(() => bed.client.auth.externalUserId === 'ada');

    expect((await config).token.external_user_id).toBe('ada');
    expect(bed.client.auth.status).toBe('ok');
  });

  it('S11: does not end the access of a visitor who opens the page', async () => {
    const bed = setupBed({
      client: { tokens: anonymousVisitor({ publishableKey: 'pk_test', store: 'memory' }) },
    });
    bed.faults.failNext(page, 'POST /embed_tokens/anonymous', 2);
    const config = bed.client.config();
    await bed.clock.advance(60_000);

    expect((await config).token.external_user_id).not.toBe('');
    expect(bed.client.auth.status).toBe('ok');
  });

  it('fails a message without a retry', async () => {
    const bed = setup();
    const session = bed.platform.createSession({ user: 'ada' });
    const conversation = bed.client.conversation(session.id);
    await bed.until(() => conversation.state.connection === 'open');
    bed.faults.failNext(page, 'POST /sessions/{id}/events');

    await expect(conversation.send('One')).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
    expect(bed.platform.count('POST /sessions/{id}/events')).toBe(1);
  });
});

describe('a revoked token that is not replaced', () => {
  it('causes messages to fail, and the user can send them again with another token', async () => {
    const bed = setup();
    const conversation = bed.client.conversation();
    const sent = conversation.send('One');
    await bed.until(() => conversation.state.entries.length === 2);
    await sent;
    bed.user = null;
    bed.platform.revokeAll('ada');
    await bed.until(() => bed.client.auth.status === 'revoked');
    const rejected = conversation.send('Two').catch((error: { code: string }) => error.code);
    await bed.clock.advance(60_000);
    expect(await rejected).toBe('AUTH_DENIED');
    expect(conversation.state.entries.at(-1)).toMatchObject({ delivery: 'failed' });
    expect(conversation.state.running).toBe(false);

    bed.user = 'ada';
    await bed.client.reconnect();
    conversation.retry();
    await bed.until(() => conversation.state.entries.length === 4);
  });
});
