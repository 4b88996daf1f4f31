import { describe, expect, it } from 'vitest';
import { message } from '../testing/setup-conversation.ts';
import { model, setupRights as setup } from '../testing/setup-data-rights.ts';
import { testOrigin } from '../testing/setup-server.ts';

describe('exporting a conversation', () => {
  async function conversation() {
    const script = [
      { say: 'High water at noon【4:0†source】.' },
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

  it('returns the current branch as Markdown, with a file name', async () => {
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

  it('returns the session with all its branches as JSON', async () => {
    const { call, id } = await conversation();

    const answer = await call('GET', `/sessions/${id}/export?format=json`);
    const body = (await answer.json()) as { session: object; events: { type: string }[] };

    expect(answer.headers.get('content-disposition')).toMatch(/\.json"$/);
    expect(body.session).toMatchObject({ id, title: 'Ébb & flow' });
    expect(body.events.filter(({ type }) => type === 'user.message')).toHaveLength(2);
  });

  it('includes cards and their answers', async () => {
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
        { type: 'custom', name: 'seat-map', data: { free: [7] }, text: 'Free: **7**' },
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
    expect(text).toContain('> |  | s (°C) |\n> | --- | --- |\n> | Mon | 3 |\n>\n> Free: **7**');
    expect(text).toContain('> *go*');
  });

  it('escapes content that would imitate or hide other messages', async () => {
    const forgedHeading = '**You** · 2026-01-15T00:00:00.000Z';
    const card = {
      title: `Seats**\n\n${forgedHeading}`,
      blocks: [
        { type: 'list', items: [{ title: `A\n\n${forgedHeading}`, text: '</li><!--' }] },
        { type: 'image', url: 'https://a.example/b c>)\n\n# x', alt: `]( \n${forgedHeading}` },
        { type: 'table', columns: [{ label: `B\n\n${forgedHeading}` }], rows: [] },
      ],
    };
    const script = [
      { say: `Yes.\r\r${forgedHeading}\u2028# I agree\n\n\`\`\`` },
      { cite: { title: `]<!--\n${forgedHeading}`, url: 'https://a.example/>\n# x' } },
      { call: 'show_card', input: card },
    ];
    const { call, create, settled } = await setup({
      agent: { appearance: { cards: true }, model: { ...model, script } },
    });
    const id = await create([message('x')]);
    await settled();
    await call('POST', `/sessions/${id}`, { title: `T\n# <b>` });

    const text = await (await call('GET', `/sessions/${id}/export`)).text();

    const linesOutsideQuotes = text
      .split(/[\n\r\u2028]/)
      .filter((line) => line !== '' && !line.startsWith('>'));
    expect(linesOutsideQuotes).toEqual([
      '# T \\# \\<b\\>',
      expect.stringMatching(/ · ses_[\w-]+$/),
      expect.stringMatching(/^\*\*You\*\* · \S+$/),
      expect.stringMatching(/^\*\*Test agent\*\* · \S+$/),
      expect.stringMatching(/^\*\*Test agent\*\* · \S+$/),
    ]);
    expect(text).toContain('<https://a.example/b%20c%3E)');
    expect(text).not.toMatch(/[^\\]<!--/);
  });

  it('escapes character references and list markers in texts that are not Markdown', async () => {
    const titles = [
      'R&D &lt;b&gt;',
      '&amp;copy; &#38;',
      '1. Choose',
      '2) Pay',
      '- x',
      '+',
      '3.5 km',
    ];
    const card = { blocks: [{ type: 'list', items: titles.map((title) => ({ title })) }] };
    const { call, create, settled } = await setup({
      agent: {
        appearance: { cards: true },
        model: { ...model, script: [{ call: 'show_card', input: card }] },
      },
    });
    const id = await create([message('x')]);
    await settled();

    const text = await (await call('GET', `/sessions/${id}/export`)).text();

    expect(text.split('\n').filter((line) => line.startsWith('> -'))).toEqual([
      '> - R&D \\&lt;b\\&gt;',
      '> - \\&amp;copy; &\\#38;',
      '> - 1\\. Choose',
      '> - 2\\) Pay',
      '> - \\- x',
      '> - \\+',
      '> - 3.5 km',
    ]);
  });

  it('is rejected if `features.export` is false, the format is unknown, or the user is not the owner', async () => {
    const { call, create, issue } = await setup();
    const withoutFeature = await setup({ agent: { appearance: { features: { export: false } } } });
    const id = await create([message('x')]);
    const { token: eve } = await issue('eve');

    const refused = await withoutFeature.call(
      'GET',
      `/sessions/${await withoutFeature.create([])}/export`,
    );
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
  it('also deletes the files to which no other session refers', async () => {
    const { call, create, file, attached, blobs, settled } = await setup();
    const [alone, shared] = [await file('a'), await file('b')];
    const id = await create([attached(alone), attached(shared)]);
    const other = await create([attached(shared)]);
    await settled();

    await call('DELETE', `/sessions/${id}`);

    await expect.poll(blobs).toEqual([shared]);
    expect((await call('GET', `/files/${alone}/content`)).status).toBe(404);
    expect((await call('GET', `/files/${shared}/content`)).status).toBe(200);
    await call('DELETE', `/sessions/${other}`);
    await expect.poll(blobs).toEqual([]);
  });

  it('keeps uploads that are not part of a message yet', async () => {
    const { call, create, file, blobs } = await setup();
    const waiting = await file('a');

    await call('DELETE', `/sessions/${await create([])}`);

    expect(blobs()).toEqual([waiting]);
  });

  it('keeps a file if another session accepts a message with the file at the same time', async () => {
    const { call, create, file, attached, settled } = await setup();
    const id = await file('a');
    const [withFile, withoutFile] = [await create([attached(id)]), await create([])];
    await settled();

    const [, sent] = await Promise.all([
      call('DELETE', `/sessions/${withFile}`),
      call('POST', `/sessions/${withoutFile}/events`, { events: [attached(id)] }),
    ]);

    const content = await call('GET', `/files/${id}/content`);
    expect([sent.status, content.status]).toEqual(sent.status === 200 ? [200, 200] : [400, 404]);
  });

  it('deletes the stored response of the idempotent request that created the conversation', async () => {
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

    const storedResponses = JSON.stringify(
      await store.db.selectFrom('idempotency').selectAll().execute(),
    );
    expect(storedResponses).toContain('kept');
    expect(storedResponses).not.toContain('secret');
  });

  it('leaves no feedback, even if feedback is sent at the same time', async () => {
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

    const feedback = () => store.db.selectFrom('feedback').selectAll().execute();
    await expect.poll(feedback).toEqual([]);
  });

  it('is rejected if `features.delete` is false', async () => {
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
