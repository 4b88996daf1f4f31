import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { message, setupConversation } from '../testing/setup-conversation.ts';
import { testOrigin } from '../testing/setup-server.ts';

const model = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };

/** Sets up a conversation of Ada with an answer, a rating and a file, and the API key of a backend. */
async function setup(features: object = {}) {
  const server = await setupConversation({
    agent: {
      model: { ...model, script: [{ say: 'At noon.' }] },
      appearance: { features },
    },
  });
  const form = new FormData();
  form.set('file', new File(['the tide table'], 'tïde.txt', { type: 'text/plain' }));
  const uploaded = await fetch(`${server.url}/agent/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, origin: testOrigin },
    body: form,
  });
  const { id: file } = (await uploaded.json()) as { id: string };
  const created = await server.call('POST', '/sessions', {
    metadata: { order: '42' },
    initial_events: [
      {
        type: 'user.message',
        content: [
          { type: 'text', text: 'When is high water?' },
          { type: 'document', source: { type: 'file', file_id: file } },
        ],
      },
    ],
  });
  const { id } = (await created.json()) as { id: string };
  await expect.poll(async () => (await server.session(id)).status).toBe('idle');
  await expect.poll(() => server.store.db.selectFrom('runs').selectAll().execute()).toEqual([]);
  const answer = (await server.log(id)).find(({ type }) => type === 'agent.message');
  const rate = () =>
    server.call('POST', `/sessions/${id}/feedback`, { event_id: answer?.id, rating: 'up' });
  const asKey = (method: string, path: string) => server.backend(method, `/agent/v1${path}`);
  const readAsKey = async (path: string) => {
    const response = await asKey('GET', path);
    expect(response.status).toBe(200);
    return response.json();
  };
  return { ...server, id, file, answer, rate, asKey, readAsKey };
}

describe('an API key', () => {
  it('reads a conversation of any user, with its user and the token that created it', async () => {
    const { id, issuanceId, readAsKey, session } = await setup();

    expect(await readAsKey(`/sessions/${id}`)).toEqual({
      ...(await session(id)),
      external_user_id: 'ada',
      issuance_id: issuanceId,
      publishable_key: null,
      agent_version: '1',
      spent_cents: 0,
      outcome: 'answered',
    });
  });

  it('reads the publishable key of a conversation of a visitor', async () => {
    const { call, readAsKey, requestAsPage } = await setup();
    const anonymous = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
      publishable_key: 'pk_test',
    });
    const { token } = (await anonymous.json()) as { token: string };
    const created = await call('POST', '/sessions', {}, {}, token);
    const { id } = (await created.json()) as { id: string };

    expect(await readAsKey(`/sessions/${id}`)).toMatchObject({
      publishable_key: 'pk_test',
      external_user_id: expect.stringMatching(/./),
    });
  });

  it('reads the log, in pages', async () => {
    const { id, log, readAsKey } = await setup();
    const events = await log(id);

    const first = await readAsKey(`/sessions/${id}/events?limit=2`);
    const rest = await readAsKey(`/sessions/${id}/events?page=${first.next_page}`);

    // With an API key, events have some more members.
    expect([...first.data, ...rest.data]).toMatchObject(events);
    expect(first.data).toHaveLength(2);
  });

  it('exports a conversation, also if users of the agent cannot', async () => {
    const { call, id, asKey } = await setup({ export: false });
    expect((await call('GET', `/sessions/${id}/export`)).status).toBe(403);

    const markdown = await asKey('GET', `/sessions/${id}/export`);
    const json = await asKey('GET', `/sessions/${id}/export?format=json`);

    expect(markdown.headers.get('content-disposition')).toMatch(/^attachment; filename=".*\.md"$/);
    expect(await markdown.text()).toContain('At noon.');
    expect(await json.json()).toMatchObject({ session: { id, external_user_id: 'ada' } });
  });

  it('reads the feedback of a conversation', async () => {
    const { answer, id, rate, readAsKey } = await setup();
    await rate();

    const { data } = await readAsKey(`/sessions/${id}/feedback`);

    expect(data).toMatchObject([{ event_id: answer?.id, rating: 'up' }]);
  });

  it('downloads a file of any user as an attachment', async () => {
    const { asKey, call, file } = await setup();

    const response = await asKey('GET', `/files/${file}/content`);
    const own = await call('GET', `/files/${file}/content`);

    expect(await response.text()).toBe('the tide table');
    expect(response.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''t%C3%AFde.txt",
    );
    for (const name of ['content-security-policy', 'content-length', 'x-content-type-options']) {
      expect(response.headers.get(name)).toBe(own.headers.get(name));
    }
  });

  it('downloads an image as an attachment, which the user can show in the page', async () => {
    const { asKey, call, token, url } = await setup();
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
      'base64',
    );
    const form = new FormData();
    form.set('file', new File([png], 'a.png', { type: 'image/png' }));
    const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
    const uploaded = await fetch(`${url}/agent/v1/files`, { method: 'POST', headers, body: form });
    const { id } = (await uploaded.json()) as { id: string };

    const disposition = (response: Response) => response.headers.get('content-disposition');
    expect(disposition(await call('GET', `/files/${id}/content`))).toMatch(/^inline/);
    expect(disposition(await asKey('GET', `/files/${id}/content`))).toMatch(/^attachment/);
  });

  it('deletes a conversation with its files, also if users of the agent cannot', async () => {
    const { asKey, call, file, id } = await setup({ delete: false });
    expect((await call('DELETE', `/sessions/${id}`)).status).toBe(403);

    const deleted = await asKey('DELETE', `/sessions/${id}`);

    expect(await deleted.json()).toEqual({ type: 'session_deleted', id });
    for (const path of [`/sessions/${id}`, `/sessions/${id}/events`, `/files/${file}/content`]) {
      expect((await asKey('GET', path)).status).toBe(404);
      expect((await call('GET', path)).status).toBe(404);
    }
    expect((await asKey('DELETE', `/sessions/${id}`)).status).toBe(404);
  });

  it('changes nothing by reading', async () => {
    const { asKey, file, id, store } = await setup();
    const rows = async () => [
      await store.db.selectFrom('sessions').selectAll().execute(),
      await store.db.selectFrom('events').selectAll().execute(),
      await store.db.selectFrom('end_user_days').selectAll().execute(),
      await store.db.selectFrom('issuances').selectAll().execute(),
    ];
    const before = await rows();

    for (const path of ['', '/events', '/feedback', '/export']) {
      const response = await asKey('GET', `/sessions/${id}${path}`);
      expect(response.status).toBe(200);
      await response.text();
    }
    await (await asKey('GET', `/files/${file}/content`)).text();

    expect(await rows()).toEqual(before);
  });

  it('does not use up what the user may read', async () => {
    const { asKey, call, id, store } = await setup();
    // Two exports of this log would be more than the user may read in a minute.
    await store.db.updateTable('sessions').set({ log_bytes: 60_000_000 }).execute();

    for (let n = 0; n < 3; n++) {
      await (await asKey('GET', `/sessions/${id}/export`)).text();
    }

    const own = await call('GET', `/sessions/${id}/export?format=json`);
    expect(own.status).toBe(200);
    await own.text();
  });

  it.each([
    ['POST', '', { title: 'x' }],
    ['POST', '/events', { events: [message('x')] }],
    ['POST', '/archive', undefined],
  ])('cannot act for the user: %s /sessions/{id}%s', async (method, path, body) => {
    const { backend, id } = await setup();

    const response = await backend(method, `/agent/v1/sessions/${id}${path}`, body);

    expect(response.status).toBe(401);
    expect((await problemOf(response)).detail).toContain('An API key cannot act for an end user');
  });

  it.each([
    'sessions/ses_none',
    'sessions/ses_none/events',
    'sessions/ses_none/events/stream',
    'sessions/ses_none/export',
    'sessions/ses_none/feedback',
    'files/file_none/content',
  ])('gets a 404 for a missing id: %s', async (path) => {
    const { asKey } = await setup();

    const response = await asKey('GET', `/${path}`);

    expect([response.status, (await problemOf(response)).code]).toEqual([404, 'NOT_FOUND']);
  });
});

it('the object of a session has no member for backends with an embed token', async () => {
  const { id, session } = await setup();

  const names = Object.keys(await session(id));

  for (const name of ['external_user_id', 'issuance_id', 'publishable_key', 'spent_cents']) {
    expect(names).not.toContain(name);
  }
});

it('a 401 response names the credentials that the route accepts', async () => {
  const { requestAsPage, id } = await setup();

  const response = await requestAsPage('GET', `/agent/v1/sessions/${id}`);

  expect(response.status).toBe(401);
  expect((await problemOf(response)).detail).toMatch(/embed token or an API key/);
});
