/** Rules 2.1, 2.2, 4.1, 4.4 and 4.5: issuing, listing and revoking embed tokens. */
import { expect, it } from 'vitest';
import {
  expectInvalid,
  expectProblem,
  origin,
  startReferenceServer,
  utcTime,
} from './setup/server.ts';

const tokensPath = '/agent/v1/embed_tokens';
const configPath = '/agent/v1/embed/config';

/** Starts a server. `request` sends the request for a token, with the given fields. */
async function startIssuer(options: Parameters<typeof startReferenceServer>[0] = {}) {
  const server = await startReferenceServer(options);
  const request = (fields: object) =>
    server.backend('POST', tokensPath, { agent: 'helper', external_user_id: 'ada', ...fields });
  /**
   * Reads the record of the latest token from the list. Advances the clock, so that a token that is
   * issued afterwards is before this one in the list.
   */
  const lastRecord = async () => {
    server.clock.advance(1);
    return (await server.backend('GET', `${tokensPath}?limit=1`)).body.data[0];
  };
  return { ...server, request, lastRecord };
}

const textBlock = (value: string) => ({ type: 'text', text: value });
const metadataWith = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

it('2.1 an issued token has an id with the prefix `emb_`, a token, and its expiry in UTC', async () => {
  const { request } = await startIssuer();

  const { status, body } = await request({});

  expect(status).toBe(200);
  expect(body).toEqual({
    id: expect.stringMatching(/^emb_/),
    token: expect.any(String),
    expires_at: utcTime,
  });
});

it('2.1 records of the list never contain the token', async () => {
  const { issue, backend } = await startIssuer();
  const { id, token } = await issue();

  const { body } = await backend('GET', tokensPath);

  expect(body.data).toMatchObject([{ id }]);
  expect(body.data[0]).not.toHaveProperty('token');
  expect(JSON.stringify(body)).not.toContain(token);
});

it('2.1 a record can be read by its id, without the token; an unknown id gets 404 NOT_FOUND', async () => {
  const { issue, backend } = await startIssuer();
  const { id, token, expires_at } = await issue();

  const { status, body } = await backend('GET', `${tokensPath}/${id}`);

  expect(status).toBe(200);
  expect(body).toMatchObject({ id, expires_at, revoked_at: null });
  expect(JSON.stringify(body)).not.toContain(token);
  expectProblem(await backend('GET', `${tokensPath}/emb_unknown`), 404, 'NOT_FOUND');
});

it('2.1 each issuance creates a new record and a new token', async () => {
  const { issue } = await startIssuer();

  const [first, second] = [await issue(), await issue()];

  expect(first.id).not.toBe(second.id);
  expect(first.token).not.toBe(second.token);
});

it('2.2 the policy of an agent sets the default and the maximum of `ttl_seconds`', async () => {
  const policy = { default_ttl_seconds: 120, max_ttl_seconds: 300 };
  const { request, issue, clock } = await startIssuer({ policy });

  const { expires_at } = await issue();

  expect(Date.parse(expires_at) - clock.now()).toBe(120_000);
  expect((await request({ ttl_seconds: 300 })).status).toBe(200);
  expectInvalid(await request({ ttl_seconds: 301 }), '/ttl_seconds');
});

it('2.2 the policy of an agent sets the default and the maximum of `budget_cents`', async () => {
  const policy = { default_budget_cents: 20, max_budget_cents: 100 };
  const { request, lastRecord } = await startIssuer({ policy });

  await request({});

  expect(await lastRecord()).toMatchObject({ budget_cents: 20 });
  expect((await request({ budget_cents: 100 })).status).toBe(200);
  expectInvalid(await request({ budget_cents: 101 }), '/budget_cents');
});

it('2.2 the policy of an agent can pin the version of its tokens', async () => {
  const { request, backend, lastRecord } = await startIssuer();
  const { body: agent } = await backend('GET', '/agent/v1/agents/helper');
  const pinned = agent.version;
  await backend('POST', '/agent/v1/agents/helper', { instructions: 'Be brief.' });
  await backend('POST', '/agent/v1/agents/helper', { embed: { pinned_version: pinned } });

  await request({});

  expect((await lastRecord()).agent_version).toBe(pinned);
  expect((await backend('GET', '/agent/v1/agents/helper')).body.version).not.toBe(pinned);
});

it('2.2 no token is issued for an external_user_id in `blocked_end_users` of the policy', async () => {
  const { request } = await startIssuer({ policy: { blocked_end_users: ['eve'] } });

  expectProblem(await request({ external_user_id: 'eve' }), 403, 'EMBED_USER_BLOCKED');
  expect((await request({ external_user_id: 'ada' })).status).toBe(200);
});

