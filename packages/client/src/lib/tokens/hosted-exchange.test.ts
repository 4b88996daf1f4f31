import { afterEach, describe, expect, it } from 'vitest';
import { InlayError } from '../errors.ts';
import { createTestBed, type TestBed } from '../testing/test-bed.ts';
import { codeOf, minute, setupTokens } from '../testing/token-setup.ts';
import { hostedCode } from './sources/hosted-code.ts';
import type { TokenSource } from './token-source.ts';

/** Creates a manager whose source is valid for a minute, like the code of a hosted link. */
function setup(respond: (seconds: number) => string | InlayError) {
  const tokenCalls: number[] = [];
  const source: TokenSource = {
    renewable: false,
    validForMs: 60_000,
    request: async () => {
      const seconds = tokens.clock.mono() / 1000;
      tokenCalls.push(seconds);
      const result = respond(seconds);
      if (result instanceof InlayError) throw result;
      return result;
    },
  };
  // No jitter: each pause has its maximum.
  const tokens = setupTokens({ source, random: () => 1 });
  return { ...tokens, tokenCalls };
}

const failureError = (retryAfterMs: number | null = null) =>
  new InlayError('INTERNAL_ERROR', 'Down.', { status: 500, retryable: true, retryAfterMs });

describe('the exchange of a hosted link', () => {
  it('succeeds within five seconds after an outage of 20 seconds', async () => {
    const { manager, clock } = setup((seconds) => (seconds < 20 ? failureError() : 'et_hosted'));
    const token = manager.get();
    await clock.advance(25_000);

    expect(await token).toBe('et_hosted');
    expect(manager.state.status).toBe('ok');
  });

  it('is retried at least every four seconds until the code expires', async () => {
    const { manager, clock, tokenCalls } = setup(() => failureError());
    const code = codeOf(manager.get());
    await clock.advance(59_000);
    expect(manager.state.status).toBe('refreshing');
    await clock.advance(1_000);

    expect(await code).toBe('EMBED_TOKEN_EXPIRED');
    expect(manager.state).toMatchObject({ status: 'expired', canReconnect: false });
    const intervals = tokenCalls.slice(1).map((at, index) => at - (tokenCalls[index] ?? 0));
    expect(Math.max(...intervals)).toBeLessThanOrEqual(4);
    const count = tokenCalls.length;
    await clock.advance(300_000);
    expect(tokenCalls).toHaveLength(count);
  });

  it('waits for the `Retry-After` of the platform, at most until the code expires', async () => {
    const limited = setup((seconds) => (seconds < 1 ? failureError(30_000) : 'et_hosted'));
    const token = limited.manager.get();
    await limited.clock.advance(40_000);
    expect(await token).toBe('et_hosted');
    expect(limited.tokenCalls).toEqual([0, 31]);

    const tooLate = setup(() => failureError(86_400_000));
    const code = codeOf(tooLate.manager.get());
    await tooLate.clock.advance(60_000);
    expect(await code).toBe('EMBED_TOKEN_EXPIRED');
    expect(tooLate.tokenCalls).toEqual([0]);
  });

  it('is retried immediately when the user reconnects, despite a `Retry-After`', async () => {
    const { manager, clock, tokenCalls } = setup((seconds) =>
      seconds < 10 ? failureError(50_000) : 'et_hosted',
    );
    const token = manager.get();
    await clock.advance(5_000);
    const firstReconnect = codeOf(manager.reconnect());
    await clock.advance(6_000);
    expect(tokenCalls).toEqual([0, 5]);
    expect(manager.state.status).toBe('refreshing');

    const reconnected = manager.reconnect();
    await clock.advance(0);
    await reconnected;
    expect([await token, await firstReconnect]).toEqual(['et_hosted', 'resolved']);
  });

  it('ends when the code expires while offline, and is retried if the browser is online before that', async () => {
    const offline = setup(() => failureError());
    offline.page.goOffline();
    const code = codeOf(offline.manager.get());
    await offline.clock.advance(60_000);
    expect(await code).toBe('EMBED_TOKEN_EXPIRED');

    const online = setup((seconds) => (seconds < 20 ? failureError() : 'et_hosted'));
    online.page.goOffline();
    const token = online.manager.get();
    await online.clock.advance(20_500);
    online.page.goOnline();
    await online.clock.advance(0);
    expect(await token).toBe('et_hosted');
  });
});

describe('the token of a hosted link', () => {
  let bed: TestBed;
  afterEach(() => bed.close());

  /** Opens a hosted link with a token of ten minutes, and waits for the first answer. */
  async function openLink() {
    bed = createTestBed({ answer: 'Yes.' });
    const url = new URL(bed.platform.hostedUrl('ada', { ttlSeconds: 600 }));
    const { client } = bed.openTab({
      tokens: hostedCode({
        location: { href: url.href, hash: url.hash },
        history: { state: null, replaceState() {} },
        document: new EventTarget(),
      }),
    });
    const conversation = client.conversation();
    await conversation.send('One');
    await bed.until(() => conversation.state.entries.length === 2 && !conversation.state.running);
    await client.config();
    return { client, conversation };
  }

  it('is used until it expires', async () => {
    const { client, conversation } = await openLink();
    await bed.clock.advance(9.5 * minute);
    await conversation.send('Two');
    await bed.until(() => conversation.state.entries.length === 4);

    expect(client.auth.status).toBe('ok');
  });

  it('T14: is used until the platform rejects it, when the clock is set ahead by an hour', async () => {
    const { client, conversation } = await openLink();
    bed.clock.adjustWallClock(60 * minute);
    await bed.clock.advance(minute);
    await conversation.send('Two');
    await bed.until(() => conversation.state.entries.length === 4);

    expect(client.auth.status).toBe('ok');
    await bed.clock.advance(9 * minute);
    expect(client.auth).toMatchObject({ status: 'expired', canReconnect: false });
  });

  it('is kept when the user reconnects because a budget is used up', async () => {
    const { client, conversation } = await openLink();
    await bed.clock.advance(2 * minute);
    bed.faults.failNext({ code: 'EMBED_BUDGET_EXCEEDED' }, 'POST /sessions/{id}/events');
    await expect(conversation.send('Two')).rejects.toMatchObject({ code: 'EMBED_BUDGET_EXCEEDED' });
    expect(client.auth.status).toBe('over_budget');
    await client.reconnect();
    expect(client.auth.status).toBe('ok');

    const next = client.conversation();
    await next.send('Three');
    await bed.until(() => next.state.entries.length === 2);
  });

  it('ends access when it expires, although there is no stream', async () => {
    const { client, conversation } = await openLink();
    conversation.close();
    await bed.clock.advance(9 * minute);
    expect(client.auth.status).toBe('ok');
    await bed.clock.advance(minute + 30_000);

    expect(client.auth).toMatchObject({ status: 'expired', canReconnect: false });
    expect(client.auth.error?.code).toBe('EMBED_TOKEN_EXPIRED');
  });
});
