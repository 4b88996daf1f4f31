/** However a request ends, its reservation in the monthly budget of the model is released. */
import type { KyselyPlugin, Transaction } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../log/logger.ts';
import type { Schema } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import {
  chunk,
  done,
  finish,
  type Handler,
  stream,
  streamThenHang,
  usage,
} from '../testing/chat-endpoint.ts';
import {
  completion,
  hang,
  messages,
  respondJson,
  setupModelService,
} from '../testing/setup-model-service.ts';
import { testApiKey } from '../testing/setup-server.ts';
import { openTestStore } from '../testing/test-store.ts';

const model = {
  supported_apis: [
    'chat_completions' as const,
    'responses' as const,
    'embeddings' as const,
    'image_generations' as const,
  ],
  budget_cents_per_month: 1000,
};
/** The input of a request to each path. */
const inputs: Readonly<Record<string, object>> = {
  '/chat/completions': { messages },
  '/responses': { input: 'Hi' },
  '/embeddings': { input: 'Hi' },
  '/images/generations': { prompt: 'Hi' },
};
const busy = respondJson({ error: { message: 'Busy' } }, 503);
const rejection = respondJson({ error: { message: 'Not like this' } }, 400);
const success = respondJson({
  ...completion,
  object: 'response',
  output: [],
  data: [{ index: 0, embedding: [1] }],
  usage: { ...completion.usage, input_tokens: 1000, output_tokens: 500 },
});
const responseEvent = (type: string, fields: object = {}) =>
  `data: ${JSON.stringify({ type, ...fields })}\n\n`;
const delta = responseEvent('response.output_text.delta', { delta: 'Hi' });

