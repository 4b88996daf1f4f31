import OpenAI, { BadRequestError, NotFoundError } from 'openai';
import { describe, expect, it } from 'vitest';
import { createApiKey } from '../../auth/api-keys.ts';
import { dayMs } from '../../clock.ts';
import { systemRandom } from '../../random.ts';
import { replayUpstream } from '../../testing/setup-gateway.ts';
import {
  collect,
  errorOf,
  modelAt,
  setupVectorStores,
  textsOf,
} from '../../testing/setup-vector-stores.ts';
import { touch } from './vector-store-rows.ts';

describe('vector stores with the official client', () => {
  it('can be created, read, changed, listed in both directions and deleted', async () => {
    const { stores, upload, clock } = await setupVectorStores();
    const fileId = await upload('Hello');
    const created = await stores.create({
      name: 'Docs',
      description: 'All of them',
      file_ids: [fileId],
      expires_after: { anchor: 'last_active_at', days: 7 },
      metadata: { team: 'a' },
    });
    clock.advance(1000);
    const second = await stores.create({});
    clock.advance(1000);
    const third = await stores.create({});

    expect(created).toMatchObject({
      object: 'vector_store',
      name: 'Docs',
      description: 'All of them',
      status: 'in_progress',
      file_counts: { in_progress: 1, total: 1 },
      expires_at: created.created_at + 7 * 86_400,
      metadata: { team: 'a' },
    });
    await expect.poll(async () => (await stores.retrieve(created.id)).status).toBe('completed');
    expect(await stores.retrieve(created.id)).toMatchObject({
      usage_bytes: 5,
      file_counts: { completed: 1, in_progress: 0, total: 1 },
    });
    const ids = (await collect(stores.list({ limit: 1 }))).map(({ id }) => id);
    expect(ids).toEqual([third.id, second.id, created.id]);
    const before = await stores.list({ before: created.id, limit: 1 });
    expect(before.data.map(({ id }) => id)).toEqual([second.id]);
    expect(before.has_more).toBe(true);
    const changed = await stores.update(created.id, { name: 'New', expires_after: null });
    expect(changed).toMatchObject({ name: 'New', expires_at: null, metadata: { team: 'a' } });
    expect(await stores.delete(created.id)).toEqual({
      id: created.id,
      object: 'vector_store.deleted',
      deleted: true,
    });
    const missing = await errorOf(stores.retrieve(created.id));
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ code: 'vector_store_not_found', param: 'vector_store_id' });
    expect(
      await errorOf(stores.files.retrieve(fileId, { vector_store_id: created.id })),
    ).toMatchObject({ code: 'vector_store_not_found' });
  });

  it('are read and searched with another API key of the tenant', async () => {
    const { storeWith, url, store, clock } = await setupVectorStores();
    const { id } = await storeWith('The harbour of Genoa');
    const apiKey = await createApiKey({ store, clock, random: systemRandom }, null);
    const other = new OpenAI({ baseURL: `${url}/chat-model/v1`, apiKey });

    expect(await other.vectorStores.retrieve(id)).toMatchObject({ id });
    expect(textsOf(await other.vectorStores.search(id, { query: 'Genoa' }))).toHaveLength(1);
  });

  it('expire after days without activity, and lose their files', async () => {
    const { stores, upload, fast, clock, store } = await setupVectorStores();
    const { id } = await stores.create({ expires_after: { anchor: 'last_active_at', days: 1 } });
    await stores.files.createAndPoll(id, { file_id: await upload('Hello') }, fast);
    clock.advance(dayMs - 1000);
    await stores.search(id, { query: 'hello' });
    clock.advance(dayMs - 1000);
    expect((await stores.retrieve(id)).status).toBe('completed');
    clock.advance(2000);

    expect((await stores.retrieve(id)).status).toBe('expired');
    expect(await errorOf(stores.search(id, { query: 'hello' }))).toMatchObject({
      status: 400,
      code: 'vector_store_expired',
    });
    clock.advance(3_600_000);
    const chunks = () => store.db.selectFrom('vector_store_chunks').selectAll().execute();
    await expect.poll(async () => (await stores.retrieve(id)).file_counts.total).toBe(0);
    clock.advance(2000);
    await expect.poll(chunks).toEqual([]);
    // As at the end of a search that started before the expiry.
    await touch(store.db, id, clock.now());
    expect((await stores.retrieve(id)).status).toBe('expired');
  });

  it.each([
    [{ expires_after: { anchor: 'last_active_at', days: 0 } }, 'expires_after.days'],
    [{ expires_after: { anchor: 'created_at', days: 1 } }, 'expires_after.anchor'],
    [{ metadata: { a: 'x'.repeat(513) } }, 'metadata'],
    [{ file_ids: 'file-x' }, 'file_ids'],
    [
      {
        chunking_strategy: {
          type: 'static',
          static: { max_chunk_size_tokens: 99, chunk_overlap_tokens: 0 },
        },
      },
      'chunking_strategy.static.max_chunk_size_tokens',
    ],
    [
      {
        chunking_strategy: {
          type: 'static',
          static: { max_chunk_size_tokens: 200, chunk_overlap_tokens: 101 },
        },
      },
      'chunking_strategy.static.chunk_overlap_tokens',
    ],
    [{ unknown: 1 }, null],
  ])('are refused with a BadRequestError for %j', async (body, param) => {
    const { client } = await setupVectorStores();

    const refused = await errorOf(client.post('/vector_stores', { body }));

    expect(refused).toBeInstanceOf(BadRequestError);
    expect(refused).toMatchObject({ type: 'invalid_request_error', param });
  });
});

