import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { follow } from '../testing/follow.ts';
import { listen } from '../testing/listen.ts';
import { problemOf } from '../testing/problem-of.ts';
import { isType, message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';

const embed = { allowed_origins: [testOrigin], allow_visitor_claim: true };

/** Sets up a server with a visitor. */
async function setup(options: SetupOptions = {}) {
  const server = await setupServer({ ...options, agent: { embed, ...options.agent } });
  const call = (token: string, method: string, path: string, body?: unknown) =>
    server.requestAsUser(token, method, `/agent/v1${path}`, body);
  const anonymous = async (secret?: string) => {
    const body = { publishable_key: 'pk_test', visitor_secret: secret };
    const response = await server.requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', body);
    return (await response.json()) as { token: string; visitor_secret?: string };
  };
  const { token: visitor, visitor_secret: secret = '' } = await anonymous();
  return {
    ...server,
    call,
    anonymous,
    visitor,
    secret,
    claim: (token: string, fields: object = {}) =>
      call(token, 'POST', '/embed/claim', { visitor_secret: secret, ...fields }),
    /** Starts a session. Returns its id. */
    async create(token: string, ...content: object[]) {
      const events = content.length > 0 ? { initial_events: content } : {};
      const created = await call(token, 'POST', '/sessions', events);
      return ((await created.json()) as { id: string }).id;
    },
    /** Uploads a file. Returns its id. */
    async file(token: string, text: string) {
      const form = new FormData();
      form.append('file', new File([text], 'a.txt'));
      const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
      const request = { method: 'POST', body: form, headers };
      return (
        (await (await server.app.request('/agent/v1/files', request)).json()) as { id: string }
      ).id;
    },
    /** Returns the data of a list. */
    async list(token: string, path = '/sessions') {
      const response = await call(token, 'GET', path);
      return ((await response.json()) as { data: { id: string; type: string }[] }).data;
    },
    /** Resolves when all runs have ended. */
    settled: () =>
      expect.poll(() => server.store.db.selectFrom('runs').selectAll().execute()).toEqual([]),
  };
}

describe('POST /embed/claim', () => {
  it('moves sessions with events, titles, search texts, feedback and files', async () => {
    const { call, claim, create, file, issue, list, settled, store, visitor } = await setup();
    const fileId = await file(visitor, 'receipt');
    const document = { type: 'document', source: { type: 'file', file_id: fileId } };
    const attached = { type: 'user.message', content: [document] };
    const id = await create(visitor, message('Where is my parcel?'), attached);
    await settled();
    await call(visitor, 'POST', `/sessions/${id}`, { title: 'Zebra', metadata: { pinned: 'yes' } });
    const events = await list(visitor, `/sessions/${id}/events`);
    const answer = events.find(({ type }) => type === 'agent.message');
    await call(visitor, 'POST', `/sessions/${id}/feedback`, { event_id: answer?.id, rating: 'up' });
    const { token: ada } = await issue('ada', {
      system_message: [{ type: 'text', text: 'Ada' }],
      metadata: { plan: 'pro' },
    });
    const own = await create(ada, message('Hello'));
    await settled();

    const counted = await claim(ada, { dry_run: true });
    expect(await counted.json()).toMatchObject({ type: 'visitor_claim', sessions: 1 });
    expect(await list(ada)).toHaveLength(1);
    const claimed = await claim(ada);

    expect([claimed.status, await claimed.json()]).toEqual([
      200,
      { type: 'visitor_claim', external_user_id: 'ada', sessions: 1 },
    ]);
    expect((await list(ada)).map((each) => each.id).sort()).toEqual([own, id].sort());
    for (const query of ['zebra', 'parcel']) {
      expect(await list(ada, `/sessions?query=${query}`), query).toMatchObject([
        { id, title: 'Zebra', metadata: { pinned: 'yes' } },
      ]);
    }
    expect(await list(ada, `/sessions/${id}/events`)).toEqual(events);
    expect((await call(ada, 'GET', `/files/${fileId}/content`)).status).toBe(200);
    const feedback = await store.db.selectFrom('feedback').selectAll().execute();
    expect(feedback).toMatchObject([{ session_id: id, external_user_id: 'ada' }]);
    const rows = store.db.selectFrom('sessions').selectAll().where('id', '=', id);
    expect(await rows.execute()).toMatchObject([
      {
        ...{ publishable_key: null, source: null, token_metadata: '{"plan":"pro"}' },
        system_message: expect.stringContaining('Ada'),
      },
    ]);
    const next = { events: [message('And now?')] };
    expect((await call(ada, 'POST', `/sessions/${id}/events`, next)).status).toBe(200);
    await settled();
    // The response may have been lost.
    expect((await claim(ada)).status).toBe(200);
    expect((await claim(ada, { dry_run: true })).status).toBe(404);
  });

  it('ends the visitor: the secret is unknown, the tokens are revoked and their streams end', async () => {
    const { app, anonymous, call, claim, create, issue, secret, visitor } = await setup();
    const id = await create(visitor, message('Hello'));
    const { url } = await listen(app);
    const stream = await follow(`${url}/agent/v1/sessions/${id}/events/stream`, visitor);
    const { token: ada } = await issue('ada');

    expect((await claim(ada)).status).toBe(200);

    const end = (await stream.toEnd()).at(-1);
    expect(end?.data).toMatchObject({ error: { code: 'EMBED_TOKEN_REVOKED' } });
    const refused = await call(visitor, 'GET', '/embed/config');
    expect((await problemOf(refused)).code).toBe('EMBED_TOKEN_REVOKED');
    expect((await anonymous(secret)).visitor_secret).toMatch(/^vs_/);
    const used = await problemOf(await claim((await issue('eve')).token));
    const unknown = await problemOf(await claim(ada, { visitor_secret: 'vs_unknown' }));
    expect([used.status, used.code, used.detail]).toEqual([404, unknown.code, unknown.detail]);
  });

  it('moves nothing without the policy, for a visitor, with a token of one session, and for a blocked visitor or user', async () => {
    const { anonymous, backend, call, claim, create, issue, list, visitor } = await setup();
    const id = await create(visitor, message('Hello'));
    const { token: ada } = await issue('ada');
    const config = async (token: string) =>
      (await (await call(token, 'GET', '/embed/config')).json()) as {
        token: { external_user_id: string };
        features: { visitor_claim: boolean };
      };
    const users = '/agent/v1/agents/test/end_users';
    const visitorId = (await config(visitor)).token.external_user_id;
    const allow = (allow_visitor_claim: boolean) =>
      backend('POST', '/agent/v1/agents/test', { embed: { ...embed, allow_visitor_claim } });

    await allow(false);
    expect((await problemOf(await claim(ada))).code).toBe('EMBED_FEATURE_DISABLED');
    expect((await config(ada)).features.visitor_claim).toBe(false);
    await allow(true);
    expect((await config(ada)).features.visitor_claim).toBe(true);
    expect((await config(visitor)).features.visitor_claim).toBe(false);
    const byVisitor = await claim((await anonymous()).token);
    expect((await problemOf(byVisitor)).code).toBe('EMBED_FEATURE_DISABLED');
    const { token: narrow } = await issue('ada', { session_id: await create(ada) });
    expect((await problemOf(await claim(narrow))).code).toBe('EMBED_FEATURE_DISABLED');
    expect((await config(narrow)).features.visitor_claim).toBe(false);
    const invalid = await problemOf(await claim(ada, { visitor_secret: 7 }));
    expect(invalid).toMatchObject({ status: 400, errors: [{ pointer: '/visitor_secret' }] });
    await backend('POST', `${users}/ada/block`);
    expect((await claim(ada)).status).toBe(401);
    await backend('POST', `${users}/${visitorId}/block`);
    const { token: bob } = await issue('bob');
    expect((await claim(bob)).status).toBe(404);
    expect((await claim(bob, { dry_run: true })).status).toBe(404);
    expect(await list(bob)).toEqual([]);

    await backend('POST', `${users}/${visitorId}/unblock`);
    expect((await claim(bob)).status).toBe(200);
    expect(await list(bob)).toMatchObject([{ id }]);
  });

  it('adds what the visitor has used to the counters of the user, and frees no quota of the key', async () => {
    const { call, claim, create, file, issue, settled, store, visitor } = await setup();
    const { db } = store;
    const { token: ada } = await issue('ada');
    const ids = [await create(visitor, message('Hello')), await create(visitor)];
    await file(visitor, '12345');
    await file(ada, '123');
    await settled();
    // The cost of a deleted conversation still counts.
    for (const id of ids) await call(visitor, 'DELETE', `/sessions/${id}`);
    const shares = db.updateTable('publishable_key_shares').set({ spent_microcents: 7 });
    await shares.where('subject', 'like', 'visitor:%').execute();
    const ofKey = () => db.selectFrom('publishable_key_days').selectAll().execute();
    const ofUsers = () => db.selectFrom('end_user_days').selectAll().execute();
    const before = await ofKey();
    const bytes = (await ofUsers()).reduce((sum, row) => sum + Number(row.message_bytes), 0);

    await claim(ada);

    expect(await ofKey()).toEqual(before);
    expect(await ofUsers()).toMatchObject([
      {
        external_user_id: 'ada',
        file_bytes: 8,
        empty_sessions: 1,
        message_bytes: bytes,
        spent_microcents: 7,
      },
    ]);
  });

  it('keeps the smaller budget of a session', async () => {
    const { claim, create, issue, store, visitor } = await setup({
      agent: { publishable_keys: [{ key: 'pk_test', budget_cents: 9 }] },
      config: { prices: { scripted: {} } },
    });
    await create(visitor);

    await claim((await issue('ada', { budget_cents: 30 })).token);

    const rows = await store.db.selectFrom('sessions').select('budget_cents').execute();
    expect(rows).toEqual([{ budget_cents: 9 }]);
  });

  it('lets an answer in progress end', async () => {
    const { app, claim, create, issue, visitor } = await setup({
      agent: { model: { provider: 'scripted', delay_ms: 20, first_delay_ms: 0 } },
      realClock: systemClock,
    });
    const { url } = await listen(app);
    const path = `${url}/agent/v1/sessions/${await create(visitor, message('table'))}/events/stream`;
    const deltas = '?event_deltas[]=agent.message';
    await (await follow(path + deltas, visitor)).until(isType('event_delta'));
    const { token } = await issue('ada');

    expect((await claim(token)).status).toBe(200);

    const stream = await follow(`${path}${deltas}`, token, { headers: { 'last-event-id': '0' } });
    await stream.until(isType('session.status_idle'));
    const answers = stream.seen.filter(isType('agent.message'));
    expect(answers).toHaveLength(1);
    expect(answers[0]?.data).not.toHaveProperty('incomplete');
  });

  it('moves each visitor to one of the users who claim it at the same time in two processes', async () => {
    const first = await setup();
    const second = await setup({ sharedStore: first.store, seed: 'second' });
    const visitors = [first, second];
    for (const { create, visitor } of visitors) await create(visitor, message('Hello'));
    await first.settled();
    const users = await Promise.all(['ada', 'ada', 'bob', 'cy'].map((user) => first.issue(user)));

    const responses = await Promise.all(
      users.flatMap(({ token }, index) =>
        [first, second].flatMap((server) =>
          (index % 2 === 0 ? visitors : visitors.toReversed()).map(async ({ secret }) => {
            await server.anonymous(secret);
            return {
              token,
              secret,
              response: await server.claim(token, { visitor_secret: secret }),
            };
          }),
        ),
      ),
    );

    expect(new Set(responses.map(({ response }) => response.status))).toEqual(new Set([200, 404]));
    const owners = new Set<string>();
    for (const { token } of users) {
      const granted = responses.filter((each) => each.token === token && each.response.ok);
      expect(await first.list(token)).toHaveLength(
        new Set(granted.map(({ secret }) => secret)).size,
      );
      for (const { secret } of granted) owners.add(secret);
    }
    expect(owners.size).toBe(2);
    const db = first.store.db;
    const visitorsLeft = await db.selectFrom('visitors').select('external_user_id').execute();
    const valid = await db
      .selectFrom('issuances')
      .select('external_user_id')
      .where('publishable_key', 'is not', null)
      .where('revoked_at', 'is', null)
      .execute();
    expect(visitorsLeft).toEqual(expect.arrayContaining(valid));
  });
});
