import { EndUser, IssuanceRecord, IssuanceRecordPage } from '@inlay/protocol';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import type { BusMessage } from '../bus/bus.ts';
import { problemOf } from '../testing/problem-of.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { setupServer } from '../testing/setup-server.ts';

const tokens = '/agent/v1/embed_tokens';
const users = '/agent/v1/agents/test/end_users';
const config = '/agent/v1/embed/config';
const slowModel = { model: { provider: 'scripted' as const, delay_ms: 20, first_delay_ms: 0 } };

async function setup() {
  const server = await setupServer();
  const busMessages: BusMessage[] = [];
  server.bus.subscribe((message) => busMessages.push(message));
  return {
    ...server,
    busMessages,
    revoke: (id: string) => server.backend('POST', `${tokens}/${id}/revoke`),
    statusOf: async (token: string) => (await server.requestAsUser(token, 'GET', config)).status,
    /**
     * Makes the store reject further revocations: their time violates a unique index, because a
     * token was already revoked at the same time of the fake clock.
     */
    async breakStore() {
      const { id } = await server.issue('somebody');
      await server.backend('POST', `${tokens}/${id}/revoke`);
      await sql`create unique index broken on issuances (revoked_at)`.execute(server.store.db);
      busMessages.length = 0;
    },
    repairStore: () => sql`drop index broken`.execute(server.store.db),
  };
}

describe('§3.1: the revocation API', () => {
  it('§3.1: changes nothing if the store fails, and revokes the token when the request is repeated', async () => {
    const { breakStore, busMessages, issue, repairStore, revoke, statusOf, backend } =
      await setup();
    const { id, token } = await issue();
    await breakStore();

    const failed = await revoke(id);
    const meanwhile = await statusOf(token);
    const listed = IssuanceRecordPage.parse(await (await backend('GET', tokens)).json());
    await repairStore();
    const done = await revoke(id);

    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect((await problemOf(failed)).retryable).toBe(true);
    expect(failed.headers.get('x-service-problem-retryable')).toBe('true');
    expect(meanwhile).toBe(200);
    expect(listed.data.find((record) => record.id === id)?.revoked_at).toBeNull();
    expect(IssuanceRecord.parse(await done.json()).revoked_at).not.toBeNull();
    expect(await statusOf(token)).toBe(401);
    expect(busMessages).toHaveLength(1);
  });

  it.each(['revoke_tokens', 'block'])(
    '§3.1: changes nothing if the store fails during %s, and succeeds when the request is repeated',
    async (operation) => {
      const { backend, breakStore, busMessages, issue, repairStore, statusOf } = await setup();
      const { token } = await issue('ada');
      await breakStore();

      const failed = await backend('POST', `${users}/ada/${operation}`);
      const meanwhile = [await statusOf(token), (await issue('ada')).token];
      await repairStore();
      const done = await backend('POST', `${users}/ada/${operation}`);

      expect((await problemOf(failed)).retryable).toBe(true);
      expect(meanwhile).toEqual([200, expect.stringMatching(/^et_/)]);
      expect(EndUser.parse(await done.json()).revoked_tokens).toBe(2);
      expect(await statusOf(token)).toBe(401);
      expect(busMessages).toHaveLength(1);
    },
  );

  it('§4.4: returns the same record for repeated and concurrent requests', async () => {
    const { clock, busMessages, issue, revoke } = await setup();
    const { id } = await issue();

    const concurrent = await Promise.all([revoke(id), revoke(id), revoke(id)]);
    clock.advance(60_000);
    const later = await revoke(id);

    const bodies = await Promise.all([...concurrent, later].map((response) => response.text()));
    expect(new Set(bodies).size).toBe(1);
    expect(busMessages).toHaveLength(1);
  });

  it('§4.4: keeps the time of an earlier revocation by a block', async () => {
    const { backend, clock, issue, revoke } = await setup();
    const { id } = await issue('ada');
    await backend('POST', `${users}/ada/block`);
    clock.advance(1000);

    const record = IssuanceRecord.parse(await (await revoke(id)).json());

    expect(record.revoked_at).toBe('2026-01-15T12:00:00.000Z');
  });

  it('§4.4: also revokes an expired token, and records the time of the revocation', async () => {
    const { clock, requestAsUser, issue, revoke } = await setup();
    const { id, token, expires_at } = await issue('ada', { ttl_seconds: 60 });
    clock.advance(61_000);

    const record = IssuanceRecord.parse(await (await revoke(id)).json());

    expect(record).toMatchObject({ expires_at, revoked_at: '2026-01-15T12:01:01.000Z' });
    const refused = await requestAsUser(token, 'GET', config);
    expect(refused.headers.get('x-service-problem-code')).toBe('EMBED_TOKEN_REVOKED');
  });

  it('§4.6: revokes neither expired tokens nor tokens of other agents', async () => {
    const { backend, clock, issue, statusOf } = await setup();
    await backend('POST', '/agent/v1/agents', {
      short_id: 'other',
      name: 'Other',
      model: { provider: 'scripted' },
      embed: { allowed_origins: ['https://app.example.com'] },
    });
    await issue('ada', { ttl_seconds: 60 });
    const otherAgentToken = await issue('ada', { agent: 'other', ttl_seconds: 3600 });
    clock.advance(60_000);
    await issue('ada');

    const response = await backend('POST', `${users}/ada/revoke_tokens`);
    const again = await backend('POST', `${users}/ada/revoke_tokens`);

    expect(EndUser.parse(await response.json()).revoked_tokens).toBe(1);
    expect(EndUser.parse(await again.json()).revoked_tokens).toBe(0);
    expect(await statusOf(otherAgentToken.token)).toBe(200);
  });

  it('§3.1: returns 200 for repeatedly unblocking a user who is not blocked', async () => {
    const { backend, issue } = await setup();

    const responses = [
      await backend('POST', `${users}/ada/unblock`),
      await backend('POST', `${users}/ada/unblock`),
    ];

    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await issue('ada')).token).toMatch(/^et_/);
  });

  it.each([
    ['revoking an unknown token', `${tokens}/emb_none/revoke`],
    ['revoking the value of a token instead of its id', `${tokens}/et_none/revoke`],
    [
      'revoking the tokens of a user of an unknown agent',
      '/agent/v1/agents/none/end_users/ada/revoke_tokens',
    ],
    ['blocking a user of an unknown agent', '/agent/v1/agents/none/end_users/ada/block'],
    ['unblocking a user of an unknown agent', '/agent/v1/agents/none/end_users/ada/unblock'],
  ])('§4.4, §4.6: returns 404 for %s', async (_, path) => {
    const { backend } = await setup();

    const response = await backend('POST', path);

    expect(response.status).toBe(404);
    expect((await problemOf(response)).code).toBe('NOT_FOUND');
  });
});

