import { describe, expect, it } from 'vitest';
import { expectError, setupChatModel } from '../testing/setup-chat-model.ts';
import { json, type Replay } from '../testing/setup-gateway.ts';

const day = 86_400_000;
const videoBytes = Buffer.from('\x00\x00\x00\x18ftypmp42 film', 'latin1');

/** A catalogue with the model `m`, whose budget is enough for one video of four seconds. */
const limitedModel = {
  prices: { m: { video_second_cents: 5 } },
  models: [
    {
      id: 'm',
      supported_apis: ['videos' as const],
      budget_cents_per_month: 20,
      providers: [{ provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 }],
    },
  ],
};

/**
 * Serves the family, with an upstream whose tasks the test can change.
 *
 * @param options.upstreamTask Members of each task that the upstream creates.
 * @param options.endsContent False if the upstream never ends the content of a video.
 */
async function setup({
  upstreamTask,
  endsContent = true,
  ...options
}: Parameters<typeof setupChatModel>[1] & { upstreamTask?: object; endsContent?: boolean } = {}) {
  const tasks = new Map<string, Record<string, unknown>>();
  const vendor: Replay = async (response, call) => {
    const [, id = '', content] =
      /^\/vendor\/v1\/videos\/?([^/?]*)(\/content)?/.exec(call.url) ?? [];
    if (content) {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': videoBytes.length });
      return endsContent ? response.end(videoBytes) : response.flushHeaders();
    }
    if (call.method === 'POST') {
      // `body` rejects if the request was not sent completely.
      await call.body;
      const task = {
        id: `up/${tasks.size + 1}`,
        object: 'video',
        status: 'queued',
        seconds: '4',
        ...upstreamTask,
      };
      tasks.set(task.id, task);
      return json(task)(response, call);
    }
    const key = decodeURIComponent(id);
    const task = tasks.get(key);
    if (!task) return json({ error: { message: 'Unknown task', code: 'x' } }, 404)(response, call);
    if (call.method === 'DELETE') tasks.delete(key);
    return json(task)(response, call);
  };
  const server = await setupChatModel(vendor, options);
  return {
    ...server,
    tasks,
    create: async (headers?: object) =>
      (await server.call('POST', '/videos', { prompt: 'A cat', model: 'm' }, headers)).body,
    /** Changes all tasks of the upstream. */
    change: (fields: object) => {
      for (const task of tasks.values()) Object.assign(task, fields);
    },
  };
}

