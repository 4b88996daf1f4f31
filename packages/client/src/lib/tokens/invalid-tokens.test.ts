import { describe, expect, it } from 'vitest';
import { setupClient } from '../testing/client-setup.ts';
import { codeOf } from '../testing/token-setup.ts';

describe('a client with an invalid result of getToken', () => {
  it.each([
    ['an empty string', ''],
    ['the string “undefined”', 'undefined'],
    ['the string “null”', 'null'],
    ['a string with a line break', 'et_1\nx-evil: 1'],
    ['a string with a space', 'et_1 et_2'],
    ['a string of 200 kB', 'x'.repeat(200_000)],
    ['a number', 42],
    ['an object without a token', { token: undefined }],
    ['a promise of a list', Promise.resolve(['et_1'])],
  ])('T04: sends no request for %s', async (_what, value) => {
    const { client, platform, tokenCalls } = await setupClient({ getToken: () => value as string });

    expect(await codeOf(client.sessions.list())).toBe('INVALID_TOKEN_FROM_HOST');
    expect(platform.received).toEqual([]);
    expect(tokenCalls).toHaveLength(3);
    expect(client.auth).toMatchObject({ status: 'expired', canReconnect: true });
  });

  it('T04: calls getToken again after it throws synchronously', async () => {
    let calls = 0;
    const { client, platform } = await setupClient({
      getToken: () => {
        calls += 1;
        if (calls === 1) throw new Error('not in a promise');
        return 'et_plain';
      },
    });
    await client.sessions.list();

    expect(platform.received.find(({ path }) => path.includes('/sessions'))?.token).toBe(
      'et_plain',
    );
  });

  it('T04: reports AUTH_DENIED for undefined, which means that no user is signed in', async () => {
    const { client, platform, tokenCalls } = await setupClient({ getToken: () => undefined });

    expect(await codeOf(client.sessions.list())).toBe('AUTH_DENIED');
    expect(platform.received).toEqual([]);
    expect(tokenCalls).toHaveLength(1);
  });
});