describe('§3.1: runs', () => {
  it('§3.1: continue when a token is revoked, a publishable key is disabled, or the agent is archived', async () => {
    const server = await setupConversation({ agent: slowModel });
    const { backend, requestAsUser, requestAsPage, store } = server;
    const anonymous = await requestAsPage('POST', `${tokens}/anonymous`, {
      publishable_key: 'pk_test',
    });
    const visitor = ((await anonymous.json()) as { token: string }).token;
    const startRun = async (token: string) => {
      const created = await requestAsUser(token, 'POST', '/agent/v1/sessions', {
        initial_events: [message('table')],
      });
      const { id } = (await created.json()) as { id: string };
      const stream = await server.follow(id, {}, token);
      await stream.until(isType('event_delta'));
      return { id, stream };
    };
    const runs = [
      await startRun(server.token),
      await startRun(visitor),
      await startRun((await server.issue('bob')).token),
    ];

    await backend('POST', `${tokens}/${server.issuanceId}/revoke`);
    await backend('POST', '/agent/v1/agents/test/publishable_keys/pk_test/disable');
    await backend('POST', '/agent/v1/agents/test/archive');

    for (const { id, stream } of runs) {
      expect((await stream.toEnd()).at(-1)?.data).toMatchObject({
        error: { code: 'EMBED_TOKEN_REVOKED' },
      });
      await vi.waitFor(async () => {
        const last = await store.db
          .selectFrom('events')
          .select('json')
          .where('session_id', '=', id)
          .where('type', '=', 'session.status_idle')
          .executeTakeFirst();
        expect(JSON.parse(last?.json ?? '{}')).toMatchObject({ stop_reason: { type: 'end_turn' } });
      }, 60_000);
    }
  });
});
