import { describe, expect, it } from 'vitest';
import { expectError, setupChatModel } from '../testing/setup-chat-model.ts';

const file = (content: string | Uint8Array<ArrayBuffer>, name = 'a.txt') =>
  new File([content], name);
const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const purpose = 'user_data';
const day = 86_400_000;

/** A ZIP archive with empty entries. */
function zip(...names: string[]): Uint8Array<ArrayBuffer> {
  const entries = names.map((name) => {
    const head = Buffer.alloc(30);
    head.write('PK\x03\x04', 'latin1');
    head.writeUInt16LE(name.length, 26);
    return Buffer.concat([head, Buffer.from(name)]);
  });
  return Uint8Array.from(Buffer.concat(entries));
}

const compoundFile = (stream: string) =>
  Uint8Array.from(
    Buffer.concat([
      latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
      // Streams are named in a directory, which can be anywhere in the file.
      Buffer.alloc(200_000),
      Buffer.from(`${stream}\0`, 'utf16le'),
    ]),
  );

const openXmlPrefix = 'application/vnd.openxmlformats-officedocument';

describe('a file of the chat-model family', () => {
  it('4.13.10: is stored, listed, downloaded and deleted', async () => {
    const { call, clock, send, upload, store } = await setupChatModel();

    const { status, body } = await upload({ file: file('Hello', 'greeting "1".txt'), purpose });

    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^file-[\w-]{22}$/),
      object: 'file',
      bytes: 5,
      created_at: Math.floor(clock.now() / 1000),
      filename: 'greeting "1".txt',
      purpose,
      status: 'processed',
    });
    expect((await call('GET', `/files/${body.id}`)).body).toEqual(body);
    const content = await send(`/chat-model/v1/files/${body.id}/content`);
    expect(await content.text()).toBe('Hello');
    expect(Object.fromEntries(content.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '5',
      'x-content-type-options': 'nosniff',
    });
    expect((await call('DELETE', `/files/${body.id}`)).body).toEqual({
      id: body.id,
      object: 'file',
      deleted: true,
    });
    for (const path of [`/files/${body.id}`, `/files/${body.id}/content`]) {
      expectError(await call('GET', path), { status: 404, code: 'file_not_found' });
    }
    expect(await store.blobs.get(body.id)).toBeNull();
  });

  it.each([
    ['PDF', latin1('%PDF-1.7\n\x00'), 'application/pdf'],
    [
      'Word',
      zip('[Content_Types].xml', 'word/document.xml'),
      `${openXmlPrefix}.wordprocessingml.document`,
    ],
    [
      'Excel',
      zip('[Content_Types].xml', 'xl/workbook.xml'),
      `${openXmlPrefix}.spreadsheetml.sheet`,
    ],
    [
      'PowerPoint',
      zip('_rels/.rels', '[Content_Types].xml', 'ppt/presentation.xml'),
      `${openXmlPrefix}.presentationml.presentation`,
    ],
    [
      'OpenDocument',
      zip('mimetypeapplication/vnd.oasis.opendocument.text'),
      'application/vnd.oasis.opendocument.text',
    ],
    ['Word 97', compoundFile('WordDocument'), 'application/msword'],
    ['Excel 97', compoundFile('Workbook'), 'application/vnd.ms-excel'],
    ['PowerPoint 97', compoundFile('PowerPoint Document'), 'application/vnd.ms-powerpoint'],
    ['PNG', latin1('\x89PNG\r\n\x1a\n'), 'image/png'],
    ['JPEG', latin1('\xff\xd8\xff\xe0'), 'image/jpeg'],
    ['WebP', latin1('RIFF\x00\x00\x00\x00WEBPVP8 '), 'image/webp'],
    ['HEIC', latin1('\x00\x00\x00\x18ftypheic'), 'image/heic'],
    ['MP3', latin1('ID3\x04\x00'), 'audio/mpeg'],
    ['MP3 without tags', latin1('\xff\xfb\x90\x00'), 'audio/mpeg'],
    ['WAV', latin1('RIFF\xff\x00\x00\x00WAVEfmt '), 'audio/wav'],
    ['Ogg', latin1('OggS\x00\x02\xffOpusHead'), 'audio/ogg'],
    ['FLAC', latin1('fLaC\x00'), 'audio/flac'],
    ['M4A', latin1('\x00\x00\x00\x20ftypM4A '), 'audio/mp4'],
    ['MP4', latin1('\x00\x00\x00\x20ftypisom'), 'video/mp4'],
    ['QuickTime', latin1('\x00\x00\x00\x14ftypqt  '), 'video/quicktime'],
    ['WebM', latin1('\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm'), 'video/webm'],
    ['Matroska', latin1('\x1a\x45\xdf\xa3\xa3\x42\x82\x88matroska'), 'video/x-matroska'],
    ['AVI', latin1('RIFF\xff\x00\x00\x00AVI LIST'), 'video/x-msvideo'],
    ['text', 'Zürich\n', 'text/plain'],
  ])(
    '4.13.10: is downloaded with the media type of its content, not of its file name: %s',
    async (_, content, type) => {
      const { send, upload } = await setupChatModel();

      const { body } = await upload({ file: file(content, 'misleading.bin'), purpose });

      const { headers } = await send(`/chat-model/v1/files/${body.id}/content`);
      expect(headers.get('content-type')).toBe(type);
    },
  );

  it.each([
    ['an unknown format', latin1('\x00\x01\x02')],
    ['an archive', zip('a.txt', 'password/x')],
    ['a compound file that is not a document', compoundFile('Installer')],
    ['text that is not UTF-8', latin1('Z\xfcrich')],
    ['an executable', latin1('\x7fELF\x02\x01\x01\x00')],
  ])('4.13.10: is refused if it is %s', async (_, content) => {
    const { call, upload } = await setupChatModel();

    expectError(await upload({ file: file(content, 'a.pdf'), purpose }), {
      status: 400,
      code: 'validation_error',
      param: 'file',
    });
    expect((await call('GET', '/files')).body.data).toEqual([]);
  });

  it.each(['user_data', 'assistants', 'vision'])(
    '4.13.10: is accepted with the purpose %s',
    async (name) => {
      const { upload } = await setupChatModel();

      expect((await upload({ file: file('x'), purpose: name })).body).toMatchObject({
        purpose: name,
      });
    },
  );

  it.each(['batch', 'fine-tune', 'evals', ''])(
    '4.13.10: is refused with the purpose "%s"',
    async (name) => {
      const { upload } = await setupChatModel();

      const refusal = { status: 400, param: 'purpose', message: 'user_data' };
      expectError(await upload({ file: file('x'), purpose: name }), refusal);
    },
  );

  it('4.13.10: is refused without a purpose, or without a file', async () => {
    const { upload } = await setupChatModel();

    expectError(await upload({ file: file('x') }), { status: 400, param: 'purpose' });
    expectError(await upload({ purpose }), { status: 400, param: 'file' });
    expectError(await upload({ purpose, file: 'text' }), { status: 400, param: 'file' });
  });

  it('4.13.10: is refused if it is empty', async () => {
    const { upload } = await setupChatModel();

    expectError(await upload({ file: file(''), purpose }), {
      status: 400,
      param: 'file',
      message: 'empty',
    });
  });

  it('4.13.10: is refused with 400 if it is too large, with or without a Content-Length', async () => {
    const { upload, send } = await setupChatModel(undefined, {
      config: { limits: { request: { chat_model_file_bytes: 100_000 } } },
    });
    const refusal = { status: 400, param: 'file', message: '100000 bytes' };

    expectError(await upload({ file: file('x'.repeat(100_001)), purpose }), refusal);
    expectError(await upload({ file: file('x'.repeat(200_000)), purpose }), refusal);
    expect((await upload({ file: file('x'.repeat(100_000)), purpose })).status).toBe(200);

    const form = new FormData();
    form.append('file', file('x'.repeat(200_000)));
    const encoded = new Response(form);
    const response = await send('/chat-model/v1/files', {
      method: 'POST',
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      body: encoded.body,
      duplex: 'half',
    } as object);
    expectError(
      {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as object,
      },
      refusal,
    );
  });

  it('4.13.10: is refused above 100 MiB by default', async () => {
    const { upload } = await setupChatModel();
    const maximum = new Uint8Array(104_857_600).fill(0x61);

    const { status, body } = await upload({ file: file(maximum), purpose });
    const refusal = await upload({ file: new File([maximum, 'x'], 'a.txt'), purpose });

    expect(status).toBe(200);
    expect(body.bytes).toBe(104_857_600);
    expectError(refusal, { status: 400, param: 'file', message: '104857600' });
  });

  it.each(['foo', 'expires_after', 'purpose[]', 'filename'])(
    '4.13.10: is refused with the unknown form field `%s`',
    async (name) => {
      const { call, upload } = await setupChatModel();
      const refusal = { status: 400, param: name, message: name };

      expectError(await upload({ [name]: 'x', file: file('x'), purpose }), refusal);
      expectError(await upload({ file: file('x'), purpose, [name]: file('y') }), refusal);
      expect((await call('GET', '/files')).body.data).toEqual([]);
    },
  );

  it('4.13.10: is refused with a query parameter', async () => {
    const { upload } = await setupChatModel();

    expectError(await upload({ file: file('x'), purpose }, '?purpose=vision'), {
      status: 400,
      param: 'purpose',
      message: 'purpose',
    });
  });

  it.each<[fields: Record<string, string>, param: string]>([
    [{ 'expires_after[anchor]': 'now', 'expires_after[seconds]': '3600' }, 'expires_after[anchor]'],
    [{ 'expires_after[seconds]': '3600' }, 'expires_after[anchor]'],
    [{ 'expires_after[anchor]': 'created_at' }, 'expires_after[seconds]'],
    ...['3599', '2592001', '1e4', '-1', ''].map((seconds): [Record<string, string>, string] => [
      { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': seconds },
      'expires_after[seconds]',
    ]),
  ])('4.13.10: is refused with the invalid expiry %j', async (fields, param) => {
    const { upload } = await setupChatModel();

    expectError(await upload({ file: file('x'), purpose, ...fields }), {
      status: 400,
      param,
    });
  });

  it('4.13.10: cannot be read after it has expired, and is then deleted', async () => {
    const { call, clock, store, upload } = await setupChatModel();
    const { body } = await upload({
      'expires_after[anchor]': 'created_at',
      'expires_after[seconds]': '3600',
      file: file('x'),
      purpose,
    });
    expect(body.expires_at).toBe(body.created_at + 3600);

    clock.advance(3_599_999);
    expect((await call('GET', `/files/${body.id}`)).body).toEqual(body);
    clock.advance(1);

    expectError(await call('GET', `/files/${body.id}`), { status: 404, code: 'file_not_found' });
    expect((await call('GET', '/files')).body.data).toEqual([]);
    const content = () => {
      clock.advance(3_600_000);
      return store.blobs.get(body.id);
    };
    await expect.poll(content).toBeNull();
    expect(await store.db.selectFrom('chat_model_files').selectAll().execute()).toEqual([]);
  });

  it('4.13.11: is listed in pages, newest first by default, and can be filtered by purpose', async () => {
    const { call, clock, upload } = await setupChatModel();
    const ids: string[] = [];
    for (const name of ['user_data', 'vision', 'user_data']) {
      clock.advance(1000);
      ids.push((await upload({ file: file('x'), purpose: name })).body.id);
    }
    const list = async (query: string) => {
      const { body } = await call('GET', `/files${query}`);
      const found = body.data.map(({ id }: { id: string }) => ids.indexOf(id));
      expect(body).toMatchObject({
        object: 'list',
        first_id: ids[found[0]],
        last_id: ids[found.at(-1)],
      });
      return { found, hasMore: body.has_more };
    };

    expect(await list('')).toEqual({ found: [2, 1, 0], hasMore: false });
    expect(await list('?limit=2')).toEqual({ found: [2, 1], hasMore: true });
    expect(await list(`?after=${ids[1]}`)).toEqual({ found: [0], hasMore: false });
    expect(await list(`?order=asc&after=${ids[1]}`)).toEqual({ found: [2], hasMore: false });
    expect(await list('?purpose=user_data')).toEqual({ found: [2, 0], hasMore: false });
    expectError(await call('GET', '/files?after=file-none'), { status: 400, param: 'after' });
    expectError(await call('GET', '/files?order=up'), { status: 400, param: 'order' });
    expectError(await call('GET', '/files?limit=0'), { status: 400, param: 'limit' });
  });

  it('4.13.11: cannot be listed with an unknown query parameter', async () => {
    const { call } = await setupChatModel();

    expectError(await call('GET', '/files?limit=2&before=file-x'), {
      status: 400,
      param: 'before',
      message: 'before',
    });
  });

  it('belongs to the tenant: another API key reads, lists and deletes it', async () => {
    const { call, otherKey, send, upload } = await setupChatModel();
    const { body } = await upload({ file: file('x'), purpose });
    const { headers } = await otherKey();
    const path = `/files/${body.id}`;

    expect((await call('GET', path, undefined, headers)).body).toEqual(body);
    expect(await (await send(`/chat-model/v1${path}/content`, { headers })).text()).toBe('x');
    expect((await call('GET', '/files', undefined, headers)).body.data).toEqual([body]);
    expect((await call('DELETE', path, undefined, headers)).body).toMatchObject({ deleted: true });
    expectError(await call('GET', path), { status: 404, code: 'file_not_found' });
  });

  it('is not stored if its upload ends early', async () => {
    const { call, clock, send, store } = await setupChatModel();
    const head =
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ncontent without an end';

    const response = await send('/chat-model/v1/files', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: head,
    });

    expect(response.status).toBe(400);
    clock.advance(day);
    expect((await call('GET', '/files')).body.data).toEqual([]);
    expect(await store.db.selectFrom('chat_model_files').selectAll().execute()).toEqual([]);
  });
});
