import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { follow } from '../testing/follow.ts';
import { listen } from '../testing/listen.ts';
import { isType, message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const model = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };
const allRights = { features: { forget_me: true } };

async function setup(options: SetupOptions = {}) {
  const data = temporaryFolder();
  const server = await setupServer({ data, ...options });
  onTestFinished(() => server.close());
  const { token } = await server.issue();
  const call = (method: string, path: string, body?: unknown, as = token) =>
    server.endUser(as, method, `/agent/v1${path}`, body);
  const upload = async (text: string, as = token) => {
    const form = new FormData();
    form.append('file', new File([text], 'a.txt'));
    const headers = { authorization: `Bearer ${as}`, origin: testOrigin };
    return server.app.request('/agent/v1/files', { method: 'POST', body: form, headers });
  };
  const file = async (text: string, as = token) =>
    ((await (await upload(text, as)).json()) as { id: string }).id;
  const attached = (id: string) => ({
    type: 'user.message',
    content: [{ type: 'document', source: { type: 'file', file_id: id } }],
  });
  const create = async (events: object[], as = token) => {
    const created = await call('POST', '/sessions', { initial_events: events }, as);
    expect(created.status).toBe(200);
    return ((await created.json()) as { id: string }).id;
  };
  const settled = () =>
    expect.poll(() => server.store.db.selectFrom('runs').selectAll().execute()).toEqual([]);
  const blobs = () =>
    existsSync(join(data, 'files')) ? readdirSync(join(data, 'files')).sort() : [];
  /** Every row of every table that speaks of a person. */
  const rows = async () => {
    const { db } = server.store;
    const all = {
      sessions: await db.selectFrom('sessions').selectAll().execute(),
      events: await db.selectFrom('events').selectAll().execute(),
      texts: await db.selectFrom('session_texts').selectAll().execute(),
      session_files: await db.selectFrom('session_files').selectAll().execute(),
      feedback: await db.selectFrom('feedback').selectAll().execute(),
      files: await db.selectFrom('files').selectAll().execute(),
      idempotency: await db.selectFrom('idempotency').selectAll().execute(),
      visitors: await db.selectFrom('visitors').selectAll().execute(),
      doomed: await db.selectFrom('doomed_blobs').selectAll().execute(),
    };
    return Object.entries(all).flatMap(([name, some]) => (some.length > 0 ? [name] : []));
  };
  return { ...server, token, call, upload, file, attached, create, settled, blobs, rows };
}

