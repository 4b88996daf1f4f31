import { EndUser, Problem } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import type { BusMessage } from '../bus/bus.ts';
import { setupServer } from '../testing/setup-server.ts';

const config = '/agent/v1/embed/config';
const codeOf = async (response: Response) => Problem.parse(await response.json()).code;

async function setup() {
  const server = await setupServer();
  const heard: BusMessage[] = [];
  server.bus.subscribe((message) => heard.push(message));
  return {
    ...server,
    heard,
    async act(verb: string, user = 'ada') {
      const response = await server.backend(
        'POST',
        `/agent/v1/agents/test/end_users/${user}/${verb}`,
      );
      expect(response.status).toBe(200);
      return EndUser.parse(await response.json());
    },
  };
}

describe('end users', () => {
  it('R04: revoking all of a user’s tokens ends each of them and nobody else’s', async () => {
    const { act, endUser, heard, issue } = await setup();
    const [tab, phone, other] = [await issue('ada'), await issue('ada'), await issue('bob')];

    const answer = await act('revoke_tokens');

    expect(answer).toMatchObject({ external_user_id: 'ada', blocked: false, revoked_tokens: 2 });
    expect(await codeOf(await endUser(tab.token, 'GET', config))).toBe('EMBED_TOKEN_REVOKED');
    expect(await codeOf(await endUser(phone.token, 'GET', config))).toBe('EMBED_TOKEN_REVOKED');
    expect((await endUser(other.token, 'GET', config)).status).toBe(200);
    expect((await endUser((await issue('ada')).token, 'GET', config)).status).toBe(200);
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatchObject({
      kind: 'user_ended',
      externalUserId: 'ada',
      code: 'EMBED_TOKEN_REVOKED',
    });
    expect(heard[0]?.kind === 'user_ended' && heard[0].issuanceIds.toSorted()).toEqual(
      [tab.id, phone.id].toSorted(),
    );
  });

  it('R10: blocks at once, and an unblocked user gets a new token while old ones stay dead', async () => {
    const { act, backend, endUser, issue } = await setup();
    const { token } = await issue('ada');

    expect(await act('block')).toMatchObject({ blocked: true, revoked_tokens: 1 });
    expect(await act('block')).toMatchObject({ blocked: true, revoked_tokens: 0 });
    const refused = await backend('POST', '/agent/v1/embed_tokens', {
      agent: 'test',
      external_user_id: 'ada',
    });
    expect(refused.status).toBe(403);
    expect(await codeOf(refused)).toBe('EMBED_USER_BLOCKED');
    expect(await codeOf(await endUser(token, 'GET', config))).toBe('EMBED_TOKEN_REVOKED');

    expect(await act('unblock')).toMatchObject({ blocked: false, revoked_tokens: 0 });
    expect((await endUser((await issue('ada')).token, 'GET', config)).status).toBe(200);
    expect(await codeOf(await endUser(token, 'GET', config))).toBe('EMBED_TOKEN_REVOKED');
  });

  it('never lets a token slip out beside a block', async () => {
    const { act, endUser, backend } = await setup();

    const [issued] = await Promise.all([
      Promise.all(
        Array.from({ length: 10 }, () =>
          backend('POST', '/agent/v1/embed_tokens', { agent: 'test', external_user_id: 'ada' }),
        ),
      ),
      act('block'),
    ]);

    for (const response of issued) {
      const { token } = (await response.json()) as { token?: string };
      if (token) expect((await endUser(token, 'GET', config)).status).toBe(401);
    }
  });

  it('unblocks a user whom the configuration blocks', async () => {
    const server = await setupServer({ agent: { embed: { blocked_end_users: ['eve'] } } });

    await server.backend('POST', '/agent/v1/agents/test/end_users/eve/unblock');

    expect((await server.issue('eve')).token).toMatch(/^et_/);
  });

  it('reads ids with every sign that they may hold, and refuses others', async () => {
    const { act, backend } = await setup();

    expect(await act('block', encodeURIComponent('a.b:c@d-e_F9'))).toMatchObject({
      external_user_id: 'a.b:c@d-e_F9',
    });
    const refused = await backend('POST', '/agent/v1/agents/test/end_users/a%20b/block');
    expect(refused.status).toBe(400);
    expect((await backend('POST', '/agent/v1/agents/none/end_users/ada/block')).status).toBe(404);
  });
});