describe('file batches with the official client', () => {
  it('can be created, polled, read and listed', async () => {
    const { stores, upload, fast } = await setupVectorStores();
    const { id } = await stores.create({});
    const file_ids = [await upload('One', '1.txt'), await upload('Two', '2.txt')];

    const batch = await stores.fileBatches.createAndPoll(
      id,
      { file_ids, attributes: { set: 1 } },
      fast,
    );

    expect(batch).toMatchObject({
      object: 'vector_store.files_batch',
      vector_store_id: id,
      status: 'completed',
      file_counts: { completed: 2, in_progress: 0, failed: 0, cancelled: 0, total: 2 },
    });
    const parent = { vector_store_id: id };
    const files = await collect(stores.fileBatches.listFiles(batch.id, { ...parent, limit: 1 }));
    expect(files.map((file) => file.id).sort()).toEqual([...file_ids].sort());
    expect(files[0]?.attributes).toEqual({ set: 1 });
    expect(await errorOf(stores.fileBatches.retrieve('vsfb_none', parent))).toMatchObject({
      status: 404,
      code: 'file_batch_not_found',
    });
  });

  it('give each file its own attributes, and refuse files and file_ids together', async () => {
    const { stores, upload, fast } = await setupVectorStores();
    const { id } = await stores.create({});
    const file_id = await upload('One');
    const files = [{ file_id, attributes: { page: 1 } }];

    const batch = await stores.fileBatches.createAndPoll(id, { files }, fast);

    expect(batch.file_counts.completed).toBe(1);
    expect((await stores.files.retrieve(file_id, { vector_store_id: id })).attributes).toEqual({
      page: 1,
    });
    const both = stores.fileBatches.create(id, { files, file_ids: [file_id] });
    expect(await errorOf(both)).toMatchObject({ status: 400, param: 'file_ids' });
    expect(await errorOf(stores.fileBatches.create(id, {}))).toMatchObject({
      status: 400,
      param: 'file_ids',
    });
  });

  it('can be cancelled, and their files are not found', async () => {
    const { url } = await replayUpstream(() => {});
    const { stores, upload, store, clock } = await setupVectorStores(undefined, {
      config: { models: [modelAt(url)] },
    });
    const { id } = await stores.create({});
    const batch = await stores.fileBatches.create(id, { file_ids: [await upload('Hello')] });
    const parent = { vector_store_id: id };

    const cancelled = await stores.fileBatches.cancel(batch.id, parent);

    expect(cancelled).toMatchObject({
      status: 'cancelled',
      file_counts: { cancelled: 1, in_progress: 0, total: 1 },
    });
    expect(await stores.fileBatches.cancel(batch.id, parent)).toEqual(cancelled);
    expect((await stores.retrieve(id)).status).toBe('completed');
    // The process that indexes the file renews its lease, and finds that it has lost it.
    clock.advance(2000);
    const deletions = () => store.db.selectFrom('vector_store_deletions').selectAll().execute();
    await expect.poll(deletions).toEqual([]);
  });
});
