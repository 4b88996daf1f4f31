import { afterEach, describe, expect, it } from 'vitest';
import { createTestBed, type TestBed } from '../testing/test-bed.ts';
import { codeOf, minute, setupTokens } from '../testing/token-setup.ts';

describe('tokens that are expired on arrival', () => {
  let bed: TestBed;
  afterEach(() => bed.close());

  it('T06: are replaced with backoff when their streams end at once', async () => {
    bed = createTestBed();
    const session = bed.platform.createSession({ user: 'ada' });
    const conversation = bed.client.conversation(session.id);
    await bed.until(() => conversation.state.connection === 'open');
    const tokens = () => new Set(bed.platform.requests.map(({ tokenId }) => tokenId));
    const expired = new Set<string | null>();
    // Each token expires as soon as it is used.
    const end = bed.clock.now() + 10 * minute;
    while (bed.clock.now() < end) {
      for (const id of tokens()) {
        if (id === null || expired.has(id)) continue;
        expired.add(id);
        bed.platform.expire(id);
      }
      await bed.clock.advance(1_000);
    }

    expect(bed.getTokenCalls).toBeGreaterThan(3);
    expect(bed.getTokenCalls).toBeLessThanOrEqual(10);
    await bed.client.reconnect();
    await bed.until(() => conversation.state.connection === 'open');
  });

  it('T12: are not requested for a user who is blocked while a stream is open', async () => {
    bed = createTestBed();
    const session = bed.platform.createSession({ user: 'ada' });
    const conversation = bed.client.conversation(session.id);
    await bed.until(() => conversation.state.connection === 'open');
    const callsBefore = bed.getTokenCalls;
    const error = { type: 'embed_token_error', code: 'EMBED_USER_BLOCKED', message: 'x' };
    const event = {
      type: 'session.error',
      error: { ...error, retry_status: { type: 'terminal' } },
    };
    session.live(event);
    await bed.until(() => conversation.state.connection === 'closed');

    expect(bed.client.auth.status).toBe('blocked');
    expect(bed.getTokenCalls).toBe(callsBefore);
  });
});

describe('a getToken that rejects with an unexpected value', () => {
  const throwingGetter = (field: string): never =>
    Object.defineProperty({} as never, field, {
      enumerable: true,
      get() {
        throw new Error('no');
      },
    });

  it.each([
    ['a string', () => Promise.reject('no')],
    ['nothing', () => Promise.reject(undefined)],
    ['an object', () => Promise.reject({ status: 500 })],
    ['an error whose code throws', () => Promise.reject(throwingGetter('code'))],
    ['a proxy that throws', () => Promise.reject(new Proxy({}, { has: () => JSON.parse('') }))],
    ['a code that is not a string', () => Promise.reject({ code: Symbol('x') })],
    ['a token whose getter throws', () => throwingGetter('token')],
  ])('T04: is called three times, and fails as TOKEN_UNAVAILABLE: %s', async (_what, getToken) => {
    const { manager, clock, tokenCalls } = setupTokens({ getToken });
    const call = codeOf(manager.get());
    await clock.advance(10 * minute);

    expect(await call).toBe('TOKEN_UNAVAILABLE');
    expect(tokenCalls).toHaveLength(3);
    expect(manager.state).toMatchObject({ status: 'expired', canReconnect: true });
  });

  it('T04: is called again after an error with an unknown code', async () => {
    const { manager, clock, tokenCalls } = setupTokens({
      getToken: () => Promise.reject(Object.assign(new Error('x'), { code: 42 })),
    });
    const call = codeOf(manager.get());
    await clock.advance(10 * minute);

    expect(await call).toBe('TOKEN_UNAVAILABLE');
    expect(tokenCalls.length).toBeGreaterThan(5);
  });
});
