/** The management of API keys and operators in the console. */

import { describe, expect, it } from 'vitest';
import { setupConsole } from '../testing/setup-console.ts';

async function setup() {
  const server = await setupConsole();
  const { app, backend, operator, request } = server;
  const ada = await operator('ada', 'admin');
  return {
    ...server,
    ada,
    /** Sends a request of the admin `ada`. */
    async admin<Result = Record<string, string>>(method: string, path: string, body?: object) {
      const response = await request(method, path, { ...ada, body });
      return { status: response.status, body: (await response.json()) as Result };
    },
    async isAccepted(key: string | undefined) {
      const headers = { authorization: `Bearer ${key}` };
      return (await app.request('/agent/v1/embed_tokens', { headers })).status === 200;
    },
    async audit() {
      const page = await backend('GET', '/agent/v1/audit_events');
      const { data } = (await page.json()) as { data: Record<string, unknown>[] };
      return data.filter(({ actor }) => actor !== 'cli');
    },
  };
}

describe('API keys in the console', () => {
  it('are created, listed without the key, rotated with an overlap, and revoked at once', async () => {
    const { admin, audit, clock, isAccepted } = await setup();
    const list = async () =>
      (await admin<{ data: { id: string; name: string }[] }>('GET', '/api_keys')).body.data;

    const { id, key } = (await admin('POST', '/api_keys', { name: 'shop' })).body;
    const accepted = await isAccepted(key);
    const listed = await list();
    clock.advance(1);
    const rotate = { overlap_seconds: 60 };
    const { key: next } = (await admin('POST', `/api_keys/${id}/rotate`, rotate)).body;
    const during = [await isAccepted(key), await isAccepted(next)];
    clock.advance(60_000);
    const afterwards = [await isAccepted(key), await isAccepted(next)];
    const nextId = (await list()).find((each) => each.name === 'shop')?.id;
    await admin('POST', `/api_keys/${nextId}/revoke`);

    expect(accepted).toBe(true);
    expect(listed).toEqual([
      expect.objectContaining({ name: 'INLAY_API_KEY', is_from_environment: true }),
      {
        id,
        name: 'shop',
        is_from_environment: false,
        created_at: '2026-01-15T12:00:00.000Z',
        ends_at: null,
        last_used_at: '2026-01-15T12:00:00.000Z',
      },
    ]);
    expect([during, afterwards]).toEqual([
      [true, true],
      [false, true],
    ]);
    expect(await isAccepted(next)).toBe(false);
    const entries = await audit();
    expect(
      entries.map(({ actor, action, subject, after }) => [actor, action, subject, after]),
    ).toEqual([
      ['operator:ada', 'keys revoke', `api_keys/${nextId}`, null],
      ['operator:ada', 'keys rotate', `api_keys/${id}`, rotate],
      ['operator:ada', 'keys create', `api_keys/${id}`, { id, name: 'shop' }],
    ]);
    for (const secret of [key, next])
      expect(JSON.stringify(entries)).not.toContain(secret?.slice(11));
  });

  it('are refused without a name, with an unknown id, and after their end', async () => {
    const { admin, audit } = await setup();
    const { id } = (await admin('POST', '/api_keys', { name: 'shop' })).body;
    await admin('POST', `/api_keys/${id}/revoke`);
    const recorded = (await audit()).length;

    expect(await admin('POST', '/api_keys', { name: 'two\nlines' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/name' }] },
    });
    expect(await admin('POST', '/api_keys/key_x/revoke')).toMatchObject({ status: 404 });
    expect(await admin('POST', `/api_keys/${id}/rotate`, {})).toMatchObject({ status: 409 });
    expect(await audit()).toHaveLength(recorded);
  });
});

describe('operators in the console', () => {
  it('are created with a sign-in link, get another role, and are disabled at once', async () => {
    const { admin, audit, request, signIn } = await setup();
    const { link } = (await admin('POST', '/operators', { name: 'Ben', role: 'viewer' })).body;
    const ben = await signIn({ link: link?.split('#link=')[1] });
    const statusOf = async (path: string) => (await request('GET', path, ben)).status;

    const asViewer = await statusOf('/operators');
    await admin('POST', '/operators/ben/role', { role: 'admin' });
    const asAdmin = await statusOf('/operators');
    await admin('POST', '/operators/ben/disable');

    expect([asViewer, asAdmin, await statusOf('/session')]).toEqual([403, 200, 401]);
    expect((await admin('GET', '/operators')).body).toMatchObject({
      data: [
        { name: 'ada', role: 'admin', disabled_at: null, has_password: false },
        { name: 'ben', role: 'admin', disabled_at: '2026-01-15T12:00:00.000Z' },
      ],
    });
    expect(await admin('POST', '/operators/ben/enable')).toMatchObject({
      body: { disabled_at: null },
    });
    const entries = await audit();
    // The order of entries with the same time is undefined.
    expect(entries.map(({ action, before, after }) => [action, before, after]).sort()).toEqual([
      ['operators create', null, { role: 'viewer' }],
      ['operators disable', null, null],
      ['operators enable', null, null],
      ['operators role', { role: 'viewer' }, { role: 'admin' }],
    ]);
    expect(new Set(entries.map(({ actor, subject }) => `${actor} ${subject}`))).toEqual(
      new Set(['operator:ada operators/ben']),
    );
  });

  it('lose their sessions by a reset of the password, and sign in with the link', async () => {
    const { admin, operator, request, signIn } = await setup();
    const { cookie } = await operator('ben', 'viewer');

    const { link } = (await admin('POST', '/operators/ben/link')).body;

    expect((await request('GET', '/session', { cookie })).status).toBe(401);
    const { answer } = await signIn({ link: link?.split('#link=')[1] });
    expect(answer).toMatchObject({ operator: { has_password: false } });
    await admin('POST', '/operators/ben/disable');
    expect(await admin('POST', '/operators/ben/link')).toMatchObject({
      status: 409,
      body: { detail: 'ben is disabled. Enable the operator first.' },
    });
  });

  it('always include an enabled admin', async () => {
    const { admin, ada, operator, request } = await setup();
    const refused = {
      status: 409,
      body: {
        detail: 'ada is the last enabled admin. Give another operator the role `admin` first.',
      },
    };
    expect(await admin('POST', '/operators/ada/disable')).toMatchObject(refused);
    expect(await admin('POST', '/operators/ada/role', { role: 'viewer' })).toMatchObject(refused);
    const ben = await operator('ben', 'admin');

    const responses = await Promise.all([
      request('POST', '/operators/ben/disable', ada),
      request('POST', '/operators/ada/disable', ben),
    ]);

    // One of the two, whichever is first.
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses).not.toEqual([200, 200]);
  });

  it('are refused with a name that is taken or cannot be one, and if they are unknown', async () => {
    const { admin } = await setup();

    expect(await admin('POST', '/operators', { name: 'ADA' })).toMatchObject({ status: 409 });
    expect(await admin('POST', '/operators', { name: 'two words' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/name' }] },
    });
    expect(await admin('POST', '/operators/eve/disable')).toMatchObject({ status: 404 });
  });
});
