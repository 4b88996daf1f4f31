import { describe, expect, it } from 'vitest';
import { InlayError } from '../errors.ts';
import { codeOf, setupTokens } from '../testing/token-setup.ts';
import type { TokenSource } from './token-source.ts';

/** A source that can be asked for a minute, like the code of a hosted link, and notes when it is. */
function setup(answer: (seconds: number) => string | InlayError) {
  const asked: number[] = [];
  const source: TokenSource = {
    renewable: false,
    askableFor: 60_000,
    request: async () => {
      const seconds = tokens.clock.mono() / 1000;
      asked.push(seconds);
      const result = answer(seconds);
      if (result instanceof InlayError) throw result;
      return result;
    },
  };
  // No jitter: each pause has its maximum.
  const tokens = setupTokens({ source, random: () => 1 });
  return { ...tokens, asked };
}

const failure = (retryAfterMs: number | null = null) =>
  new InlayError('INTERNAL_ERROR', 'Down.', { status: 500, retryable: true, retryAfterMs });

describe('the exchange of a hosted link', () => {
  it('succeeds within five seconds after an outage of 20 seconds', async () => {
    const { manager, clock } = setup((seconds) => (seconds < 20 ? failure() : 'et_hosted'));
    const token = manager.get();
    await clock.advance(25_000);

    expect(await token).toBe('et_hosted');
    expect(manager.state.status).toBe('ok');
  });

  it('is retried at most four seconds apart, and ends when the code has expired', async () => {
    const { manager, clock, asked } = setup(() => failure());
    const code = codeOf(manager.get());
    await clock.advance(59_000);
    expect(manager.state.status).toBe('refreshing');
    await clock.advance(1_000);

    expect(await code).toBe('EMBED_TOKEN_EXPIRED');
    expect(manager.state).toMatchObject({ status: 'expired', canReconnect: false });
    const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(4);
    const count = asked.length;
    await clock.advance(300_000);
    expect(asked).toHaveLength(count);
  });

  it('waits as long as the platform asks, at most until the code expires', async () => {
    const patient = setup((seconds) => (seconds < 1 ? failure(30_000) : 'et_hosted'));
    const token = patient.manager.get();
    await patient.clock.advance(40_000);
    expect(await token).toBe('et_hosted');
    expect(patient.asked).toEqual([0, 31]);

    const late = setup(() => failure(86_400_000));
    const code = codeOf(late.manager.get());
    await late.clock.advance(60_000);
    expect(await code).toBe('EMBED_TOKEN_EXPIRED');
    expect(late.asked).toEqual([0]);
  });

  it('is retried at once when the user reconnects, despite the platform’s wait', async () => {
    const { manager, clock, asked } = setup((seconds) =>
      seconds < 10 ? failure(50_000) : 'et_hosted',
    );
    const token = manager.get();
    await clock.advance(5_000);
    const early = codeOf(manager.reconnect());
    await clock.advance(6_000);
    expect(asked).toEqual([0, 5]);
    expect(manager.state.status).toBe('refreshing');

    const reconnected = manager.reconnect();
    await clock.advance(0);
    await reconnected;
    expect([await token, await early]).toEqual(['et_hosted', 'resolved']);
  });

  it('expires without a network, and is retried when the network is back', async () => {
    const offline = setup(() => failure());
    offline.page.goOffline();
    const code = codeOf(offline.manager.get());
    await offline.clock.advance(60_000);
    expect(await code).toBe('EMBED_TOKEN_EXPIRED');

    const back = setup((seconds) => (seconds < 20 ? failure() : 'et_hosted'));
    back.page.goOffline();
    const token = back.manager.get();
    await back.clock.advance(20_500);
    back.page.goOnline();
    await back.clock.advance(0);
    expect(await token).toBe('et_hosted');
  });
});