async function setup(
  handlers: Handler[],
  options: Omit<NonNullable<Parameters<typeof setupModelService>[0]>, 'providers'> = {},
) {
  const providers = Object.fromEntries(handlers.map((handler, index) => [`p${index}`, [handler]]));
  const server = await setupModelService({
    ...options,
    providers,
    model: { ...model, ...options.model },
  });
  return {
    ...server,
    send: (path: string, body: object, signal?: AbortSignal) =>
      fetch(`${server.url}/chat-model/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', ...inputs[path], ...body }),
        ...(signal && { signal }),
      }),
    reservations: () => server.store.db.selectFrom('model_reservations').selectAll().execute(),
    months: async () => {
      const rows = await server.store.db.selectFrom('model_months').selectAll().execute();
      return rows.map((row) => [Number(row.spent_microcents), Number(row.reserved_microcents)]);
    },
  };
}

async function expectReleased(server: Awaited<ReturnType<typeof setup>>) {
  await expect.poll(server.reservations).toEqual([]);
  expect((await server.months()).map(([, reserved]) => reserved)).toEqual([0]);
}

describe.each(Object.keys(inputs))('a request to %s releases its reservation', (path) => {
  it.each<[string, Handler[], number]>([
    ['succeeds', [success], 200],
    ['succeeds at the second provider', [busy, success], 200],
    ['fails at all providers', [busy, busy], 502],
    ['is rejected by the provider', [rejection], 400],
    ['gets an unusable response', [respondJson('{')], 502],
  ])('when it %s', async (_, handlers, status) => {
    const server = await setup(handlers);

    const response = await server.send(path, {});

    expect(response.status).toBe(status);
    await expectReleased(server);
  });

  it('when a rate limit of the model refuses it', async () => {
    const server = await setup([success], { model: { requests_per_minute: 1 } });
    await server.send(path, {});

    expect((await server.send(path, {})).status).toBe(429);
    await expectReleased(server);
  });

  it('when the caller disconnects before the response', async () => {
    const server = await setup([hang]);
    const controller = new AbortController();

    const response = server.send(path, {}, controller.signal);
    await expect.poll(() => server.requestsOf('p0').length).toBe(1);
    expect(await server.reservations()).toHaveLength(1);
    controller.abort();

    await expect(response).rejects.toThrow();
    await expectReleased(server);
  });
});

describe.each(['/chat/completions', '/responses'])(
  'a stream of %s releases its reservation',
  (path) => {
    const isChat = path === '/chat/completions';
    const start = isChat ? chunk({ content: 'Hi' }) : delta;
    const end = isChat
      ? [finish(), usage(1000, 500), done]
      : [responseEvent('response.completed', { response: { output: [] } })];

    it.each([
      ['it is complete', [start, ...end]],
      ['it is cut by the provider', [start]],
      ['it starts with an error', [`data: ${JSON.stringify({ error: { message: 'Busy' } })}\n\n`]],
    ])('when %s', async (_, pieces) => {
      const server = await setup([stream(...pieces)]);

      await (await server.send(path, { stream: true })).text();

      await expectReleased(server);
    });

    it('when the caller disconnects', async () => {
      const server = await setup([streamThenHang(start)]);

      const response = await server.send(path, { stream: true });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      expect(await server.reservations()).toHaveLength(1);
      await reader.cancel();

      await expectReleased(server);
    });
  },
);

describe('a background response releases its reservation', () => {
  it.each<[string, Handler, string]>([
    ['succeeds', success, 'completed'],
    ['fails', busy, 'failed'],
    ['is rejected', rejection, 'failed'],
    ['gets an unusable response', respondJson('{}'), 'failed'],
  ])('when it %s', async (_, handler, status) => {
    const server = await setup([handler]);

    const response = await server.send('/responses', { background: true });
    const { id } = (await response.json()) as { id: string };

    const statusOf = async () => {
      const read = await server.backend('GET', `/chat-model/v1/responses/${id}`);
      return ((await read.json()) as { status: string }).status;
    };
    await expect.poll(statusOf).toBe(status);
    await expectReleased(server);
  });

  it.each<[string, (server: Awaited<ReturnType<typeof setup>>, id: string) => Promise<unknown>]>([
    ['is cancelled', ({ backend }, id) => backend('POST', `/chat-model/v1/responses/${id}/cancel`)],
    ['is stopped with its process', ({ app }) => app.close()],
  ])('when it %s', async (_, stop) => {
    const server = await setup([hang]);
    const response = await server.send('/responses', { background: true });
    const { id } = (await response.json()) as { id: string };
    await expect.poll(() => server.requestsOf('p0').length).toBe(1);
    expect(await server.reservations()).toHaveLength(1);

    await stop(server, id);

    await expectReleased(server);
  });
});

it('a model without a budget needs one statement for its costs', async () => {
  const store = await openTestStore(createLogger(Date.now, () => {}));
  let statements = 0;
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      if (/"model_(months|reservations)"/.test(JSON.stringify(node))) statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const sharedStore: Store = {
    ...store,
    db: store.db.withPlugin(counter),
    transaction: (work) =>
      store.transaction((tx) => work(tx.withPlugin(counter) as Transaction<Schema>)),
  };
  const server = await setup([success], { sharedStore, model: { budget_cents_per_month: null } });

  await server.send('/chat/completions', {});

  expect(statements).toBe(1);
  expect(await server.months()).toEqual([[2_000_000, 0]]);
});

it('releases the reservations of a process that counts as dead, and still counts their cost', async () => {
  let respond = () => {};
  const responding = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const first = await setup([
    (response, request) => responding.then(() => success(response, request)),
  ]);
  const second = await setup([hang], { sharedStore: first.store, seed: 'two' });
  const response = first.send('/chat/completions', {});
  await expect.poll(async () => (await first.reservations()).length).toBe(1);

  await expect
    .poll(() => {
      second.clock.advance(500);
      return second.reservations();
    })
    .toEqual([]);
  respond();
  await response;

  expect(await first.months()).toEqual([[2_000_000, 0]]);
});

it('settles the cost when the store works again, if it fails after the response', async () => {
  const server = await setup([
    async (response, request) => {
      await server.store.db.schema.alterTable('model_months').renameTo('unavailable').execute();
      await success(response, request);
    },
  ]);

  expect((await server.send('/chat/completions', {})).status).toBe(500);
  expect(await server.reservations()).toHaveLength(1);
  await server.store.db.schema.alterTable('unavailable').renameTo('model_months').execute();
  server.clock.advance(5000);

  await expectReleased(server);
  expect(await server.months()).toEqual([[2_000_000, 0]]);
});
