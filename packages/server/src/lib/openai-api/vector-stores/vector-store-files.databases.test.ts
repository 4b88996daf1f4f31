import { ConflictError } from 'openai';
import { describe, expect, it } from 'vitest';
import { collect, errorOf, setupVectorStores } from '../../testing/setup-vector-stores.ts';
import { zip } from '../../testing/zip.ts';

describe('files of vector stores with the official client', () => {
  it('can be added, read, changed, listed and removed', async () => {
    const { stores, upload, fast, client } = await setupVectorStores();
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
    const { stores, storeWith, client, store, clock } = await setupVectorStores();
    const { id, files } = await storeWith('Hello', 'Bye');

    await client.files.delete(String(files[0]?.id));

    expect((await collect(stores.files.list(id))).map((file) => file.id)).toEqual([files[1]?.id]);
    expect((await stores.retrieve(id)).file_counts.total).toBe(1);
    clock.advance(2000);
    const chunks = () => store.db.selectFrom('vector_store_chunks').select('text').execute();
    await expect.poll(chunks).toEqual([{ text: 'Bye' }]);
  });

  it('are indexed again when they are added again', async () => {
    const { stores, storeWith, fast } = await setupVectorStores();
    const { id, files } = await storeWith('Hello');
    const file_id = String(files[0]?.id);

    await stores.files.createAndPoll(id, { file_id, attributes: { version: 2 } }, fast);

    expect((await stores.retrieve(id)).file_counts).toMatchObject({ completed: 1, total: 1 });
    const { data } = await stores.search(id, { query: 'hello' });
    expect(data).toMatchObject([{ file_id, attributes: { version: 2 } }]);
  });

  it('are divided into overlapping chunks, and their content has the whole text once', async () => {
    const { stores, upload, fast } = await setupVectorStores();
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
    const { stores, upload, fast } = await setupVectorStores();
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
    const { stores, upload, fast } = await setupVectorStores();
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
    const { stores, upload, fast } = await setupVectorStores();
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
    const { stores, upload, fast } = await setupVectorStores();
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
    const { stores, upload } = await setupVectorStores();
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
    const { stores, upload, fast } = await setupVectorStores(undefined, {
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
