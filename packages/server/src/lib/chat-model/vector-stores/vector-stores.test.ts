import { crc32, deflateRawSync } from 'node:zlib';
import OpenAI, { BadRequestError, ConflictError, NotFoundError, toFile } from 'openai';
import { describe, expect, it } from 'vitest';
import { createApiKey } from '../../auth/api-keys.ts';
import { dayMs } from '../../clock.ts';
import { systemRandom } from '../../random.ts';
import { json, type Replay, replayUpstream, setupGateway } from '../../testing/setup-gateway.ts';
import { testApiKey } from '../../testing/setup-server.ts';

type Options = Parameters<typeof setupGateway>[1];

/** A gateway, and the official client with its address. */
async function setup(replay?: Replay, options: Options = {}) {
  const limits = {
    ...options.config?.limits,
    api_key: { requests_per_second: 100_000, concurrent: 50 },
  };
  const gateway = await setupGateway(replay, {
    ...options,
    config: { ...options.config, limits },
  });
  const client = new OpenAI({
    baseURL: `${gateway.url}/chat-model/v1`,
    apiKey: testApiKey,
    maxRetries: 0,
  });
  const upload = async (text: string | Buffer, name = 'a.txt') =>
    (
      await client.files.create({
        file: await toFile(Buffer.from(text), name),
        purpose: 'assistants',
      })
    ).id;
  const fast = { pollIntervalMs: 10 };
  return {
    ...gateway,
    client,
    stores: client.vectorStores,
    upload,
    fast,
    /** Creates a vector store with one indexed file for each text. */
    async storeWith(...texts: string[]) {
      const { id } = await client.vectorStores.create({ name: 'Docs' });
      const files = [];
      for (const [index, text] of texts.entries()) {
        const file_id = await upload(text, `${index}.txt`);
        const attributes = { index, topic: index % 2 === 0 ? 'even' : 'odd' };
        files.push(
          await client.vectorStores.files.createAndPoll(id, { file_id, attributes }, fast),
        );
      }
      return { id, files };
    },
  };
}

const errorOf = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => null,
    (reason: unknown) => reason,
  );
const collect = async <Value>(list: AsyncIterable<Value>) => {
  const values: Value[] = [];
  for await (const value of list) values.push(value);
  return values;
};
const textsOf = (page: { data: { content: { text: string }[] }[] }) =>
  page.data.map(({ content }) => content[0]?.text);

/** Creates a ZIP archive (APPNOTE.TXT, sections 4.3.7 to 4.3.16). */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path);
    const content = deflateRawSync(text);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(text), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(Buffer.byteLength(text), 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, content]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, tail, name]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

describe('vector stores with the official client', () => {
  it('can be created, read, changed, listed in both directions and deleted', async () => {
    const { stores, upload, clock } = await setup();
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
    const { storeWith, url, store, clock } = await setup();
    const { id } = await storeWith('The harbour of Genoa');
    const apiKey = await createApiKey({ store, clock, random: systemRandom }, null);
    const other = new OpenAI({ baseURL: `${url}/chat-model/v1`, apiKey });

    expect(await other.vectorStores.retrieve(id)).toMatchObject({ id });
    expect(textsOf(await other.vectorStores.search(id, { query: 'Genoa' }))).toHaveLength(1);
  });

  it('expire after days without activity, and lose their files', async () => {
    const { stores, upload, fast, clock, store } = await setup();
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
    const { client } = await setup();

    const refused = await errorOf(client.post('/vector_stores', { body }));

    expect(refused).toBeInstanceOf(BadRequestError);
    expect(refused).toMatchObject({ type: 'invalid_request_error', param });
  });
});

