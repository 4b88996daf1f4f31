import { afterEach, describe, expect, it } from 'vitest';
import { createTestBed, type TestBed } from '../testing/test-bed.ts';
import { codeOf, minute, setupTokens } from '../testing/token-setup.ts';

describe('token requests', () => {
  let bed: TestBed;
  afterEach(() => bed.close());

  it('T06: are made with backoff when each token expires immediately', async () => {
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

  it('T06: are not made for a stream that is refused as expired although the token is accepted elsewhere', async () => {
    bed = createTestBed();
    const session = bed.platform.createSession({ user: 'ada' });
    const conversation = bed.client.conversation(session.id);
    await bed.until(() => conversation.state.connection === 'open');
    const stream = 'GET /sessions/{id}/events/stream';
    const before = bed.getTokenCalls;
    bed.faults.failNext({ code: 'EMBED_TOKEN_EXPIRED' }, stream, Infinity);
    bed.faults.cutStreams();
    await bed.clock.advance(9 * minute);

    // One replaces the refused token, and one comes before the expiry.
    expect(bed.getTokenCalls - before).toBeLessThanOrEqual(2);
    expect(conversation.state.connection).toBe('reconnecting');
    expect(bed.client.auth.status).toBe('ok');
    bed.faults.clear();
    await bed.until(() => conversation.state.connection === 'open');
  });

  it('T12: are not made for a user who is blocked while a stream is open', async () => {
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

describe('a getToken with an unexpected result', () => {
  const throwingGetter = (field: string): never =>
    Object.defineProperty({} as never, field, {
      enumerable: true,
      get() {
        throw new Error('no');
      },
    });

  it.each([
    ['rejects with a string', () => Promise.reject('no')],
    ['rejects without a reason', () => Promise.reject(undefined)],
    ['rejects with an object', () => Promise.reject({ status: 500 })],
    ['rejects with an error whose code throws', () => Promise.reject(throwingGetter('code'))],
    [
      'rejects with a proxy that throws',
      () => Promise.reject(new Proxy({}, { has: () => JSON.parse('') })),
    ],
    ['rejects with a code that is not a string', () => Promise.reject({ code: Symbol('x') })],
    ['returns an object whose `token` getter throws', () => throwingGetter('token')],
  ])('T04: is called three times before TOKEN_UNAVAILABLE when it %s', async (_what, getToken) => {
    const { manager, clock, tokenCalls } = setupTokens({ getToken });
    const call = codeOf(manager.get());
    await clock.advance(10 * minute);

    expect(await call).toBe('TOKEN_UNAVAILABLE');
    expect(tokenCalls).toHaveLength(3);
    expect(manager.state).toMatchObject({ status: 'expired', canReconnect: true });
  });

  it('T04: is called more than five times when it rejects with an Error of an unknown code', async () => {
    const { manager, clock, tokenCalls } = setupTokens({
      getToken: () => Promise.reject(Object.assign(new Error('x'), { code: 42 })),
    });
    const call = codeOf(manager.get());
    await clock.advance(10 * minute);

    expect(await call).toBe('TOKEN_UNAVAILABLE');
    expect(tokenCalls.length).toBeGreaterThan(5);
  });
});
