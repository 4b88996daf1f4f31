import { describe, expect, it } from 'vitest';
import { expectError, responseModel, setupChatModel } from '../testing/setup-chat-model.ts';
import { json, type Replay, replayUpstream } from '../testing/setup-gateway.ts';

const message = {
  type: 'message',
  id: 'msg_0123456789abcdef0123456789abcdef',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Done', annotations: [] }],
};
const completedResponse = {
  id: 'resp_u',
  object: 'response',
  status: 'completed',
  output: [message],
};
/** `message` with an id of the platform, as callers get it. */
const issuedMessage = { ...message, id: expect.stringMatching(/^msg_[\w-]{22}$/) };
/** An upstream that never responds. */
const neverRespond: Replay = () => {};

async function setup(
  replay: Replay = json(completedResponse),
  options?: Parameters<typeof setupChatModel>[1],
) {
  const server = await setupChatModel(replay, options);
  const { call, clock } = server;
  return {
    ...server,
    create: async (fields: object = {}) =>
      (await call('POST', '/responses', { model: 'm', input: 'Hi', background: true, ...fields }))
        .body,
    read: async (id: string) => (await call('GET', `/responses/${id}`)).body,
    cancel: (id: string) => call('POST', `/responses/${id}/cancel`),
    /** Polls the status, and advances the clock by `step` milliseconds before each request. */
    statusOf: (id: string, step = 0) =>
      expect.poll(async () => {
        clock.advance(step);
        return (await call('GET', `/responses/${id}`)).body.status;
      }),
  };
}

/** Two processes with one store. The second process starts while the first one executes a response. */
async function setupTwoProcesses(
  firstReplay: Replay,
  secondReplay: Replay = json(completedResponse),
) {
  const first = await setup(firstReplay);
  const response = await first.create();
  await expect.poll(() => first.calls.length).toBe(1);
  const second = await setup(secondReplay, { sharedStore: first.store, seed: 'two' });
  return { first, second, response };
}