describe('files of vector stores with the official client', () => {
  it('can be added, read, changed, listed and removed', async () => {
    const { stores, upload, fast, client } = await setup();
    const { id } = await stores.create({});
    const fileId = await upload('Hello world', 'hello.md');
    const parent = { vector_store_id: id };

    const file = await stores.files.createAndPoll(
      id,
      {
        file_id: fileId,
        attributes: { year: 2026, draft: false, topic: 'x' },
        chunking_strategy: {
          type: 'static',
          static: { max_chunk_size_tokens: 100, chunk_overlap_tokens: 10 },
        },
      },
      fast,
    );

    expect(file).toMatchObject({
      id: fileId,
      object: 'vector_store.file',
      status: 'completed',
      last_error: null,
      usage_bytes: 11,
      vector_store_id: id,
      attributes: { year: 2026, draft: false, topic: 'x' },
      chunking_strategy: {
        type: 'static',
        static: { max_chunk_size_tokens: 100, chunk_overlap_tokens: 10 },
      },
    });
    const changed = await stores.files.update(fileId, { ...parent, attributes: { year: 2027 } });
    expect(changed.attributes).toEqual({ year: 2027 });
    const content = await stores.files.content(fileId, parent);
    expect(content.data).toEqual([{ type: 'text', text: 'Hello world' }]);
    expect((await collect(stores.files.list(id, { filter: 'completed' }))).length).toBe(1);
    expect((await collect(stores.files.list(id, { filter: 'failed' }))).length).toBe(0);
    expect(await stores.files.delete(fileId, parent)).toEqual({
      id: fileId,
      object: 'vector_store.file.deleted',
      deleted: true,
    });
    expect(await errorOf(stores.files.retrieve(fileId, parent))).toMatchObject({
      status: 404,
      code: 'file_not_found',
    });
    expect(await client.files.retrieve(fileId)).toMatchObject({ id: fileId });
    expect((await stores.retrieve(id)).usage_bytes).toBe(0);
    expect((await stores.search(id, { query: 'hello' })).data).toEqual([]);
  });

  it('are removed from all vector stores when the uploaded file is deleted', async () => {
    const { stores, storeWith, client, store, clock } = await setup();
    const { id, files } = await storeWith('Hello', 'Bye');

    await client.files.delete(String(files[0]?.id));

    expect((await collect(stores.files.list(id))).map((file) => file.id)).toEqual([files[1]?.id]);
    expect((await stores.retrieve(id)).file_counts.total).toBe(1);
    clock.advance(2000);
    const chunks = () => store.db.selectFrom('vector_store_chunks').select('text').execute();
    await expect.poll(chunks).toEqual([{ text: 'Bye' }]);
  });

  it('are indexed again when they are added again', async () => {
    const { stores, storeWith, fast } = await setup();
    const { id, files } = await storeWith('Hello');
    const file_id = String(files[0]?.id);

    await stores.files.createAndPoll(id, { file_id, attributes: { version: 2 } }, fast);

    expect((await stores.retrieve(id)).file_counts).toMatchObject({ completed: 1, total: 1 });
    const { data } = await stores.search(id, { query: 'hello' });
    expect(data).toMatchObject([{ file_id, attributes: { version: 2 } }]);
  });

  it('are divided into overlapping chunks, and their content has the whole text once', async () => {
    const { stores, upload, fast } = await setup();
    const { id } = await stores.create({});
    const text = Array.from({ length: 900 }, (_, index) => `Sentence ${index} is “here”. `).join(
      '',
    );
    const file_id = await upload(text);

    await stores.files.createAndPoll(
      id,
      {
        file_id,
        chunking_strategy: {
          type: 'static',
          static: { max_chunk_size_tokens: 100, chunk_overlap_tokens: 50 },
        },
      },
      fast,
    );

    const content = await stores.files.content(file_id, { vector_store_id: id });
    expect(content.data.map((part) => part.text).join('')).toBe(text);
    const found = await stores.search(id, { query: '"Sentence 450"', max_num_results: 50 });
    const hits = found.data.map((hit) => hit.content[0]?.text ?? '');
    expect(hits.filter((hit) => hit.includes('Sentence 450')).length).toBeGreaterThan(1);
    for (const hit of hits) expect(Buffer.byteLength(hit)).toBeLessThanOrEqual(400);
  });

  it('have the status failed with the reason if their text cannot be read', async () => {
    const { stores, upload, fast } = await setup();
    const { id } = await stores.create({});
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

    const image = await stores.files.createAndPoll(
      id,
      { file_id: await upload(png, 'a.png') },
      fast,
    );
    const blank = await stores.files.createAndPoll(id, { file_id: await upload(' \n ') }, fast);

    expect(image).toMatchObject({
      status: 'failed',
      last_error: { code: 'unsupported_file', message: expect.stringContaining('image/png') },
    });
    expect(blank).toMatchObject({ status: 'failed', last_error: { code: 'invalid_file' } });
    expect((await stores.retrieve(id)).file_counts).toMatchObject({ failed: 2, total: 2 });
    const content = stores.files.content(image.id, { vector_store_id: id });
    expect(await errorOf(content)).toBeInstanceOf(ConflictError);
  });

  it('are indexed without the markup of HTML', async () => {
    const { stores, upload, fast } = await setup();
    const { id } = await stores.create({});
    const page = `<html><head><title>T</title><script>var secret = "<p>";</script></head>
      <body><h1>Opening hours</h1><p>Caf&eacute; &amp; <b>bar</b></p><style>p{}</style></body></html>`;
    const file_id = await upload(page, 'page.html');

    await stores.files.createAndPoll(id, { file_id }, fast);

    const { data } = await stores.files.content(file_id, { vector_store_id: id });
    const text = data.map((part) => part.text).join('');
    expect(text.split(/\s*\n\s*/).filter(Boolean)).toEqual(['Opening hours', 'Café & bar']);
  });

  it.each([
    [
      'a.docx',
      {
        'word/document.xml':
          '<w:p><w:r><w:t>Opening</w:t></w:r><w:r><w:t> hours</w:t></w:r></w:p><w:p><w:t>R&amp;D</w:t></w:p>',
      },
    ],
    [
      'a.pptx',
      {
        'ppt/slides/slide10.xml': '<a:p><a:r><a:t>R&amp;D</a:t></a:r></a:p>',
        'ppt/slides/slide2.xml': '<a:p><a:r><a:t>Opening hours</a:t></a:r></a:p>',
      },
    ],
    [
      'a.xlsx',
      {
        'xl/sharedStrings.xml':
          '<si><t>Opening hours</t></si><si><r><t>R&amp;</t></r><r><t>D</t></r></si>',
      },
    ],
  ])('are indexed with the text of %s', async (name, parts) => {
    const { stores, upload, fast } = await setup();
    const { id } = await stores.create({});
    const xml = Object.entries(parts).map(([path, body]) => [
      path,
      `<?xml version="1.0"?><x>${body}</x>`,
    ]);
    const archive = zip({ '[Content_Types].xml': '<Types/>', ...Object.fromEntries(xml) });
    const file_id = await upload(archive, name);

    const file = await stores.files.createAndPoll(id, { file_id }, fast);

    expect(file).toMatchObject({ status: 'completed', last_error: null });
    const { data } = await stores.files.content(file_id, { vector_store_id: id });
    const lines = data
      .map((part) => part.text)
      .join('')
      .split(/\s*\n\s*/);
    expect(lines.filter(Boolean)).toEqual(['Opening hours', 'R&D']);
  });

  it('fail if they are damaged documents', async () => {
    const { stores, upload, fast } = await setup();
    const { id } = await stores.create({});
    const archive = zip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w:t>x</w:t>' });

    const file = await stores.files.createAndPoll(
      id,
      { file_id: await upload(archive.subarray(0, -10), 'a.docx') },
      fast,
    );

    expect(file).toMatchObject({
      status: 'failed',
      last_error: { code: 'invalid_file', message: expect.stringContaining('damaged') },
    });
  });

  it('are refused if they do not exist, or have invalid attributes', async () => {
    const { stores, upload } = await setup();
    const { id } = await stores.create({});
    const file_id = await upload('x');
    const attributes = Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, n]));

    expect(await errorOf(stores.files.create(id, { file_id: 'file-none' }))).toMatchObject({
      status: 404,
      code: 'file_not_found',
    });
    expect(await errorOf(stores.files.create(id, { file_id, attributes }))).toMatchObject({
      status: 400,
      param: 'attributes',
    });
    const long = { topic: 'x'.repeat(513) };
    expect(await errorOf(stores.files.create(id, { file_id, attributes: long }))).toMatchObject({
      status: 400,
      param: 'attributes.topic',
    });
  });

  it('are bounded by the limits of the platform', async () => {
    const { stores, upload, fast } = await setup(undefined, {
      config: { limits: { vector_stores: { stores: 1, files: 2, file_tokens: 100, bytes: 300 } } },
    });
    const { id } = await stores.create({});

    const large = await upload('word '.repeat(100));
    expect(await stores.files.createAndPoll(id, { file_id: large }, fast)).toMatchObject({
      status: 'failed',
      last_error: { code: 'invalid_file', message: expect.stringContaining('100 tokens') },
    });
    await stores.files.delete(large, { vector_store_id: id });
    const first = await upload('a'.repeat(200));
    await stores.files.createAndPoll(id, { file_id: first }, fast);
    expect(
      await stores.files.createAndPoll(id, { file_id: await upload('b'.repeat(200)) }, fast),
    ).toMatchObject({
      status: 'failed',
      last_error: { message: expect.stringContaining('300 bytes') },
    });
    const refused = { status: 400, code: 'vector_store_limit_exceeded' };
    expect(await errorOf(stores.files.create(id, { file_id: await upload('c') }))).toMatchObject(
      refused,
    );
    expect(await errorOf(stores.create({}))).toMatchObject(refused);
  });
});

