import type OpenAI from 'openai';
import { BadRequestError } from 'openai';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { json, type Replay, replayUpstream } from '../../testing/setup-gateway.ts';
import {
  errorOf,
  modelAt,
  setupVectorStores,
  textsOf,
  type VectorStoreOptions,
} from '../../testing/setup-vector-stores.ts';

describe('search of vector stores with the official client', () => {
  it('finds chunks by their words, best first, with file and attributes', async () => {
    const { client, stores, storeWith } = await setupVectorStores();
    const { id, files } = await storeWith(
      'Refunds are paid within ten days. A refund needs the receipt.',
      'The office is closed on Sundays.',
      'One refund of many other things that this text is about, at some length.',
    );

    const page = await stores.search(id, { query: 'REFUND receipt', rewrite_query: true });

    const path = `/vector_stores/${id}/search`;
    expect(await client.post(path, { body: { query: 'REFUND receipt' } })).toMatchObject({
      object: 'vector_store.search_results.page',
      search_query: ['REFUND receipt'],
      has_more: false,
      next_page: null,
    });
    expect(page.data.map(({ file_id }) => file_id)).toEqual([files[0]?.id, files[2]?.id]);
    expect(page.data[0]).toMatchObject({
      filename: '0.txt',
      attributes: { index: 0, topic: 'even' },
      content: [{ type: 'text', text: expect.stringContaining('receipt') }],
    });
    const [first, second] = page.data.map(({ score }) => score);
    expect(first).toBeGreaterThan(second ?? 1);
    expect(first).toBeLessThanOrEqual(1);
    const best = await stores.search(id, {
      query: 'refund receipt',
      ranking_options: { score_threshold: second ?? 0, ranker: 'auto' },
      max_num_results: 1,
    });
    expect(best.data).toHaveLength(1);
    const several = await stores.search(id, { query: ['receipt', 'Sundays'] });
    expect(several.data).toHaveLength(2);
  });

  it('finds words in scripts without spaces, and treats operators as text', async () => {
    const { stores, storeWith } = await setupVectorStores();
    const { id } = await storeWith(
      '退款将在十天内支付。',
      '办公室星期日关闭。',
      'AND OR NOT "quoted"',
    );

    expect(textsOf(await stores.search(id, { query: '退款' }))).toEqual(['退款将在十天内支付。']);
    expect(textsOf(await stores.search(id, { query: 'NOT "quoted* OR (' }))).toEqual([
      'AND OR NOT "quoted"',
    ]);
    expect((await stores.search(id, { query: '!?' })).data).toEqual([]);
  });

  it('finds nothing of other vector stores', async () => {
    const { stores, storeWith } = await setupVectorStores();
    const first = await storeWith('The word is heron.');
    const second = await storeWith('The word is kestrel.');

    expect((await stores.search(first.id, { query: 'kestrel' })).data).toEqual([]);
    expect((await stores.search(second.id, { query: 'kestrel' })).data).toHaveLength(1);
  });

  it.each<[OpenAI.ComparisonFilter | OpenAI.CompoundFilter, number[]]>([
    [{ type: 'eq', key: 'index', value: 1 }, [1]],
    [{ type: 'eq', key: 'index', value: '1' }, []],
    [{ type: 'ne', key: 'topic', value: 'even' }, [1]],
    [{ type: 'ne', key: 'missing', value: 1 }, [0, 1, 2]],
    [{ type: 'gt', key: 'index', value: 1 }, [2]],
    [{ type: 'gte', key: 'index', value: 1 }, [1, 2]],
    [{ type: 'lt', key: 'index', value: 1 }, [0]],
    [{ type: 'lte', key: 'index', value: 1 }, [0, 1]],
    [{ type: 'lt', key: 'missing', value: 1 }, []],
    [{ type: 'in', key: 'index', value: [0, 2] }, [0, 2]],
    [{ type: 'nin', key: 'index', value: [0, 2] }, [1]],
    [
      {
        type: 'or',
        filters: [
          { type: 'eq', key: 'index', value: 0 },
          {
            type: 'and',
            filters: [
              { type: 'eq', key: 'topic', value: 'even' },
              { type: 'gt', key: 'index', value: 0 },
            ],
          },
        ],
      },
      [0, 2],
    ],
  ])('applies the filter %j', async (filters, expected) => {
    const { stores, storeWith } = await setupVectorStores();
    const { id } = await storeWith('same text', 'same text', 'same text');

    const { data } = await stores.search(id, { query: 'same', filters });

    expect(data.map(({ attributes }) => attributes?.index).sort()).toEqual(expected);
  });

  it.each([
    [{ query: '' }, 'query'],
    [{ query: 'x', max_num_results: 0 }, 'max_num_results'],
    [{ query: 'x', max_num_results: 51 }, 'max_num_results'],
    [{ query: 'x', ranking_options: { score_threshold: 2 } }, 'ranking_options.score_threshold'],
    [{ query: 'x', ranking_options: { ranker: 'best' } }, 'ranking_options.ranker'],
    [{ query: 'x', filters: { type: 'like', key: 'a', value: 'b' } }, 'filters'],
    [{ query: [''] }, 'query[0]'],
    [{ query: 'x', filters: { type: 'in', key: 'a', value: 'b' } }, 'filters.value'],
  ])('is refused with a BadRequestError for %j', async (body, param) => {
    const { client, stores } = await setupVectorStores();
    const { id } = await stores.create({});

    const refused = await errorOf(client.post(`/vector_stores/${id}/search`, { body }));

    expect(refused).toBeInstanceOf(BadRequestError);
    expect(refused).toMatchObject({ param });
  });
});

