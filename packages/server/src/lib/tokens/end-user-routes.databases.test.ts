import { EndUser } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import type { BusMessage } from '../bus/bus.ts';
import { problemOf } from '../testing/problem-of.ts';
import { setupServer } from '../testing/setup-server.ts';

const config = '/agent/v1/embed/config';
const codeOf = async (response: Response) => (await problemOf(response)).code;

async function setup() {
  const server = await setupServer();
  const busMessages: BusMessage[] = [];
  server.bus.subscribe((message) => busMessages.push(message));
  return {
    ...server,
    busMessages,
    async callRoute(operation: string, user = 'ada') {
      const response = await server.backend(
        'POST',
        `/agent/v1/agents/test/end_users/${user}/${operation}`,
      );
      expect(response.status).toBe(200);
      return EndUser.parse(await response.json());
    },
  };
}

describe('end users', () => {
  it('R04: can have all their tokens revoked, without an effect on the tokens of other users', async () => {
    const { callRoute, requestAsUser, busMessages, issue } = await setup();
    const [tab, phone, other] = [await issue('ada'), await issue('ada'), await issue('bob')];

    const endUser = await callRoute('revoke_tokens');

    expect(endUser).toMatchObject({ external_user_id: 'ada', blocked: false, revoked_tokens: 2 });
    expect(await codeOf(await requestAsUser(tab.token, 'GET', config))).toBe('EMBED_TOKEN_REVOKED');
    expect(await codeOf(await requestAsUser(phone.token, 'GET', config))).toBe(
      'EMBED_TOKEN_REVOKED',
    );
    expect((await requestAsUser(other.token, 'GET', config)).status).toBe(200);
    expect((await requestAsUser((await issue('ada')).token, 'GET', config)).status).toBe(200);
    expect(busMessages).toHaveLength(1);
    expect(busMessages[0]).toMatchObject({
      kind: 'user_ended',
      externalUserId: 'ada',
      code: 'EMBED_TOKEN_REVOKED',
    });
    expect(busMessages[0]?.kind === 'user_ended' && busMessages[0].issuanceIds.toSorted()).toEqual(
      [tab.id, phone.id].toSorted(),
    );
  });

  it('R10: are blocked immediately, and need new tokens after an unblock', async () => {
    const { callRoute, backend, requestAsUser, issue } = await setup();
    const { token } = await issue('ada');

    expect(await callRoute('block')).toMatchObject({ blocked: true, revoked_tokens: 1 });
    expect(await callRoute('block')).toMatchObject({ blocked: true, revoked_tokens: 0 });
    const refused = await backend('POST', '/agent/v1/embed_tokens', {
      agent: 'test',
      external_user_id: 'ada',
    });
    expect(refused.status).toBe(403);
    expect(await codeOf(refused)).toBe('EMBED_USER_BLOCKED');
    expect(await codeOf(await requestAsUser(token, 'GET', config))).toBe('EMBED_TOKEN_REVOKED');

    expect(await callRoute('unblock')).toMatchObject({ blocked: false, revoked_tokens: 0 });
    expect((await requestAsUser((await issue('ada')).token, 'GET', config)).status).toBe(200);
    expect(await codeOf(await requestAsUser(token, 'GET', config))).toBe('EMBED_TOKEN_REVOKED');
  });

  it('get no valid token from a request that is concurrent with a block', async () => {
    const { callRoute, requestAsUser, backend } = await setup();

    const [issued] = await Promise.all([
      Promise.all(
        Array.from({ length: 10 }, () =>
          backend('POST', '/agent/v1/embed_tokens', { agent: 'test', external_user_id: 'ada' }),
        ),
      ),
      callRoute('block'),
    ]);

    expect(issued).toHaveLength(10);
    for (const response of issued) {
      if (response.status === 200) {
        // Issued before the block, which revokes the token.
        const { token } = (await response.json()) as { token: string };
        const refused = await requestAsUser(token, 'GET', config);
        expect(await codeOf(refused)).toBe('EMBED_TOKEN_REVOKED');
      } else {
        expect(await codeOf(response)).toBe('EMBED_USER_BLOCKED');
      }
    }
  });

  it('can be unblocked although the configuration blocks them', async () => {
    const server = await setupServer({ agent: { embed: { blocked_end_users: ['eve'] } } });

    await server.backend('POST', '/agent/v1/agents/test/end_users/eve/unblock');

    expect((await server.issue('eve')).token).toMatch(/^et_/);
  });

  it('may have ids with all allowed characters, but with no other', async () => {
    const { callRoute, backend } = await setup();

    expect(await callRoute('block', encodeURIComponent('a.b:c@d-e_F9'))).toMatchObject({
      external_user_id: 'a.b:c@d-e_F9',
    });
    const refused = await backend('POST', '/agent/v1/agents/test/end_users/a%20b/block');
    expect(refused.status).toBe(400);
    expect((await backend('POST', '/agent/v1/agents/none/end_users/ada/block')).status).toBe(404);
  });
});
