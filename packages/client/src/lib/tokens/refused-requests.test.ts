import { describe, expect, it } from 'vitest';
import { setupClient } from '../testing/client-setup.ts';
import { problem } from '../testing/fake-platform.ts';
import { codeOf } from '../testing/token-setup.ts';

/** A client whose first token is known to be good, and a minute old. */
async function setupHeld() {
  const setup = await setupClient();
  await setup.client.config();
  setup.skip(60_000);
  setup.platform.arrivals.length = 0;
  return setup;
}

describe('refused requests', () => {
  it('T09: five with one token cause one refresh, and each is retried once', async () => {
    const { client, platform, asked } = await setupHeld();
    platform.dead.set('et_1', 'EMBED_TOKEN_EXPIRED');

    await Promise.all(Array.from({ length: 5 }, () => client.sessions.list()));

    const bearers = platform.arrivals
      .filter(({ path }) => path.includes('/sessions'))
      .map(({ token }) => token);
    expect(asked).toEqual([null, 'et_1']);
    expect(bearers.toSorted()).toEqual([...Array(5).fill('et_1'), ...Array(5).fill('et_2')]);
  });

  it.each([
    ['EMBED_TOKEN_EXPIRED', 401, { asked: [null, 'et_1'], outcome: 'resolved', status: 'ok' }],
    ['EMBED_TOKEN_REVOKED', 401, { asked: [null, 'et_1'], outcome: 'resolved', status: 'ok' }],
    [
      'EMBED_USER_BLOCKED',
      403,
      { asked: [null], outcome: 'EMBED_USER_BLOCKED', status: 'blocked' },
    ],
    [
      'EMBED_ORIGIN_NOT_ALLOWED',
      403,
      { asked: [null], outcome: 'EMBED_ORIGIN_NOT_ALLOWED', status: 'origin_denied' },
    ],
  ])('T12: %s causes the specified status', async (code, status, expected) => {
    const { client, platform, asked } = await setupHeld();
    platform.script = ({ token }, response) => {
      if (token !== 'et_1') return undefined;
      problem(response, status, code);
      return 'handled';
    };

    const outcome = await codeOf(client.sessions.list());

    expect({ asked, outcome, status: client.auth.status }).toEqual(expected);
    if (outcome !== 'resolved') expect(await codeOf(client.sessions.list())).toBe(code);
    expect(asked).toEqual(expected.asked);
  });
});