describe('exporting a conversation', () => {
  async function conversation() {
    const script = [
      { say: 'High water at noon.' },
      { cite: { title: 'The | log', url: 'https://a.example' } },
    ];
    const server = await setup({ agent: { model: { ...model, script } } });
    const id = await server.create([message('When is\nhigh water?')]);
    await server.settled();
    await server.call('POST', `/sessions/${id}`, { title: 'Ébb & flow' });
    await server.call('POST', `/sessions/${id}/events`, {
      events: [{ ...message('When is low water?'), parent_id: null }],
    });
    await server.settled();
    return { ...server, id };
  }

  it('gives the newest branch as Markdown, in a file with a name', async () => {
    const { call, id } = await conversation();

    const answer = await call('GET', `/sessions/${id}/export`);
    const text = await answer.text();

    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="conversation-2026-01-15-e-bb-flow.md"',
    );
    expect(answer.headers.get('access-control-expose-headers')).toContain('Content-Disposition');
    expect(text).toMatch(/^# Ébb & flow\n/);
    expect(text).toContain('When is low water?');
    expect(text).toContain(
      '> High water at noon.\n>\n> Sources:\n>\n> - The \\| log: <https://a.example/>',
    );
    expect(text).not.toContain('high water?');
  });

  it('gives everything as JSON, other branches included', async () => {
    const { call, id } = await conversation();

    const answer = await call('GET', `/sessions/${id}/export?format=json`);
    const body = (await answer.json()) as { session: object; events: { type: string }[] };

    expect(answer.headers.get('content-disposition')).toMatch(/\.json"$/);
    expect(body.session).toMatchObject({ id, title: 'Ébb & flow' });
    expect(body.events.filter(({ type }) => type === 'user.message')).toHaveLength(2);
  });

  it('says what a card showed, and what was answered', async () => {
    const card = {
      title: 'Seats',
      blocks: [
        { type: 'table', columns: [{ label: 'A|B' }], rows: [['1 | 2'], [null]] },
        {
          type: 'chart',
          kind: 'bar',
          labels: ['Mon'],
          series: [{ label: 's', values: [3] }],
          unit: '°C',
        },
        { type: 'buttons', buttons: [{ label: 'Go', action: 'go' }] },
      ],
    };
    const { call, create, settled } = await setup({
      agent: {
        appearance: { cards: true },
        model: { ...model, script: [{ call: 'show_card', input: card }] },
      },
    });
    const id = await create([message('x')]);
    await settled();
    const page = await call('GET', `/sessions/${id}/events?types=agent.card`);
    const [shown] = ((await page.json()) as { data: { id: string }[] }).data;
    await call('POST', `/sessions/${id}/events`, {
      events: [{ type: 'user.card_action', card_id: shown?.id, action: 'go' }],
    });

    const text = await (await call('GET', `/sessions/${id}/export`)).text();

    expect(text).toContain('> **Seats**\n>\n> | A\\|B |\n> | --- |\n> | 1 \\| 2 |\n> |  |');
    expect(text).toContain('> |  | s (°C) |\n> | --- | --- |\n> | Mon | 3 |');
    expect(text).toContain('> *go*');
  });

  it('lets nothing that was said pass for another one’s words, or hide them', async () => {
    const forged = '**You** · 2026-01-15T00:00:00.000Z';
    const card = {
      title: `Seats**\n\n${forged}`,
      blocks: [
        { type: 'list', items: [{ title: `A\n\n${forged}`, text: '</li><!--' }] },
        { type: 'image', url: 'https://a.example/b c>)\n\n# x', alt: `]( \n${forged}` },
        { type: 'table', columns: [{ label: `B\n\n${forged}` }], rows: [] },
      ],
    };
    const script = [
      { say: `Yes.\r\r${forged}\u2028# I agree\n\n\`\`\`` },
      { cite: { title: `]<!--\n${forged}`, url: 'https://a.example/>\n# x' } },
      { call: 'show_card', input: card },
    ];
    const { call, create, settled } = await setup({
      agent: { appearance: { cards: true }, model: { ...model, script } },
    });
    const id = await create([message('x')]);
    await settled();
    await call('POST', `/sessions/${id}`, { title: `T\n# <b>` });

    const text = await (await call('GET', `/sessions/${id}/export`)).text();

    const own = text.split(/[\n\r\u2028]/).filter((line) => line !== '' && !line.startsWith('>'));
    expect(own).toEqual([
      '# T \\# \\<b\\>',
      expect.stringMatching(/ · ses_[\w-]+$/),
      expect.stringMatching(/^\*\*You\*\* · \S+$/),
      expect.stringMatching(/^\*\*Test agent\*\* · \S+$/),
      expect.stringMatching(/^\*\*Test agent\*\* · \S+$/),
    ]);
    expect(text).toContain('<https://a.example/b%20c%3E)');
    expect(text).not.toMatch(/[^\\]<!--/);
  });

  it('is refused where the settings say so, in another form, and to others', async () => {
    const { call, create, issue } = await setup();
    const off = await setup({ agent: { appearance: { features: { export: false } } } });
    const id = await create([message('x')]);
    const { token: eve } = await issue('eve');

    const refused = await off.call('GET', `/sessions/${await off.create([])}/export`);
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      {
        code: 'EMBED_FEATURE_DISABLED',
        detail: 'Conversations with this agent cannot be exported.',
      },
    ]);
    expect(await (await call('GET', `/sessions/${id}/export?format=pdf`)).json()).toMatchObject({
      errors: [{ pointer: '/query/format', message: 'must be markdown or json' }],
    });
    expect((await call('GET', `/sessions/${id}/export`, undefined, eve)).status).toBe(404);
  });
});