describe('a video of the chat-model family', () => {
  it('4.13.8: can be created, polled and downloaded', async () => {
    const { call, calls, change, create, send } = await setup();

    const created = await create();

    expect(created).toEqual({
      id: expect.stringMatching(/^video_[\w-]{22}$/),
      object: 'video',
      status: 'queued',
      seconds: '4',
    });
    expect(JSON.parse(String(await calls[0]?.body))).toEqual({ prompt: 'A cat', model: 'm' });
    const read = async () => (await call('GET', `/videos/${created.id}`)).body;
    expect(await read()).toEqual(created);
    change({ status: 'in_progress', progress: 50 });
    expect(await read()).toEqual({ ...created, status: 'in_progress', progress: 50 });
    change({ status: 'completed', progress: 100 });
    expect(await read()).toMatchObject({ id: created.id, status: 'completed' });
    const content = await send(`/chat-model/v1/videos/${created.id}/content`);
    expect(content.headers.get('content-type')).toBe('video/mp4');
    expect(Buffer.from(await content.arrayBuffer())).toEqual(videoBytes);
    expect(calls.at(-1)?.url).toBe('/vendor/v1/videos/up%2F1/content?variant=video');
  });

  it('is not downloaded from the upstream for a HEAD request', async () => {
    const { calls, change, create, send } = await setup({ endsContent: false });
    const { id } = await create();
    change({ status: 'completed' });

    const response = await send(`/chat-model/v1/videos/${id}/content`, { method: 'HEAD' });

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('video/mp4');
    await calls.at(-1)?.disconnected;
  });

  it('4.13.8: can be created from a form with an image, which is forwarded', async () => {
    const { calls, send } = await setup();
    const form = new FormData();
    form.append('prompt', 'A cat');
    form.append('input_reference', new File(['image'], 'cat.png', { type: 'image/png' }));

    const response = await send('/chat-model/v1/videos', { method: 'POST', body: form });

    expect(response.status).toBe(200);
    const [call] = calls;
    const received = await new Response(new Uint8Array((await call?.body) ?? []), {
      headers: { 'content-type': call?.headers['content-type'] ?? '' },
    }).formData();
    expect(received.get('prompt')).toBe('A cat');
    expect(await (received.get('input_reference') as File).text()).toBe('image');
  });

  it('4.13.8: has the error of the upstream if it failed', async () => {
    const { call, change, create } = await setup();
    const { id } = await create();

    change({ status: 'failed', error: { code: 'moderation', message: 'No' } });

    expect((await call('GET', `/videos/${id}`)).body).toMatchObject({
      id,
      status: 'failed',
      error: { code: 'moderation', message: 'No' },
    });
  });

  it.each(['queued', 'in_progress', 'failed'])(
    '4.13.8: cannot be downloaded while its status is %s',
    async (status) => {
      const { call, change, create } = await setup();
      const { id } = await create();
      change({ status });

      const refused = await call('GET', `/videos/${id}/content`);

      expectError(refused, { status: 409, code: 'video_not_ready', message: status });
      expect(refused.headers.get('x-should-retry')).toBe('false');
    },
  );

  it('4.13.8: can be downloaded as a thumbnail, but not as a spritesheet, and only with the index 0', async () => {
    const { call, calls, change, create, send } = await setup();
    const { id } = await create();
    change({ status: 'completed' });
    const path = `/videos/${id}/content`;

    expect((await send(`/chat-model/v1${path}?variant=thumbnail&index=0`)).status).toBe(200);
    expect(calls.at(-1)?.url).toContain('variant=thumbnail');
    const refused = { status: 400, code: 'validation_error' };
    expectError(await call('GET', `${path}?variant=spritesheet`), { ...refused, param: 'variant' });
    expectError(await call('GET', `${path}?index=1`), { ...refused, param: 'index' });
  });

  it('4.13.8: is listed with its current status, in pages', async () => {
    const { call, change, clock, create } = await setup();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      clock.advance(1000);
      ids.push((await create()).id);
    }
    change({ status: 'completed' });
    const list = async (query: string) => (await call('GET', `/videos${query}`)).body;
    const positions = ({ data }: { data: { id: string }[] }) =>
      data.map(({ id }) => ids.indexOf(id));

    const first = await list('?limit=2');
    expect(first).toMatchObject({
      object: 'list',
      first_id: ids[2],
      last_id: ids[1],
      has_more: true,
      data: [{ status: 'completed' }, { status: 'completed' }],
    });
    expect(positions(first)).toEqual([2, 1]);
    expect(positions(await list(`?limit=2&after=${ids[1]}`))).toEqual([0]);
    expect(positions(await list('?order=asc'))).toEqual([0, 1, 2]);
    for (const [query, param] of [
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['order=up', 'order'],
      ['after=video_none', 'after'],
    ]) {
      expectError(await call('GET', `/videos?${query}`), { status: 400, param: param ?? '' });
    }
  });

  it('4.13.8: has its status requested from the upstream only if it is on the listed page', async () => {
    const { call, calls, create } = await setup();
    for (let count = 0; count < 3; count += 1) await create();
    const { length } = calls;

    const { body } = await call('GET', '/videos?limit=2');

    expect(body).toMatchObject({ has_more: true, data: [{}, {}] });
    expect(calls.slice(length).map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it('belongs to the tenant: another API key reads, lists and deletes it', async () => {
    const { call, create, otherKey } = await setup();
    const video = await create();
    const { headers } = await otherKey();
    const path = `/videos/${video.id}`;

    expect((await call('GET', path, undefined, headers)).body.id).toBe(video.id);
    expect((await call('GET', '/videos', undefined, headers)).body.data).toHaveLength(1);
    expect((await call('DELETE', path, undefined, headers)).body).toMatchObject({ deleted: true });
    expectError(await call('GET', path), { status: 404, code: 'video_not_found' });
  });

  it('4.13.8: is not found if its id is unknown, or it was deleted', async () => {
    const { call, create, tasks } = await setup();
    const { id } = await create();
    const refusal = { status: 404, code: 'video_not_found' };

    for (const path of ['/videos/video_none', '/videos/video_none/content']) {
      expectError(await call('GET', path), refusal);
    }

    const deleted = { id, object: 'video.deleted', deleted: true };
    expect((await call('DELETE', `/videos/${id}`)).body).toEqual(deleted);
    expect(tasks.size).toBe(0);
    expectError(await call('GET', `/videos/${id}`), refusal);
    expectError(await call('DELETE', `/videos/${id}`), refusal);
  });

  it('4.13.8: is billed once, by its length in seconds, when it is completed', async () => {
    const { call, change, create, store } = await setup({
      config: { prices: { 'sora-x': { video_second_cents: 5 } } },
    });
    const costs = () => store.db.selectFrom('model_months').selectAll().execute();
    const [completed, failed] = [await create(), await create()];

    change({ model: 'sora-x', status: 'in_progress' });
    await call('GET', `/videos/${completed.id}`);
    expect(await costs()).toEqual([]);
    change({ status: 'failed' });
    await call('GET', `/videos/${failed.id}`);
    expect(await costs()).toEqual([]);

    change({ status: 'completed' });
    await Promise.all([1, 2, 3].map(() => call('GET', `/videos/${completed.id}`)));
    change({ progress: 100 });
    await call('GET', `/videos/${completed.id}`);

    expect(await costs()).toMatchObject([{ model: 'sora-x', spent_microcents: 4 * 5 * 1_000_000 }]);
  });

  describe('of a model of the catalogue', () => {
    const setupModel = async (upstreamTask: object) => {
      const server = await setup({ config: limitedModel, upstreamTask });
      return {
        ...server,
        costs: () => server.store.db.selectFrom('model_months').selectAll().execute(),
      };
    };
    const cost = [{ model: 'm', spent_microcents: 4 * 5 * 1_000_000 }];

    it.each([{ model: 'm-2026-01-01' }, { model: undefined }])(
      '8.3.5: is billed to the model of the request if the upstream returns %j',
      async (named) => {
        const { call, change, costs, create } = await setupModel(named);
        const { id } = await create();

        change({ status: 'completed' });
        await call('GET', `/videos/${id}`);

        expect(await costs()).toMatchObject(cost);
        expect((await call('POST', '/videos', { prompt: 'x', model: 'm' })).status).toBe(429);
      },
    );

    it('is billed to the model of its form', async () => {
      const { call, change, costs, send } = await setupModel({ model: 'm-2026-01-01' });
      const form = new FormData();
      form.append('model', 'm');
      form.append('prompt', 'A cat');
      const created = await send('/chat-model/v1/videos', { method: 'POST', body: form });
      const { id } = (await created.json()) as { id: string };

      change({ status: 'completed' });
      await call('GET', `/videos/${id}`);

      expect(await costs()).toMatchObject(cost);
    });

    it('is billed once if it is completed at its creation', async () => {
      const { call, change, costs, create } = await setupModel({ status: 'completed' });

      const { id } = await create();
      expect(await costs()).toMatchObject(cost);
      change({ progress: 100 });
      await call('GET', `/videos/${id}`);

      expect(await costs()).toMatchObject(cost);
    });

    it('is billed if it is deleted after its completion, before its status was read', async () => {
      const { call, change, costs, create } = await setupModel({});
      const { id } = await create();

      change({ status: 'completed' });
      await call('DELETE', `/videos/${id}`);

      expect(await costs()).toMatchObject(cost);
    });
  });

  describe('reserves its cost in the budget of its model', () => {
    const request = { prompt: 'A cat', model: 'm' };

    it('until it ends', async () => {
      const server = await setup({ config: limitedModel });
      const { call, change, clock, store } = server;
      const ends: ((id: string) => Promise<unknown>)[] = [
        (id) => {
          change({ status: 'failed' });
          return call('GET', `/videos/${id}`);
        },
        (id) => call('DELETE', `/videos/${id}`),
        async () => {
          clock.advance(31 * day);
          await expect
            .poll(() => store.db.selectFrom('model_reservations').selectAll().execute())
            .toEqual([]);
        },
      ];

      for (const end of ends) {
        const created = await call('POST', '/videos', request);
        const refused = await call('POST', '/videos', request);
        await end(created.body.id);

        expect([created.status, refused.status]).toEqual([200, 429]);
        expect(refused.body.error.type).toBe('rate_limit_error');
      }
      const months = await store.db.selectFrom('model_months').selectAll().execute();
      expect(months.map((month) => Number(month.reserved_microcents))).toEqual([0]);
    });

    it.each(['json', 'form'])('by the `seconds` of its %s', async (kind) => {
      const upstreamTask = { seconds: undefined };
      const { call, send } = await setup({ config: limitedModel, upstreamTask });
      const create = async () => {
        if (kind === 'json')
          return (await call('POST', '/videos', { ...request, seconds: '2' })).status;
        const form = new FormData();
        for (const [name, value] of Object.entries({ ...request, seconds: '2' })) {
          form.append(name, value);
        }
        return (await send('/chat-model/v1/videos', { method: 'POST', body: form })).status;
      };

      const statuses = [await create(), await create(), await create()];

      expect(statuses).toEqual([200, 200, 429]);
    });

    it('by the `seconds` of its task, if the request names none', async () => {
      const { call } = await setup({ config: limitedModel, upstreamTask: { seconds: '2' } });
      const create = async () =>
        (await call('POST', '/videos', { ...request, seconds: '2' })).status;

      const first = (await call('POST', '/videos', request)).status;

      expect([first, await create(), await create()]).toEqual([200, 200, 429]);
    });

    it('unless the upstream refuses it', async () => {
      const refusal = json({ error: { message: 'No' } }, 400);
      const { call, store } = await setupChatModel(refusal, { config: limitedModel });

      expect((await call('POST', '/videos', request)).status).toBe(400);

      expect(await store.db.selectFrom('model_reservations').selectAll().execute()).toEqual([]);
    });
  });

  it('is refused if the monthly budget of its model is used up', async () => {
    const { call, calls, change, create, store } = await setup({ config: limitedModel });
    const { id } = await create();
    change({ model: 'm', status: 'completed' });
    await call('GET', `/videos/${id}`);
    expect(await store.db.selectFrom('model_months').selectAll().execute()).toHaveLength(1);
    const { length } = calls;

    const refused = await call('POST', '/videos', { prompt: 'A cat', model: 'm' });

    expect(refused).toMatchObject({
      status: 429,
      body: { error: { type: 'budget_error', code: 'quota_exhausted' } },
    });
    expect(refused.headers.get('retry-after')).toBeNull();
    expect(calls).toHaveLength(length);
  });

  describe('from a form', () => {
    const videoModel = {
      id: 'm',
      supported_apis: ['videos' as const],
      providers: [{ provider: 'scripted' as const }],
    };
    const usedUp = {
      config: {
        prices: { m: { video_second_cents: 5 } },
        models: [{ ...videoModel, budget_cents_per_month: 0 }],
      },
    };
    const part = (disposition: string, value: string) =>
      `--edge\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
    const end = '--edge--\r\n';
    const model = part('name="model"', 'm');
    /** Sends the pieces of a form one by one. */
    const sendForm = async (
      { send }: Pick<Awaited<ReturnType<typeof setup>>, 'send'>,
      pieces: Iterable<string>,
      contentType = 'multipart/form-data; boundary=edge',
    ) => {
      const init = {
        method: 'POST',
        headers: { 'content-type': contentType },
        body: new ReadableStream({
          start(controller) {
            for (const piece of pieces) controller.enqueue(Buffer.from(piece));
            controller.close();
          },
        }),
        duplex: 'half',
      };
      const response = await send('/chat-model/v1/videos', init);
      return { status: response.status, headers: response.headers, body: await response.json() };
    };

    it('8.3.5: is refused if the monthly budget of `model` is used up, even if `model` follows the file', async () => {
      const server = await setup(usedUp);
      const file = part('name="input_reference"; filename="a.png"', 'x'.repeat(300_000));

      const refused = await sendForm(server, [file, file, model, end]);

      expect(refused).toMatchObject({ status: 429, body: { error: { type: 'budget_error' } } });
      expect(server.calls).toHaveLength(1);
      await expect(server.calls[0]?.body).rejects.toThrow();
      expect(await server.store.db.selectFrom('chat_model_videos').selectAll().execute()).toEqual(
        [],
      );
    });

    it.each([
      part('name="mo\\del"', 'm'),
      part('name="m%6fdel"', 'm'),
      part('name="model"\r\ncontent-transfer-encoding: base64', 'bQ=='),
      part('name="model"', 'other') + model,
      part('name="prompt"', 'a'.repeat(2_000_000)),
    ])('is refused if it is a form that parsers read differently: %j', async (form) => {
      const server = await setup(usedUp);

      const refused = await sendForm(server, [form, end]);

      expect(refused.status).toBe(400);
      expect(server.tasks.size).toBe(0);
    });

    it.each([
      ['two names', part('name="model"; name="seconds"', 'm')],
      [
        'two dispositions',
        part('name="seconds"\r\ncontent-disposition: form-data; name="model"', 'm'),
      ],
      ['an attachment', '--edge\r\ncontent-disposition: attachment; name="model"\r\n\r\nm\r\n'],
      ['a part before the first delimiter', `\r\n${model.replaceAll('edge', 'other')}`],
    ])('reaches the upstream only as the parts that were checked: %s', async (_, hidden) => {
      const server = await setup(usedUp);

      for (const size of [1, hidden.length]) {
        const form = hidden + part('name="prompt"', 'A cat') + end;
        const pieces = form.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
        expect((await sendForm(server, pieces)).status).toBe(200);

        const { headers, body } = server.calls.at(-1) ?? {};
        const text = String(await body);
        expect(text).not.toContain('model');
        const type = headers?.['content-type'] ?? '';
        const received = new Response(text, { headers: { 'content-type': type } });
        expect((await received.formData()).get('prompt')).toBe('A cat');
      }
    });

    it('reaches the upstream with all bytes and names of its files', async () => {
      const server = await setup(usedUp);
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
      const form = new FormData();
      form.append('input_reference', new File([bytes], 'Katze "1".png', { type: 'image/png' }));
      form.append('prompt', 'Eine Katze, 猫\r\n--edge');
      form.append('mask[]', new File(['\r\n'], 'b.bin'));

      expect(
        (await server.send('/chat-model/v1/videos', { method: 'POST', body: form })).status,
      ).toBe(200);

      const { headers, body } = server.calls[0] ?? {};
      const received = await new Response(new Uint8Array((await body) ?? []), {
        headers: { 'content-type': headers?.['content-type'] ?? '' },
      }).formData();
      expect([...received.keys()]).toEqual(['input_reference', 'prompt', 'mask[]']);
      const file = received.get('input_reference') as File;
      expect([file.name, file.type]).toEqual(['Katze "1".png', 'image/png']);
      expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
      expect(received.get('prompt')).toBe('Eine Katze, 猫\r\n--edge');
      expect(await (received.get('mask[]') as File).text()).toBe('\r\n');
    });

    it.each([402, 403, 404, 500, 503])(
      'fails with `provider_unavailable` if the upstream responds with %d',
      async (status) => {
        const error = json({ error: { message: 'No', type: 'x' } }, status);
        const { call } = await setupChatModel(error, { config: { models: [videoModel] } });

        const failed = await call('POST', '/videos', { prompt: 'A cat', model: 'm' });

        expectError(failed, { status: 502, code: 'provider_unavailable' });
      },
    );

    it.each([
      '{"model":"m","seed":NaN}',
      '{"model":"m",}',
      '{"model":"m"/**/}',
      '{"model"',
      '['.repeat(100_000) + ']'.repeat(100_000),
    ])('is refused as JSON that only some parsers accept: %.40s', async (body) => {
      const { send, calls } = await setup(usedUp);

      const { status } = await send('/chat-model/v1/videos', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });

      expect([status, calls.length]).toEqual([400, 0]);
    });

    it('8.3.2: is refused if its model has had too many requests in this minute', async () => {
      const server = await setup({
        config: { models: [{ ...videoModel, requests_per_minute: 1 }] },
      });
      const pieces = [part('name="prompt"', 'A cat'), model, end];
      expect((await sendForm(server, pieces)).status).toBe(200);

      const refused = await sendForm(server, pieces);

      expect(refused).toMatchObject({ status: 429, body: { error: { type: 'rate_limit_error' } } });
      expect(refused.headers.get('retry-after')).toBe('60');
    });

    it('8.3.5: is refused if the monthly budget is used up, however the form is divided into chunks', async () => {
      const server = await setup(usedUp);
      const form = part('name="prompt"', 'A cat') + model + end;

      for (const size of [1, 7, 64, form.length]) {
        const pieces = form.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
        expect(await sendForm(server, pieces)).toMatchObject({
          status: 429,
          body: { error: { type: 'budget_error' } },
        });
      }
      expect(server.tasks.size).toBe(0);
    });

    it('is refused if `model` cannot be read from the form', async () => {
      const server = await setup(usedUp);
      const many = Array.from({ length: 101 }, () => part('name="x"', ''));

      const invalid: [string[], string?][] = [
        [[part('name="prompt"', 'A cat'), '--edge\r\ncontent-disposition: form-data; name="mo']],
        [[...many, model, end]],
        [[part('name="model"; filename="m"', 'm'), end]],
        [[model, end], 'multipart/form-data; boundary=other; boundary=edge'],
      ];
      for (const [pieces, type] of invalid) {
        expectError(await sendForm(server, pieces, type), { status: 400 });
      }
      expectError(await sendForm(server, ['model=m'], 'application/x-www-form-urlencoded'), {
        status: 415,
        message: 'multipart/form-data',
      });
      expect(server.tasks.size).toBe(0);
    });
  });

  it('fails with the unchanged error of the upstream, and is not stored', async () => {
    const error = {
      message: 'Too long',
      type: 'invalid_request_error',
      param: 'seconds',
      code: 'x',
    };
    const { call, store } = await setupChatModel(json({ error }, 400));

    const { status, body } = await call('POST', '/videos', { prompt: 'x', seconds: '99' });

    expect({ status, body }).toEqual({ status: 400, body: { error } });
    expect(await store.db.selectFrom('chat_model_videos').selectAll().execute()).toEqual([]);
  });

  it('is deleted `retention.responses_days` after its creation', async () => {
    const { call, clock, create, store } = await setup({
      config: { retention: { responses_days: 2 } },
    });
    const { id } = await create();

    clock.advance(2 * day);

    expectError(await call('GET', `/videos/${id}`), { status: 404, code: 'video_not_found' });
    const rows = () => {
      clock.advance(3_600_000);
      return store.db.selectFrom('chat_model_videos').selectAll().execute();
    };
    await expect.poll(rows).toEqual([]);
  });

  it('requires an upstream', async () => {
    const { call } = await setup({ config: { compatible: {} } });

    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { prompt: 'x' } : undefined;
      expectError(await call(method, '/videos', body), { status: 501, code: 'not_implemented' });
    }
  });
});