describe('file batches with the official client', () => {
  it('can be created, polled, read and listed', async () => {
    const { stores, upload, fast } = await setup();
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
    const { stores, upload, fast } = await setup();
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
    const { stores, upload, store, clock } = await setup(undefined, {
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

/** A model of the catalogue that embeds texts. */
const modelAt = (base_url: string) => ({
  id: 'acme/embed',
  supported_apis: ['embeddings' as const],
  providers: [
    {
      provider: 'openai-compatible' as const,
      name: 'p0',
      base_url,
      model: 'embed-1',
      api_key_env: 'UPSTREAM_KEY',
    },
  ],
});

describe('search of vector stores with the official client', () => {
  it('finds chunks by their words, best first, with file and attributes', async () => {
    const { client, stores, storeWith } = await setup();
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
    const { stores, storeWith } = await setup();
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
    const { stores, storeWith } = await setup();
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
    const { stores, storeWith } = await setup();
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
    const { client, stores } = await setup();
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
    { vectorStores = {}, ...options }: Options & { vectorStores?: { embedding_model?: null } } = {},
  ) {
    const upstream = await replayUpstream(replay);
    const models = [modelAt(upstream.url)];
    const prices = { 'acme/embed': { input_cents_per_million: 1e6, output_cents_per_million: 0 } };
    const config = { models, prices, vector_stores: vectorStores };
    return { ...(await setup(undefined, { ...options, config })), upstream };
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
        .where('lease_until', '>', clock.now())
        .where('lease_id', 'is', null)
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

  it('are not used with `embedding_model: null`', async () => {
    const { stores, storeWith, upstream } = await setupEmbeddings(embed, {
      vectorStores: { embedding_model: null },
    });
    const { id } = await storeWith('My automobile is red.');

    expect((await stores.search(id, { query: 'car' })).data).toEqual([]);
    expect(upstream.calls).toEqual([]);
  });

  it.each([
    ['when its process shuts down', true],
    ['when the lease of its process expires', false],
  ])('are continued by another process %s', async (_, shutsDown) => {
    const first = await setupEmbeddings(() => {});
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