it('2.2, 4.6 block and unblock change the `blocked_end_users` that the agent shows', async () => {
  const { backend } = await startReferenceServer({ policy: { blocked_end_users: ['eve'] } });
  const agent = '/agent/v1/agents/helper';
  const operate = (user: string, operation: string) =>
    backend('POST', `${agent}/end_users/${user}/${operation}`);

  await operate('mallory', 'block');
  const { body: blocked } = await backend('GET', agent);
  await operate('eve', 'unblock');
  const { body: unblocked } = await backend('GET', agent);

  expect(blocked.embed.blocked_end_users).toEqual(['eve', 'mallory']);
  expect(blocked.blocked_end_users).toEqual([
    { external_user_id: 'eve', source: 'configuration', blocked_at: null },
    { external_user_id: 'mallory', source: 'operation', blocked_at: utcTime },
  ]);
  expect(unblocked.embed.blocked_end_users).toEqual(['mallory']);
});

it('4.1 a request without an API key gets 401 AUTHENTICATION_ERROR', async () => {
  const { page, request } = await startReferenceServer();
  const body = { agent: 'helper', external_user_id: 'ada' };

  expectProblem(await page('POST', tokensPath, body), 401, 'AUTHENTICATION_ERROR');
  expectProblem(await request('POST', tokensPath, { body }), 401, 'AUTHENTICATION_ERROR');
});

it('4.1 `agent` is required, and names an agent by its id or short id', async () => {
  const { request, backend } = await startIssuer();
  const { body: agent } = await backend('GET', '/agent/v1/agents/helper');

  expect((await request({ agent: agent.id })).status).toBe(200);
  expect((await request({ agent: 'helper' })).status).toBe(200);
  expectInvalid(await request({ agent: undefined }), '/agent');
  expectProblem(await request({ agent: 'nobody' }), 404, 'NOT_FOUND');
});

it('4.1 no token is issued for an archived agent, or for an agent without an embed policy', async () => {
  const { request, backend } = await startIssuer();
  const model = { provider: 'scripted' };
  await backend('POST', '/agent/v1/agents', { short_id: 'bare', name: 'Bare', model });
  const bare = await request({ agent: 'bare' });
  await backend('POST', '/agent/v1/agents', { short_id: 'old', name: 'Old', model, embed: {} });
  await backend('POST', '/agent/v1/agents/old/archive');

  const archived = await request({ agent: 'old' });

  for (const reply of [bare, archived]) {
    expectProblem(reply, 409, 'CONFLICT');
    expect(reply.body.errors).toMatchObject([{ pointer: '/agent' }]);
  }
});

it('4.1, 8.4 `external_user_id` is required, with 1 to 128 characters of A-Z a-z 0-9 _ . : @ -', async () => {
  const { request } = await startIssuer();
  const accepted = ['a', 'Ada.Lovelace_1:2@example-3.com', 'x'.repeat(128)];
  const refused = [undefined, null, 7, '', 'x'.repeat(129), 'a b', 'a/b', 'ä', 'a+b', 'a\n'];

  for (const external_user_id of accepted) {
    expect((await request({ external_user_id })).status).toBe(200);
  }
  for (const external_user_id of refused) {
    expectInvalid(await request({ external_user_id }), '/external_user_id');
  }
});

it('4.1, 8.4 `ttl_seconds` is a whole number from 60 to 3600; 59 and 3601 are refused', async () => {
  const { request, clock } = await startIssuer();

  for (const ttl_seconds of [60, 3600]) {
    const { body } = await request({ ttl_seconds });
    expect(Date.parse(body.expires_at) - clock.now()).toBe(ttl_seconds * 1000);
  }
  for (const ttl_seconds of [59, 3601, 0, -60, 60.5, '60', null]) {
    expectInvalid(await request({ ttl_seconds }), '/ttl_seconds');
  }
});

it('4.1 `version` pins a version of the agent, by default the latest at the time of issue', async () => {
  const { request, backend, lastRecord } = await startIssuer();
  const { body: first } = await backend('GET', '/agent/v1/agents/helper');
  await request({});
  const before = await lastRecord();
  const { body: second } = await backend('POST', '/agent/v1/agents/helper', {
    instructions: 'Be brief.',
  });

  await request({});
  expect((await lastRecord()).agent_version).toBe(second.version);
  await request({ version: first.version });
  expect((await lastRecord()).agent_version).toBe(first.version);
  expectInvalid(await request({ version: 'none' }), '/version');
  // The version is fixed once the token is issued.
  const { body: unchanged } = await backend('GET', `${tokensPath}/${before.id}`);
  expect(unchanged.agent_version).toBe(first.version);
});