describe('a background response', () => {
  it('4.13.3: is queued, executed, and can then be read like other responses', async () => {
    const { call, calls, create, read, statusOf } = await setup();

    const queued = await create({ metadata: { a: 'b' }, vendor_option: 1 });

    expect(queued).toMatchObject({
      id: expect.stringMatching(/^resp_[\w-]{22}$/),
      object: 'response',
      status: 'queued',
      background: true,
      store: true,
      model: 'm',
      metadata: { a: 'b' },
      output: [],
      error: null,
    });
    await statusOf(queued.id).toBe('completed');
    expect(await read(queued.id)).toEqual({
      ...completedResponse,
      output: [issuedMessage],
      id: queued.id,
      background: true,
      store: true,
      previous_response_id: null,
    });
    expect(JSON.parse(String(await calls[0]?.body))).toEqual({
      model: 'm',
      input: [{ role: 'user', content: 'Hi' }],
      metadata: { a: 'b' },
      vendor_option: 1,
      store: false,
      stream: false,
    });
    const { data } = (await call('GET', `/responses/${queued.id}/input_items`)).body;
    expect(data).toMatchObject([{ role: 'user', content: [{ text: 'Hi' }] }]);
  });

  it('can continue a conversation or a response, and can be continued after it has ended', async () => {
    const { call, calls, create, statusOf } = await setup();
    const { body: conversation } = await call('POST', '/conversations', {});
    const inConversation = await create({ conversation: conversation.id });
    await statusOf(inConversation.id).toBe('completed');
    const first = await create();
    await statusOf(first.id).toBe('completed');

    const second = await create({ previous_response_id: first.id, input: 'More' });

    await statusOf(second.id).toBe('completed');
    expect(JSON.parse(String(await calls[2]?.body)).input).toEqual([
      { role: 'user', content: 'Hi' },
      issuedMessage,
      { role: 'user', content: 'More' },
    ]);
    const { data } = (await call('GET', `/conversations/${conversation.id}/items`)).body;
    expect(data).toMatchObject([{ role: 'user' }, { role: 'assistant' }]);
  });

  it('cannot be continued before it has ended', async () => {
    const { call, create } = await setup(neverRespond);
    const { id } = await create();

    const refused = await call('POST', '/responses', {
      model: 'm',
      input: 'More',
      previous_response_id: id,
    });

    expectError(refused, { status: 400, param: 'previous_response_id', message: 'not ended' });
  });

  it('4.13.3: is cancelled, and a second cancellation returns the same response', async () => {
    const { calls, cancel, create, read, statusOf } = await setup(neverRespond);
    const { id } = await create();
    await statusOf(id).toBe('in_progress');
    await expect.poll(() => calls.length).toBe(1);

    const { status, body } = await cancel(id);

    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'cancelled', background: true, output: [] });
    await calls[0]?.disconnected;
    expect((await cancel(id)).body).toEqual(body);
    expect(await read(id)).toEqual(body);
  });

  it('4.13.3: is returned unchanged if it is cancelled after it has ended', async () => {
    const { cancel, create, read, statusOf } = await setup();
    const { id } = await create();
    await statusOf(id).toBe('completed');
    const ended = await read(id);

    expect((await cancel(id)).body).toEqual(ended);
    expect((await cancel(id)).body).toEqual(ended);
  });

  it('4.13.3: is cancelled with another API key of the tenant', async () => {
    const { call, create, otherKey } = await setup(neverRespond);
    const { id } = await create();
    const { headers } = await otherKey();

    const cancelled = await call('POST', `/responses/${id}/cancel`, undefined, headers);

    expect(cancelled.body).toMatchObject({ id, status: 'cancelled' });
  });

  it('4.13.3: cannot be cancelled after it was deleted', async () => {
    const { call, calls, cancel, create } = await setup(neverRespond);
    const { id } = await create();
    const refusal = { status: 404, code: 'object_not_found' };

    await expect.poll(() => calls.length).toBe(1);
    await call('DELETE', `/responses/${id}`);
    expectError(await cancel(id), refusal);
    await calls[0]?.disconnected;
  });

  it('is not executed if it is cancelled while queued', async () => {
    const { calls, cancel, create, statusOf } = await setup(neverRespond, {
      config: { limits: { process: { background_responses: 1 } } },
    });
    const first = await create();
    await statusOf(first.id).toBe('in_progress');
    const second = await create();
    const third = await create();
    await statusOf(second.id).toBe('queued');

    await cancel(second.id);
    await cancel(first.id);

    await statusOf(third.id).toBe('in_progress');
    await statusOf(second.id).toBe('cancelled');
    await expect.poll(() => calls.length).toBe(2);
  });

  it('is not executed while the process executes its maximum of responses', async () => {
    const { calls, create, read } = await setup(neverRespond, {
      config: { limits: { process: { background_responses: 2 } } },
    });
    const created = await Promise.all(Array.from({ length: 12 }, () => create()));
    await expect.poll(() => calls.length).toBe(2);

    const statuses = await Promise.all(created.map(async ({ id }) => (await read(id)).status));
    expect(statuses.toSorted()).toEqual([
      ...Array(2).fill('in_progress'),
      ...Array(10).fill('queued'),
    ]);
    expect(calls).toHaveLength(2);
  });

  it('has no `input` for the upstream if the request has only a `prompt`', async () => {
    const { calls, create, statusOf } = await setup();
    const { id } = await create({ input: undefined, prompt: { id: 'pmpt_1' } });
    await statusOf(id).toBe('completed');

    expect(calls[0]?.body).not.toHaveProperty('input');
  });

  it.each<[string, Replay, object]>([
    [
      'rejects the request',
      json({ error: { message: 'No such model' } }, 400),
      { code: 'invalid_prompt', message: 'No such model' },
    ],
    [
      'responds with 503',
      json({ error: { message: 'Busy' } }, 503),
      { code: 'server_error', message: 'Busy' },
    ],
    [
      'returns an invalid body',
      json('x'),
      { code: 'server_error', message: 'The upstream returned an invalid response.' },
    ],
    [
      'closes the connection',
      (response) => response.destroy(),
      { code: 'server_error', message: expect.stringContaining('does not respond') },
    ],
  ])('has the status `failed` and an error if the upstream %s', async (_, replay, error) => {
    const { create, read, statusOf } = await setup(replay);

    const { id } = await create();

    await statusOf(id).toBe('failed');
    expect(await read(id)).toMatchObject({ id, status: 'failed', error, output: [] });
  });

  it('is taken over by another process when the lease of its process expires, and a late result of the first process is ignored', async () => {
    let answer = async () => {};
    const { first, second, response } = await setupTwoProcesses((reply, call) => {
      answer = async () => json({ ...completedResponse, output: [] })(reply, call) as Promise<void>;
    });

    // The clock of the first process stands still, so that the process has no heartbeat.
    await second.statusOf(response.id, 1000).toBe('completed');
    const ended = await second.read(response.id);
    await answer();
    await first.app.close();

    expect(await second.read(response.id)).toEqual(ended);
    expect(second.calls).toHaveLength(1);
    expect(ended.output).toHaveLength(1);
  });

  it('is not taken over by another process while its process is alive', async () => {
    const { first, second, response } = await setupTwoProcesses(neverRespond);
    const query = first.store.db
      .selectFrom('workers')
      .innerJoin('chat_model_responses', 'chat_model_responses.worker', 'workers.id')
      .select('heartbeat_at');
    const heartbeat = async () => Number((await query.executeTakeFirstOrThrow()).heartbeat_at);

    for (const end = second.clock.now() + 30_000; second.clock.now() < end; ) {
      const before = await heartbeat();
      const renewed = () => {
        first.clock.advance(1000);
        return heartbeat();
      };
      await expect.poll(renewed).toBeGreaterThan(before);
      // Advances the clock of the second process to the last millisecond in which the first is alive.
      second.clock.advance((await heartbeat()) + 5999 - second.clock.now());
    }

    await second.statusOf(response.id).toBe('in_progress');
    expect([first.calls.length, second.calls.length]).toEqual([1, 0]);
  });

  it('is taken over by another process immediately when its process shuts down', async () => {
    const { first, second, response } = await setupTwoProcesses(neverRespond);

    await first.app.close();

    await second.statusOf(response.id, 100).toBe('completed');
    expect(second.clock.now() - first.clock.now()).toBeLessThan(6000);
  });

  it('is aborted in the process that executes it when another process cancels it', async () => {
    const { first, second, response } = await setupTwoProcesses(neverRespond);

    expect((await second.cancel(response.id)).body.status).toBe('cancelled');
    first.clock.advance(2000);

    await first.calls[0]?.disconnected;
    await first.statusOf(response.id).toBe('cancelled');
  });

  it('fails after three processes have stopped during its execution', async () => {
    const { create, store, clock, calls, read } = await setup(neverRespond);
    const { id } = await create();
    await expect.poll(() => calls.length).toBe(1);
    for (const seed of ['two', 'three', 'four']) {
      const next = await setup(neverRespond, { sharedStore: store, seed });
      next.clock.advance(clock.now() - next.clock.now());
      const attempts = () => {
        next.clock.advance(2000);
        clock.advance(0);
        return store.db
          .selectFrom('chat_model_responses')
          .select('attempt')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
      };
      const expected = ['two', 'three', 'four'].indexOf(seed) + 2;
      await expect.poll(async () => Number((await attempts()).attempt)).toBe(expected);
    }

    await expect.poll(async () => (await read(id)).status).toBe('failed');
    expect((await read(id)).error).toMatchObject({ code: 'server_error' });
  });
});