describe('deleting a conversation', () => {
  it('takes along the files that no other one refers to, with their bytes', async () => {
    const { call, create, file, attached, blobs, settled } = await setup();
    const [alone, shared] = [await file('a'), await file('b')];
    const id = await create([attached(alone), attached(shared)]);
    const other = await create([attached(shared)]);
    await settled();

    await call('DELETE', `/sessions/${id}`);

    expect(blobs()).toEqual([shared]);
    expect((await call('GET', `/files/${alone}/content`)).status).toBe(404);
    expect((await call('GET', `/files/${shared}/content`)).status).toBe(200);
    await call('DELETE', `/sessions/${other}`);
    expect(blobs()).toEqual([]);
  });

  it('leaves uploads alone that were not sent yet', async () => {
    const { call, create, file, blobs } = await setup();
    const waiting = await file('a');

    await call('DELETE', `/sessions/${await create([])}`);

    expect(blobs()).toEqual([waiting]);
  });

  it('cannot take a file away from a message that is being sent', async () => {
    const { call, create, file, attached, settled } = await setup();
    const id = await file('a');
    const [one, two] = [await create([attached(id)]), await create([])];
    await settled();

    const [, sent] = await Promise.all([
      call('DELETE', `/sessions/${one}`),
      call('POST', `/sessions/${two}/events`, { events: [attached(id)] }),
    ]);

    const content = await call('GET', `/files/${id}/content`);
    expect([sent.status, content.status]).toEqual(sent.status === 200 ? [200, 200] : [400, 404]);
  });

  it('leaves nothing of what was said where requests are remembered', async () => {
    const { app, token, call, store } = await setup();
    const headers = {
      authorization: `Bearer ${token}`,
      origin: testOrigin,
      'content-type': 'application/json',
    };
    const create = async (key: string, text: string) => {
      const response = await app.request('/agent/v1/sessions', {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': key },
        body: JSON.stringify({ initial_events: [message(text)] }),
      });
      return ((await response.json()) as { id: string }).id;
    };
    const [id] = [await create('a', 'a secret'), await create('b', 'kept')];

    await call('DELETE', `/sessions/${id}`);

    const remembered = JSON.stringify(
      await store.db.selectFrom('idempotency').selectAll().execute(),
    );
    expect(remembered).toContain('kept');
    expect(remembered).not.toContain('secret');
  });

  it('takes no opinion that comes at the same moment', async () => {
    const { call, create, settled, store } = await setup();
    const id = await create([message('x')]);
    await settled();
    const page = await call('GET', `/sessions/${id}/events?types=agent.message`);
    const [answer] = ((await page.json()) as { data: { id: string }[] }).data;
    const rate = () =>
      call('POST', `/sessions/${id}/feedback`, { event_id: answer?.id, rating: 'up' });

    await Promise.all([
      ...Array.from({ length: 8 }, rate),
      call('DELETE', `/sessions/${id}`),
      ...Array.from({ length: 8 }, rate),
    ]);

    expect(await store.db.selectFrom('feedback').selectAll().execute()).toEqual([]);
  });

  it('is refused where the settings say so', async () => {
    const { call, create } = await setup({
      agent: { appearance: { features: { delete: false } } },
    });
    const id = await create([message('x')]);

    const refused = await call('DELETE', `/sessions/${id}`);

    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      {
        code: 'EMBED_FEATURE_DISABLED',
        detail: 'Conversations with this agent cannot be deleted.',
      },
    ]);
    expect((await call('GET', `/sessions/${id}`)).status).toBe(200);
  });
});