describe('embeddings of vector stores', () => {
  /** Embeds texts by meaning: cars are near each other, fruit is far from them. */
  const embed: Replay = async (response, call) => {
    const { input } = JSON.parse(String(await call.body)) as { input: string[] };
    const data = input.map((text, index) => {
      const isCar = /car|automobile/.test(text);
      return { object: 'embedding', index, embedding: isCar ? [3, 0.1] : [0.1, 3] };
    });
    json({ object: 'list', data, usage: { prompt_tokens: 7, total_tokens: 7 } })(response, call);
  };
  async function setupEmbeddings(
    replay: Replay,
    {
      vectorStores = {},
      model = {},
      ...options
    }: VectorStoreOptions & {
      vectorStores?: { embedding_model?: null };
      model?: { requests_per_minute?: number; budget_cents_per_month?: number };
    } = {},
  ) {
    const upstream = await replayUpstream(replay);
    const models = [{ ...modelAt(upstream.url), ...model }];
    const prices = { 'acme/embed': { input_cents_per_million: 1e6, output_cents_per_million: 0 } };
    const config = { models, prices, vector_stores: vectorStores };
    return { ...(await setupVectorStores(undefined, { ...options, config })), upstream };
  }

  it('find what a text means, and cost what the provider reports', async () => {
    const { stores, storeWith, store, upstream } = await setupEmbeddings(embed);
    const { id, files } = await storeWith('My automobile is red.', 'Fruit is healthy.');

    const { data } = await stores.search(id, { query: 'car' });

    expect(data[0]).toMatchObject({ file_id: files[0]?.id, score: 0.7 });
    expect(data[1]?.score).toBeLessThan(0.1);
    expect(upstream.calls).toHaveLength(3);
    const [month] = await store.db.selectFrom('model_months').selectAll().execute();
    expect(Number(month?.spent_microcents)).toBe(3 * 7 * 1_000_000);
    expect((await stores.retrieve(id)).usage_bytes).toBe(21 + 17 + 2 * 8);
  });

  it('are tried again later if the provider fails, and a search uses the words only', async () => {
    let isDown = false;
    const { stores, storeWith, upload, clock, store } = await setupEmbeddings(
      (response, call, request) =>
        isDown ? json({ error: {} }, 500)(response, call) : embed(response, call, request),
    );
    const { id, files } = await storeWith('My automobile is red.');
    isDown = true;

    const { data } = await stores.search(id, { query: 'automobile' });
    const file_id = await upload('Fruit is healthy.');
    await stores.files.create(id, { file_id });
    const queued = () =>
      store.db
        .selectFrom('vector_store_files')
        .select('attempt')
        .where('run_after', '>', clock.now())
        .where('worker', 'is', null)
        .execute();
    await expect.poll(queued).toEqual([{ attempt: 1 }]);
    isDown = false;

    expect(data).toMatchObject([{ file_id: files[0]?.id }]);
    const status = async () => {
      clock.advance(1000);
      return (await stores.files.retrieve(file_id, { vector_store_id: id })).status;
    };
    await expect.poll(status).toBe('completed');
  });

  it('cost their estimated tokens if they are cancelled while the provider computes them', async () => {
    const { stores, upload, store, clock, upstream } = await setupEmbeddings(() => {});
    const { id } = await stores.create({});
    const file_ids = [await upload('My automobile is red.')];
    const batch = await stores.fileBatches.create(id, { file_ids });
    await expect.poll(() => upstream.calls.length).toBe(1);

    await stores.fileBatches.cancel(batch.id, { vector_store_id: id });

    const months = () => store.db.selectFrom('model_months').select('spent_microcents').execute();
    await expect
      .poll(() => {
        clock.advance(2000);
        return months();
      })
      .toEqual([{ spent_microcents: 6_000_000 }]);
  });

  it('of a large file wait for the limits of the model', async () => {
    const { stores, upload, clock, upstream } = await setupEmbeddings(embed, {
      model: { requests_per_minute: 1 },
    });
    const { id } = await stores.create({});
    const file_id = await upload('My automobile is red. '.repeat(2000));

    await stores.files.create(id, { file_id });

    const status = async () => {
      clock.advance(1000);
      return (await stores.files.retrieve(file_id, { vector_store_id: id })).status;
    };
    await expect.poll(status).toBe('completed');
    expect(upstream.calls.length).toBeGreaterThan(1);
  });

  it('wait while the requests in progress may use up the budget of the model', async () => {
    let respond = () => {};
    const responding = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const { stores, storeWith, upload, clock, store, upstream } = await setupEmbeddings(
      (response, call, request) => responding.then(() => embed(response, call, request)),
      { model: { budget_cents_per_month: 8 } },
    );
    const { id } = await storeWith();
    const addFile = async (text: string) =>
      (await stores.files.create(id, { file_id: await upload(text) })).id;
    const first = await addFile('My automobile is red.');
    await expect.poll(() => upstream.calls.length).toBe(1);
    const second = await addFile('Fruit is healthy.');
    const attempts = () =>
      store.db
        .selectFrom('vector_store_files')
        .select(['file_id', 'attempt'])
        .where('run_after', '>', clock.now())
        .where('worker', 'is', null)
        .execute();

    await expect.poll(attempts).toEqual([{ file_id: second, attempt: 0 }]);
    respond();

    const status = async (file: string) => {
      clock.advance(1000);
      return (await stores.files.retrieve(file, { vector_store_id: id })).status;
    };
    await expect.poll(() => status(first)).toBe('completed');
    await expect.poll(() => status(second)).toBe('completed');
  });

  it('are not used with `embedding_model: null`', async () => {
    const { stores, storeWith, upstream } = await setupEmbeddings(embed, {
      vectorStores: { embedding_model: null },
    });
    const { id } = await storeWith('My automobile is red.');

    expect((await stores.search(id, { query: 'car' })).data).toEqual([]);
    expect(upstream.calls).toEqual([]);
  });

  it.each([
    ['when its process shuts down', true, 0],
    ['when the lease of its process expires', false, 0],
    ['after a crash, if the clock was then set back', false, 3_600_000],
  ])('are continued by another process %s', async (_, shutsDown, ahead) => {
    const realClock = createFakeClock(Date.UTC(2026, 0, 15, 12) + ahead);
    const first = await setupEmbeddings(() => {}, { realClock });
    const { id } = await first.stores.create({});
    const file_id = await first.upload('My automobile is red.');
    await first.stores.files.create(id, { file_id });
    await expect.poll(() => first.upstream.calls.length).toBe(1);
    const second = await setupEmbeddings(embed, { sharedStore: first.store, seed: 'two' });

    // The clock of the first process stands still, so that it does not renew the lease.
    if (shutsDown) await first.app.close();
    const status = async () => {
      second.clock.advance(1000);
      const file = await second.stores.files.retrieve(file_id, { vector_store_id: id });
      return file.status;
    };
    await expect.poll(status).toBe('completed');

    expect(second.upstream.calls).toHaveLength(1);
    expect((await second.stores.search(id, { query: 'car' })).data).toHaveLength(1);
  });
});