it('4.1, 8.4 `system_message` is a list of text blocks with at most 8192 bytes, counted over the texts', async () => {
  const { request } = await startIssuer();
  const twoBytes = 'é'.repeat(4000);
  const rest = 8192 - Buffer.byteLength(twoBytes);

  expect((await request({ system_message: [] })).status).toBe(200);
  const full = [textBlock(twoBytes), textBlock('x'.repeat(rest))];
  expect((await request({ system_message: full })).status).toBe(200);
  const tooLong = [textBlock(twoBytes), textBlock('x'.repeat(rest + 1))];
  expectInvalid(await request({ system_message: tooLong }), '/system_message');
  const manyBlocks = Array.from({ length: 400 }, () => textBlock('x'));
  expect((await request({ system_message: manyBlocks })).status).toBe(200);
  expectInvalid(await request({ system_message: 'Hello' }), '/system_message');
  const image = { type: 'image', text: '' };
  expectInvalid(await request({ system_message: [image] }), '/system_message/0/type');
});

it('4.1 `agent_override` is accepted only if the policy allows it', async () => {
  const override = { agent_override: { system: 'Speak like a pirate.' } };
  const strict = await startIssuer();
  const open = await startIssuer({ policy: { allow_agent_override: true } });

  expectProblem(await strict.request(override), 403, 'EMBED_FIELD_NOT_ALLOWED');
  expect((await open.request(override)).status).toBe(200);
  expectInvalid(await open.request({ agent_override: {} }), '/agent_override/system');
});

it('4.1 `budget_cents` is a whole number of cents, and is returned in the record', async () => {
  const { request, lastRecord } = await startIssuer();

  await request({ budget_cents: 250 });

  expect(await lastRecord()).toMatchObject({ budget_cents: 250 });
  for (const budget_cents of [-1, 1.5, '5']) {
    expectInvalid(await request({ budget_cents }), '/budget_cents');
  }
});

it('4.1 `allowed_origins` is a subset of the origins of the policy, by default all of them', async () => {
  const allowed_origins = [origin, 'https://shop.example.com'];
  const { request, lastRecord, issue, as } = await startIssuer({ policy: { allowed_origins } });

  await request({});
  expect(await lastRecord()).toMatchObject({ allowed_origins });
  const outside = await request({ allowed_origins: [origin, 'https://evil.example'] });
  expectInvalid(outside, '/allowed_origins/1');
  const { token } = await issue({ allowed_origins: ['https://shop.example.com'] });
  expect((await as(token, { origin: 'https://shop.example.com' })('GET', configPath)).status).toBe(
    200,
  );
  expect((await as(token, { origin })('GET', configPath)).status).toBe(403);
});

it('4.1, 8.4 `metadata` of a token has at most 16 keys of 1 to 64 characters, with values of at most 512', async () => {
  const { request, lastRecord } = await startIssuer();
  const metadata = { ...metadataWith(15), ['k'.repeat(64)]: 'v'.repeat(512) };

  await request({ metadata });

  expect((await lastRecord()).metadata).toEqual(metadata);
  const refused = [
    metadataWith(17),
    { '': 'v' },
    { ['k'.repeat(65)]: 'v' },
    { k: 'v'.repeat(513) },
  ];
  for (const each of refused) expectInvalid(await request({ metadata: each }), '/metadata');
  expectInvalid(await request({ metadata: { k: 1 } }), '/metadata/k');
});

it('4.1 `hosted_url` is in the response only if `hosted` is true', async () => {
  const { request } = await startIssuer();

  const hosted = await request({ hosted: true });

  expect(hosted.body.hosted_url).toEqual(expect.any(String));
  expect((await request({ hosted: false })).body).not.toHaveProperty('hosted_url');
  expectInvalid(await request({ hosted: 'yes' }), '/hosted');
});

it('4.1.1 issuance for a blocked end user returns EMBED_USER_BLOCKED', async () => {
  const { request, backend } = await startIssuer();
  await backend('POST', '/agent/v1/agents/helper/end_users/eve/block');

  expectProblem(await request({ external_user_id: 'eve' }), 403, 'EMBED_USER_BLOCKED');
});

it('4.1.2 `hosted_url` has a code in its fragment `#c=`, and does not contain the token', async () => {
  const { request } = await startIssuer();

  const { body } = await request({ hosted: true });

  const code = new URLSearchParams(new URL(body.hosted_url).hash.slice(1)).get('c');
  expect(code).toEqual(expect.any(String));
  expect(code).not.toBe('');
  expect(body.hosted_url).not.toContain(body.token);
});