describe('a background response of a model of the catalogue', () => {
  const model = 'acme/large';
  const answer = { ...completedResponse, usage: { input_tokens: 600, output_tokens: 500 } };

  /** Serves the model with one provider for each replay, and without an upstream of the family. */
  async function setupModel(replays: Replay[], fields?: Parameters<typeof responseModel>[1]) {
    const providers = await Promise.all(replays.map(replayUpstream));
    const urls = providers.map(({ url }) => url);
    const server = await setup(undefined, {
      config: { ...responseModel(urls, fields), compatible: {} },
    });
    return {
      ...server,
      providers: providers.map(({ calls }) => calls),
      costs: async () => {
        const rows = await server.store.db.selectFrom('model_months').selectAll().execute();
        return rows.map((row) => Number(row.spent_microcents));
      },
    };
  }

  it('is executed by the next provider if the first one fails', async () => {
    const { create, providers, statusOf } = await setupModel([json({}, 503), json(answer)]);

    const { id } = await create({ model });

    await statusOf(id).toBe('completed');
    const [sent] = providers[1] ?? [];
    expect(JSON.parse(String(await sent?.body))).toMatchObject({ model: 'model-of-p1' });
    expect(providers.map((calls) => calls.length)).toEqual([1, 1]);
  });

  it('fails if all providers fail', async () => {
    const failing = json({ error: { message: 'Busy' } }, 503);
    const { costs, create, read, statusOf } = await setupModel([failing, failing]);

    const { id } = await create({ model });

    await statusOf(id).toBe('failed');
    expect((await read(id)).error).toEqual({
      code: 'server_error',
      message: 'All providers of the model failed',
    });
    expect(await costs()).toEqual([]);
  });

  it('8.3.2: counts once against the requests per minute of the model, at its creation', async () => {
    const { call, create, clock, statusOf } = await setupModel([json(answer)], {
      requests_per_minute: 2,
    });

    for (let count = 0; count < 2; count += 1) {
      const { id } = await create({ model });
      await statusOf(id).toBe('completed');
    }
    const refused = await call('POST', '/responses', { model, input: 'Hi', background: true });
    clock.advance(61_000);
    const later = await create({ model });

    expect(refused.status).toBe(429);
    expect(refused.body.error.type).toBe('rate_limit_error');
    await statusOf(later.id).toBe('completed');
  });

  it('8.3.2: counts against the tokens per minute with its reported usage after it has ended', async () => {
    const { call, costs, create, statusOf } = await setupModel([json(answer)], {
      tokens_per_minute: 1000,
    });

    const { id } = await create({ model });
    await statusOf(id).toBe('completed');
    const refused = await call('POST', '/responses', { model, input: 'Hi', background: true });

    expect(refused.status).toBe(429);
    expect(refused.body.error.message).toContain('1100 of 1000');
    expect(await costs()).toEqual([600 * 100 + 500 * 1000]);
  });

  it.each([
    [
      'is cancelled',
      (server: { cancel: (id: string) => unknown }, id: string) => server.cancel(id),
    ],
    ['is stopped with its process', (server: { app: { close(): unknown } }) => server.app.close()],
  ])(
    '8.3.2: counts with an estimated usage if it %s while the provider works on it',
    async (_, stop) => {
      const server = await setupModel([neverRespond]);
      const { costs, create, providers } = server;

      const { id } = await create({ model, input: 'a'.repeat(8000) });
      await expect.poll(() => providers[0]?.length).toBe(1);
      await providers[0]?.[0]?.body;
      await stop(server, id);

      await expect.poll(costs).toEqual([expect.any(Number)]);
      const [cost] = await costs();
      expect(cost).toBeGreaterThan(2000 * 100);
      expect(cost).toBeLessThan(2100 * 100);
    },
  );
});