describe('forgetting a person', () => {
  it('deletes everything that is kept of them, and nothing of anybody else', async () => {
    const { call, create, file, attached, blobs, rows, settled, issue, page, endUser } =
      await setup({ agent: { appearance: allRights } });
    const key = { publishable_key: 'pk_test' };
    const visitor = await page('POST', '/agent/v1/embed_tokens/anonymous', key);
    const { token, visitor_secret } = (await visitor.json()) as Record<string, string>;
    const id = await create([message('secret'), attached(await file('a', token))], token);
    await file('b', token);
    await settled();
    await endUser(token ?? '', 'POST', '/agent/v1/sessions', {}, { 'idempotency-key': 'k' });
    const log = await call('GET', `/sessions/${id}/events?types=agent.message`, undefined, token);
    const [answer] = ((await log.json()) as { data: { id: string }[] }).data;
    const opinion = { event_id: answer?.id, rating: 'up' };
    await call('POST', `/sessions/${id}/feedback`, opinion, token);
    const eve = (await issue('eve')).token;
    const hers = await create([attached(await file('hers', eve))], eve);
    await settled();

    const forgotten = await call('POST', '/embed/forget_me', undefined, token);

    expect([forgotten.status, await forgotten.json()]).toMatchObject([
      200,
      {
        type: 'forgotten',
        external_user_id: expect.stringMatching(/^anon_/),
        sessions: 2,
        files: 2,
      },
    ]);
    expect(blobs()).toHaveLength(1);
    expect((await call('GET', `/sessions/${hers}`, undefined, eve)).status).toBe(200);
    expect((await call('GET', `/sessions/${id}`, undefined, token)).status).toBe(404);
    const again = await page('POST', '/agent/v1/embed_tokens/anonymous', {
      ...key,
      visitor_secret,
    });
    const { visitor_secret: fresh } = (await again.json()) as Record<string, string>;
    expect(fresh).toBeTruthy();
    expect(fresh).not.toBe(visitor_secret);

    await call('POST', '/embed/forget_me', undefined, eve);
    expect(blobs()).toEqual([]);
    // The visitor who has just come.
    expect(await rows()).toEqual(['visitors']);
  });

  it('is the same twice, and refused where the settings do not allow it', async () => {
    const { call } = await setup({ agent: { appearance: allRights } });
    const off = await setup();

    await call('POST', '/embed/forget_me');
    expect(await (await call('POST', '/embed/forget_me')).json()).toMatchObject({
      external_user_id: 'ada',
      sessions: 0,
      files: 0,
    });
    const refused = await off.call('POST', '/embed/forget_me');
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: 'EMBED_FEATURE_DISABLED' },
    ]);
  });

  it('during a run ends its stream, and nothing of the run comes back', async () => {
    const { app, call, create, token, rows, blobs } = await setup({
      agent: {
        appearance: allRights,
        model: { ...model, script: [{ say: 'a' }, { wait_ms: 60_000 }, { say: 'b' }] },
      },
    });
    const port = await listen(app);
    onTestFinished(() => port.close());
    const id = await create([message('x')]);
    const stream = await follow(
      `${port.url}/agent/v1/sessions/${id}/events/stream?event_deltas=agent.message`,
      token,
    );
    await stream.until(isType('event_delta'));

    await call('POST', '/embed/forget_me');
    await stream.toEnd();

    expect(stream.seen.at(-1)?.data.type).toBe('session.deleted');
    await expect.poll(rows).toEqual([]);
    expect(blobs()).toEqual([]);
  });

  it('during many uploads leaves no file that has no owner, and none of what came before', async () => {
    const { call, upload, blobs, store } = await setup({ agent: { appearance: allRights } });
    const uploads = Array.from({ length: 12 }, (_, n) => upload(`file ${n}`));
    const before = uploads.slice(0, 4);
    await Promise.all(before);

    const [forgotten, ...late] = await Promise.all([
      call('POST', '/embed/forget_me'),
      ...uploads.slice(4),
    ]);

    expect(forgotten?.status).toBe(200);
    for (const { status } of late) expect([200, 409]).toContain(status);
    const files = await store.db.selectFrom('files').selectAll().execute();
    expect(blobs()).toEqual(files.map(({ id }) => id).sort());
    expect(files.every(({ is_complete }) => is_complete === 1)).toBe(true);
  });

  it('tells an upload that was under way that it is gone too', async () => {
    const { call, upload, blobs, rows, store } = await setup({ agent: { appearance: allRights } });
    const coming = upload('x'.repeat(20_000_000));
    // Its row is there before its bytes are.
    await expect
      .poll(() => store.db.selectFrom('files').select('is_complete').execute(), { interval: 1 })
      .toHaveLength(1);

    await call('POST', '/embed/forget_me');
    const { status } = await coming;

    expect([200, 409]).toContain(status);
    expect(blobs()).toEqual([]);
    expect(await rows()).toEqual([]);
  });
});

describe('bytes that a crash left behind', () => {
  it('are removed soon after the next start', async () => {
    const { file, blobs, rows, store, clock } = await setup();
    const [doomed, abandoned] = [await file('a'), await file('b')];
    await store.db.deleteFrom('files').where('id', '=', doomed).execute();
    await store.db.insertInto('doomed_blobs').values({ id: doomed }).execute();
    await store.db
      .updateTable('files')
      .set({ is_complete: 0 })
      .where('id', '=', abandoned)
      .execute();

    clock.advance(60_000);
    await expect.poll(blobs).toEqual([abandoned]);
    clock.advance(3_600_000);

    await expect.poll(blobs).toEqual([]);
    await expect.poll(rows).toEqual([]);
  });
});