it('4.4 revoking without a body returns the record with `revoked_at`', async () => {
  const { issue, backend, clock } = await startIssuer();
  const { id } = await issue();

  const { status, body } = await backend('POST', `${tokensPath}/${id}/revoke`);

  expect(status).toBe(200);
  expect(body).toMatchObject({ id, revoked_at: new Date(clock.now()).toISOString() });
  expect(body).not.toHaveProperty('token');
});

it('4.4 repeating a revocation returns the same record', async () => {
  const { issue, backend, clock } = await startIssuer();
  const { id } = await issue();
  const first = await backend('POST', `${tokensPath}/${id}/revoke`);
  clock.advance(1000);

  const second = await backend('POST', `${tokensPath}/${id}/revoke`);

  expect([second.status, second.body]).toEqual([200, first.body]);
});

it('4.4 revoking an unknown id returns 404 NOT_FOUND', async () => {
  const { backend } = await startIssuer();

  expectProblem(await backend('POST', `${tokensPath}/emb_none/revoke`), 404, 'NOT_FOUND');
});

it('4.5 `status` and `created_after` filter the records', async () => {
  const { issue, backend, clock } = await startIssuer();
  const revoked = await issue();
  await backend('POST', `${tokensPath}/${revoked.id}/revoke`);
  const { body: record } = await backend('GET', `${tokensPath}/${revoked.id}`);
  clock.advance(1000);
  const active = await issue();
  const list = async (query: string) => {
    const { body } = await backend('GET', `${tokensPath}?${query}`);
    return body.data.map(({ id }: { id: string }) => id);
  };

  expect(await list('status=active')).toEqual([active.id]);
  expect(await list('status=revoked')).toEqual([revoked.id]);
  expect(await list('status=expired')).toEqual([]);
  expect(await list(`created_after=${record.created_at}`)).toEqual([active.id]);
  const refused = await backend('GET', `${tokensPath}?status=ended`);
  expectProblem(refused, 400, 'VALIDATION_ERROR');
});

it('4.5 `agent_id` and `external_user_id` filter the records', async () => {
  const second = { short_id: 'second', name: 'Second', model: { provider: 'scripted' }, embed: {} };
  const { issue, backend } = await startIssuer();
  await backend('POST', '/agent/v1/agents', second);
  const ada = await issue();
  const bob = await issue({ external_user_id: 'bob' });
  const other = await issue({ agent: 'second' });
  const list = async (query: string) => {
    const { body } = await backend('GET', `${tokensPath}?${query}`);
    return body.data.map(({ id }: { id: string }) => id).sort();
  };

  expect(await list('')).toEqual([ada.id, bob.id, other.id].sort());
  expect(await list('external_user_id=ada')).toEqual([ada.id, other.id].sort());
  const { body: agent } = await backend('GET', '/agent/v1/agents/second');
  expect(await list(`agent_id=${agent.id}`)).toEqual([other.id]);
  expect(await list(`agent_id=${agent.id}&external_user_id=bob`)).toEqual([]);
});

it('4.5, 8.4 the `limit` of the list of tokens is 1 to 100, and 20 by default', async () => {
  const { issue, backend } = await startIssuer();
  await Promise.all(Array.from({ length: 21 }, () => issue()));
  const count = async (query: string) =>
    (await backend('GET', `${tokensPath}${query}`)).body.data.length;

  expect([await count(''), await count('?limit=1'), await count('?limit=100')]).toEqual([
    20, 1, 21,
  ]);
  for (const limit of ['0', '101', '1.5', 'x']) {
    expectInvalid(await backend('GET', `${tokensPath}?limit=${limit}`), '/query/limit');
  }
});

it('4.5 `page` continues a list until every record has been listed once', async () => {
  const { issue, backend } = await startIssuer();
  const issued = await Promise.all(Array.from({ length: 5 }, () => issue()));
  const listed: string[] = [];

  let query = '?limit=2';
  for (let pages = 1; ; pages += 1) {
    const { body } = await backend('GET', `${tokensPath}${query}`);
    listed.push(...body.data.map(({ id }: { id: string }) => id));
    if (body.next_cursor === null) {
      expect(pages).toBe(3);
      break;
    }
    query = `?limit=2&page=${encodeURIComponent(body.next_cursor)}`;
  }

  expect(listed.toSorted()).toEqual(issued.map(({ id }) => id).sort());
  expectInvalid(await backend('GET', `${tokensPath}?page=x`), '/query/page');
});
