import { afterEach, describe, expect, it } from 'vitest';
import { createTestBed, type TestBed } from '../testing/test-bed.ts';
import { codeOf, minute, setupTokens } from '../testing/token-setup.ts';

describe('tokens that are expired on arrival', () => {
  let bed: TestBed;
  afterEach(() => bed.close());

  it('T06: cause token requests with backoff when streams end as expired at once', async () => {
    bed = createTestBed();
    const session = bed.platform.createSession({ user: 'ada' });
    const conversation = bed.client.conversation(session.id);
    await bed.until(() => conversation.state.connection === 'open');
    const tokens = () => new Set(bed.platform.requests.map(({ tokenId }) => tokenId));
    const seen = new Set<string | null>();
    /** Each token that opens a stream runs out as soon as the stream is open. */
    const end = bed.clock.now() + 10 * minute;
    while (bed.clock.now() < end) {
      for (const id of tokens()) {
        if (id === null || seen.has(id)) continue;
        seen.add(id);
        bed.platform.expire(id);
      }
      await bed.clock.advance(1_000);
    }

    expect(bed.getTokenCalls).toBeGreaterThan(3);
    expect(bed.getTokenCalls).toBeLessThanOrEqual(10);
    await bed.client.reconnect();
    await bed.until(() => conversation.state.connection === 'open');
  });

  it('T12: a user who is blocked while a stream is open gets the status blocked', async () => {
    bed = createTestBed();
    const session = bed.platform.createSession({ user: 'ada' });
    const conversation = bed.client.conversation(session.id);
    await bed.until(() => conversation.state.connection === 'open');
    const asked = bed.getTokenCalls;
    const error = { type: 'embed_token_error', code: 'EMBED_USER_BLOCKED', message: 'x' };
    const event = {
      type: 'session.error',
      error: { ...error, retry_status: { type: 'terminal' } },
    };
    session.live(event);
    await bed.until(() => conversation.state.connection === 'closed');

    expect(bed.client.auth.status).toBe('blocked');
    expect(bed.getTokenCalls).toBe(asked);
  });
});

describe('a getToken that rejects with an unusual value', () => {
  const thrower = (field: string): never =>
    Object.defineProperty({} as never, field, {
      enumerable: true,
      get() {
        throw new Error('no');
      },
    });

  it.each([
    ['a text', () => Promise.reject('no')],
    ['nothing', () => Promise.reject(undefined)],
    ['an object', () => Promise.reject({ status: 500 })],
    ['an error whose code throws', () => Promise.reject(thrower('code'))],
    ['a proxy that throws', () => Promise.reject(new Proxy({}, { has: () => JSON.parse('') }))],
    ['a code that is no text', () => Promise.reject({ code: Symbol('x') })],
    ['a token whose getter throws', () => thrower('token')],
  ])('T04: is called three times, and fails as TOKEN_UNAVAILABLE: %s', async (_what, getToken) => {
    const { manager, clock, asked } = setupTokens({ getToken });
    const call = codeOf(manager.get());
    await clock.advance(10 * minute);

    expect(await call).toBe('TOKEN_UNAVAILABLE');
    expect(asked).toHaveLength(3);
    expect(manager.state).toMatchObject({ status: 'expired', canReconnect: true });
  });

  it('T04: is called again after an error with an unknown code', async () => {
    const { manager, clock, asked } = setupTokens({
      getToken: () => Promise.reject(Object.assign(new Error('x'), { code: 42 })),
    });
    const call = codeOf(manager.get());
    await clock.advance(10 * minute);

    expect(await call).toBe('TOKEN_UNAVAILABLE');
    expect(asked.length).toBeGreaterThan(5);
  });
});
