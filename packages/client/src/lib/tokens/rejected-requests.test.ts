import { describe, expect, it } from 'vitest';
import { setupClient } from '../testing/client-setup.ts';
import { sendProblem } from '../testing/platform-server.ts';
import { codeOf } from '../testing/token-setup.ts';

/** A client with a valid token that is a minute old. */
async function setupWithToken() {
  const setup = await setupClient();
  await setup.client.config();
  setup.skipTime(60_000);
  setup.platform.received.length = 0;
  return setup;
}

describe('rejected requests', () => {
  it('T09: cause one refresh if five have the same token, and are each retried once', async () => {
    const { client, platform, tokenCalls } = await setupWithToken();
    platform.expire('et_1');

    await Promise.all(Array.from({ length: 5 }, () => client.sessions.list()));

    const usedTokens = platform.received
      .filter(({ path }) => path.includes('/sessions'))
      .map(({ token }) => token);
    expect(tokenCalls).toEqual([null, 'et_1']);
    expect(usedTokens.toSorted()).toEqual([...Array(5).fill('et_1'), ...Array(5).fill('et_2')]);
  });

  it.each([
    [
      'are repeated with another token',
      'EMBED_TOKEN_EXPIRED',
      401,
      { tokenCalls: [null, 'et_1'], outcome: 'resolved', status: 'ok' },
    ],
    [
      'are repeated with another token',
      'EMBED_TOKEN_REVOKED',
      401,
      { tokenCalls: [null, 'et_1'], outcome: 'resolved', status: 'ok' },
    ],
    [
      'end the access without a token request',
      'EMBED_USER_BLOCKED',
      403,
      { tokenCalls: [null], outcome: 'EMBED_USER_BLOCKED', status: 'blocked' },
    ],
    [
      'end the access without a token request',
      'EMBED_ORIGIN_NOT_ALLOWED',
      403,
      { tokenCalls: [null], outcome: 'EMBED_ORIGIN_NOT_ALLOWED', status: 'origin_denied' },
    ],
  ])('T12: %s after %s', async (_effect, code, status, expected) => {
    const { client, platform, tokenCalls } = await setupWithToken();
    platform.intercept = ({ token }, response) => {
      if (token !== 'et_1') return undefined;
      sendProblem(response, status, code);
      return 'handled';
    };

    const outcome = await codeOf(client.sessions.list());

    expect({ tokenCalls, outcome, status: client.auth.status }).toEqual(expected);
    if (outcome !== 'resolved') expect(await codeOf(client.sessions.list())).toBe(code);
    expect(tokenCalls).toEqual(expected.tokenCalls);
  });
});
