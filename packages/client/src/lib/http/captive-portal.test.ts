import { describe, expect, it } from 'vitest';
import { setupBed } from '../testing/bed-setup.ts';

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
