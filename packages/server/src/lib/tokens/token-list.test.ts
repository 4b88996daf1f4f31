import { IssuanceRecordPage } from '@inlay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

const path = '/agent/v1/embed_tokens';

async function setup() {
  const server = await setupServer();
  return {
    ...server,
    async list(query = '') {
      const response = await server.backend('GET', `${path}?${query}`);
      return IssuanceRecordPage.parse(await response.json());
    },
  };
}

describe('§4.5: the list of tokens', () => {
  it('§4.5: can be filtered by agent (id or short id), by end user, or by both', async () => {
    const { backend, issue, list } = await setup();
    await backend('POST', '/agent/v1/agents', {
      short_id: 'other',
      name: 'Other',
      model: { provider: 'scripted' },
      embed: { allowed_origins: [testOrigin] },
    });
    const ada = await issue('ada');
    const bob = await issue('bob');
    const otherAgentToken = await issue('ada', { agent: 'other' });
    const { agent_id } = (await list('external_user_id=bob')).data[0] ?? { agent_id: '' };

    const found = async (query: string) => (await list(query)).data.map(({ id }) => id).toSorted();

    expect(await found('external_user_id=ada')).toEqual([ada.id, otherAgentToken.id].toSorted());
    expect(await found(`agent_id=${agent_id}`)).toEqual([ada.id, bob.id].toSorted());
    expect(await found('agent_id=test')).toEqual([ada.id, bob.id].toSorted());
    expect(await found('agent_id=other&external_user_id=ada')).toEqual([otherAgentToken.id]);
    expect(await found('agent_id=other&external_user_id=bob')).toEqual([]);
    expect(await found('agent_id=none')).toEqual([]);
    expect(await found('external_user_id=ADA')).toEqual([]);
  });

  it('§4.5: can be filtered by status, publishable key and time', async () => {
    const { backend, clock, issue, list, requestAsPage } = await setup();
    const found = async (query: string) => (await list(query)).data.map(({ id }) => id);
    const expired = await issue('ada', { ttl_seconds: 60 });
    clock.advance(60_000);
    const revoked = await issue('ada');
    await backend('POST', `${path}/${revoked.id}/revoke`);
    clock.advance(1_000);
    const time = new Date(clock.now()).toISOString();
    clock.advance(1_000);
    const active = await issue('bob', { ttl_seconds: 3600 });
    await requestAsPage('POST', `${path}/anonymous`, { publishable_key: 'pk_test' });
    const [visitor] = await found('publishable_key=pk_test');

    expect(await found('status=active')).toEqual([active.id, visitor].toSorted().toReversed());
    expect(await found('status=expired')).toEqual([expired.id]);
    expect(await found('status=revoked')).toEqual([revoked.id]);
    expect(await found('status=active&external_user_id=ada')).toEqual([]);
    expect(await found('status=active&agent_id=test&external_user_id=bob')).toEqual([active.id]);
    expect(await found('publishable_key=pk_test&status=expired')).toEqual([]);
    expect(await found(`created_after=${time}&external_user_id=bob`)).toEqual([active.id]);
    expect(await found(`created_after=${time}&external_user_id=ada`)).toEqual([]);
    clock.advance(3_600_000);
    expect(await found('status=active')).toEqual([]);
  });

  it.each([
    ['status=ended', '/query/status', 'must be active, expired, or revoked'],
    ['publishable_key=', '/query/publishable_key', 'must not be empty'],
    ['created_after=1', '/query/created_after', 'must be a time in RFC 3339'],
  ])('§4.5: refuses the filter `%s`', async (query, pointer, message) => {
    const { backend } = await setup();

    const response = await backend('GET', `${path}?${query}`);

    expect(response.status).toBe(400);
    expect((await problemOf(response)).errors).toEqual([
      { pointer, message: expect.stringContaining(message) },
    ]);
  });

  it('§4.5: has pages of 20 items by default, and of 1 to 100 on request', async () => {
    const { issue, list } = await setup();
    await Promise.all(Array.from({ length: 101 }, (_, n) => issue(`user-${n}`)));

    expect((await list()).data).toHaveLength(20);
    expect((await list('limit=1')).data).toHaveLength(1);
    const all = await list('limit=100');
    expect(all.data).toHaveLength(100);
    expect((await list(`limit=100&page=${all.next_page}`)).data).toHaveLength(1);
  });

  it.each([
    ['limit=0', '/query/limit', 'must be at least 1'],
    ['limit=101', '/query/limit', 'must be at most 100'],
    ['limit=-1', '/query/limit', 'must be at least 1'],
    ['limit=1.5', '/query/limit', 'must be a whole number'],
    ['limit=ten', '/query/limit', 'must be a whole number'],
    ['limit=1e1', '/query/limit', 'must be a whole number'],
    ['limit=0x5', '/query/limit', 'must be a whole number'],
    ['limit=%2B5', '/query/limit', 'must be a whole number'],
    ['limit=', '/query/limit', 'must be a whole number'],
    ['page=nonsense', '/query/page', 'must be the `next_page` of a page of this list, unchanged'],
    ['agent_id=a&agent_id=b', '/query/agent_id', 'must be a string'],
  ])('§4.5: rejects the query ?%s', async (query, pointer, message) => {
    const { backend } = await setup();

    const response = await backend('GET', `${path}?${query}`);

    expect(response.status).toBe(400);
    expect((await problemOf(response)).errors).toEqual([{ pointer, message }]);
  });

  it('§4.5: contains each record once over all pages, even if tokens are issued between two pages', async () => {
    const { clock, issue, list } = await setup();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        async (gaps, limit) => {
          const user = `user-${runs}`;
          runs += 1;
          const before: string[] = [];
          for (const gap of gaps) {
            clock.advance(gap);
            before.push((await issue(user)).id);
          }
          clock.advance(1);

          const seen: string[] = [];
          let next: string | null = '';
          while (next !== null) {
            const page = next && `&page=${next}`;
            const found = await list(`external_user_id=${user}&limit=${limit}${page}`);
            seen.push(...found.data.map(({ id }) => id));
            next = found.next_page;
            await issue(user);
          }

          expect(seen.toSorted()).toEqual(before.toSorted());
        },
      ),
      { numRuns: 15 },
    );
  });

  it('§4.5: contains no tokens, codes or visitor secrets', async () => {
    const { backend, issue, requestAsPage } = await setup();
    const { token, hosted_url = '' } = await issue('ada', { hosted: true });
    const visit = await requestAsPage('POST', `${path}/anonymous`, { publishable_key: 'pk_test' });
    const visitor = (await visit.json()) as { token: string; visitor_secret: string };

    const text = await (await backend('GET', path)).text();

    const code = hosted_url.split('#c=')[1] ?? '';
    for (const secret of [token, code, visitor.token, visitor.visitor_secret]) {
      expect(secret.length).toBeGreaterThan(40);
      expect(text).not.toContain(secret.slice(3, 30));
    }
    const fields = IssuanceRecordPage.parse(JSON.parse(text)).data.flatMap(Object.keys);
    expect(new Set(fields)).not.toContain('token');
    expect(
      IssuanceRecordPage.parse(JSON.parse(text)).data.map(({ anonymous }) => anonymous),
    ).toContain(true);
  });
});
