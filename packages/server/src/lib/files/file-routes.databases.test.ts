import { describe, expect, it } from 'vitest';
import { createLogger } from '../log/logger.ts';
import type { Store } from '../store/store.ts';
import { chatEndpoint, chunk, finish, stream } from '../testing/chat-endpoint.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';
import { openTestStore } from '../testing/test-store.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

async function setup(options: SetupOptions = {}) {
  const server = await setupServer(options);
  const { token } = await server.issue();
  const headers = (userToken = token) => ({
    authorization: `Bearer ${userToken}`,
    origin: testOrigin,
  });
  const upload = (bytes: Uint8Array<ArrayBuffer>, name: string, type = 'image/png') => {
    const form = new FormData();
    form.append('file', new File([bytes], name, { type }));
    return server.app.request('/agent/v1/files', {
      method: 'POST',
      body: form,
      headers: headers(),
    });
  };
  const read = (id: string, userToken = token) =>
    server.app.request(`/agent/v1/files/${id}/content`, { headers: headers(userToken) });
  return { ...server, token, upload, read };
}

describe('files', () => {
  it('are returned unchanged, and inline if they are images', async () => {
    const { upload, read } = await setup();

    const file = (await (await upload(png, 'cat "1".png')).json()) as { id: string };
    const content = await read(file.id);

    expect(file).toMatchObject({
      type: 'file',
      id: expect.stringMatching(/^file_/),
      filename: 'cat "1".png',
      mime_type: 'image/png',
      size_bytes: png.length,
    });
    expect(Buffer.from(await content.arrayBuffer())).toEqual(png);
    expect(Object.fromEntries(content.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `inline; filename*=UTF-8''cat%20%221%22.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  it.each([
    ['HTML pages', '<html><script>alert(1)</script></html>', 'text/plain'],
    ['SVG images', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'text/plain'],
    ['PDF files', '%PDF-1.7 \x00', 'application/pdf'],
    ['files of another format', '\x00\x01', 'application/octet-stream'],
  ])(
    'are sent as downloads if they are %s, even if the client claimed an image type',
    async (_, text, type) => {
      const { upload, read } = await setup();

      const file = (await (await upload(Buffer.from(text), 'x.png')).json()) as { id: string };
      const { headers } = await read(file.id);

      expect(file).toMatchObject({ mime_type: type });
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('content-disposition')).toMatch(/^attachment/);
    },
  );

  it('are not found by other users', async () => {
    const { upload, read, issue } = await setup();
    const file = (await (await upload(png, 'a.png')).json()) as { id: string };

    expect((await read(file.id, (await issue('eve')).token)).status).toBe(404);
    expect((await read('file_none')).status).toBe(404);
  });

  it('are rejected if they exceed `request.file_bytes`, even without a Content-Length', async () => {
    const { upload, app, token } = await setup({
      config: { limits: { request: { file_bytes: 1000 } } },
    });
    const boundary = 'b';
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`;
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(Buffer.from(sent === 0 ? head : 'x'.repeat(5000)));
        sent += 5000;
      },
    });

    const withLength = await upload(Buffer.alloc(2000, 'x'), 'big');
    const withoutLength = await app.request('/agent/v1/files', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        origin: testOrigin,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: endless,
      duplex: 'half',
    } as RequestInit);

    expect(withLength.status).toBe(413);
    expect(withoutLength.status).toBe(413);
    expect(sent).toBeLessThan(100_000);
  });

  it('are limited to a total of `user.file_bytes_per_day` for each end user', async () => {
    const { upload, clock, issue, app } = await setup({
      config: { limits: { user: { file_bytes_per_day: 100 } } },
    });
    const sixtyBytes = Buffer.alloc(60, 'x');

    expect((await upload(sixtyBytes, 'a')).status).toBe(200);
    const refused = await upload(sixtyBytes, 'b');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('43200');
    expect(await refused.json()).toMatchObject({ code: 'EMBED_QUOTA_EXCEEDED' });
    expect((await upload(Buffer.alloc(40, 'x'), 'c')).status).toBe(200);

    const form = new FormData();
    form.append('file', new File([sixtyBytes], 'd'));
    const { token } = await issue('bob');
    const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
    const other = await app.request('/agent/v1/files', { method: 'POST', body: form, headers });
    expect(other.status).toBe(200);

    clock.advance(43_200_000);
    const fresh = await issue();
    const again = new FormData();
    again.append('file', new File([sixtyBytes], 'e'));
    const tomorrow = await app.request('/agent/v1/files', {
      method: 'POST',
      body: again,
      headers: { authorization: `Bearer ${fresh.token}`, origin: testOrigin },
    });
    expect(tomorrow.status).toBe(200);
  });

  it('are sent to the model as an image or as text, depending on their type', async () => {
    const { url, requests } = await chatEndpoint(stream(chunk({ content: 'Nice.' }), finish()));
    const { upload, requestAsUser, token } = await setup({
      agent: { model: { provider: 'openai-compatible', base_url: url, model: 'm' } },
    });
    const idOf = async (response: Response) => ((await response.json()) as { id: string }).id;
    const image = await idOf(await upload(png, 'cat.png'));
    const notes = await idOf(await upload(Buffer.from('milk, eggs'), 'notes.txt'));
    const block = (type: string, file_id: string) => ({ type, source: { type: 'file', file_id } });

    await requestAsUser(token, 'POST', '/agent/v1/sessions', {
      initial_events: [
        { type: 'user.message', content: [block('image', image), block('document', notes)] },
      ],
    });

    await expect.poll(() => requests.length).toBe(1);
    expect(requests[0]?.body.messages.at(-1)?.content).toEqual([
      {
        type: 'image_url',
        image_url: { url: `data:image/png;base64,${png.toString('base64')}` },
      },
      { type: 'text', text: '[Attached file "notes.txt"]\nmilk, eggs' },
    ]);
  });

  it('are truncated for the model at 200,000 bytes if they are texts, without splitting a character', async () => {
    const { url, requests } = await chatEndpoint(stream(chunk({ content: 'Nice.' }), finish()));
    const { upload, requestAsUser, token } = await setup({
      agent: { model: { provider: 'openai-compatible', base_url: url, model: 'm' } },
    });
    const text = Buffer.from(`x${'é'.repeat(100_000)}`);
    const { id } = (await (await upload(text, 'long.txt')).json()) as { id: string };

    const content = [{ type: 'document', source: { type: 'file', file_id: id } }];
    await requestAsUser(token, 'POST', '/agent/v1/sessions', {
      initial_events: [{ type: 'user.message', content }],
    });

    await expect.poll(() => requests.length).toBe(1);
    expect(requests[0]?.body.messages.at(-1)?.content).toBe(
      `[Attached file "long.txt"]\nx${'é'.repeat(99_999)}`,
    );
  });

  it('are logged with the size that their message states, which must not be negative', async () => {
    const { upload, requestAsUser, token } = await setup({});
    const uploaded = (await (await upload(Buffer.from('milk, eggs'), 'notes.txt')).json()) as {
      id: string;
      size_bytes: number;
    };
    const create = (size_bytes: number) =>
      requestAsUser(token, 'POST', '/agent/v1/sessions', {
        initial_events: [
          {
            type: 'user.message',
            content: [
              { type: 'document', source: { type: 'file', file_id: uploaded.id }, size_bytes },
            ],
          },
        ],
      });

    const refused = await create(-1);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('size_bytes');

    const created = await create(uploaded.size_bytes);
    const { id } = (await created.json()) as { id: string };
    const events = await requestAsUser(token, 'GET', `/agent/v1/sessions/${id}/events`);
    expect(await events.text()).toContain('"size_bytes":10');
  });
});

describe('files for the model', () => {
  it('are read as far as the model gets them: texts up to the limit, other types not at all', async () => {
    const { url, requests } = await chatEndpoint(stream(chunk({ content: 'Nice.' }), finish()));
    const store = await openTestStore(
      createLogger(
        () => 0,
        () => {},
      ),
    );
    const readBytes: number[] = [];
    const blobs: Store['blobs'] = {
      ...store.blobs,
      async get(...parameters) {
        const bytes = await store.blobs.get(...parameters);
        readBytes.push(bytes?.byteLength ?? 0);
        return bytes;
      },
    };
    const { upload, requestAsUser, token } = await setup({
      sharedStore: { ...store, blobs },
      agent: { model: { provider: 'openai-compatible', base_url: url, model: 'm' } },
    });
    const contents = ['PK\x03\x04\x00'.padEnd(500_000), 'x'.repeat(500_000)];
    const files = await Promise.all(
      contents.map(async (content, index) => upload(Buffer.from(content), `${index}`)),
    );
    const ids = await Promise.all(
      files.map(async (response) => ((await response.json()) as { id: string }).id),
    );

    await requestAsUser(token, 'POST', '/agent/v1/sessions', {
      initial_events: [
        {
          type: 'user.message',
          content: ids.map((id) => ({ type: 'document', source: { type: 'file', file_id: id } })),
        },
      ],
    });

    await expect.poll(() => requests.length).toBe(1);
    const content = String(requests[0]?.body.messages.at(-1)?.content);
    expect(content.slice(0, 53)).toBe('[Attached file "0", application/zip, cannot be read]\n');
    expect(readBytes).toEqual([200_000]);
  });
});

describe('the attachment policy of an agent', () => {
  const appearance = {
    attachments: { max_bytes: 100, max_files: 2, media_types: ['image/*', 'text/csv'] },
  };

  it('is part of the embed configuration, with the size limit of the server if that limit is lower', async () => {
    const config = async (options: SetupOptions) => {
      const { requestAsUser, token } = await setup(options);
      const response = await requestAsUser(token, 'GET', '/agent/v1/embed/config');
      return ((await response.json()) as { attachments: object }).attachments;
    };

    expect(await config({ agent: { appearance } })).toEqual(appearance.attachments);
    expect(await config({})).toEqual({ max_bytes: 26_214_400, max_files: 10, media_types: [] });
    expect(
      await config({ agent: { appearance }, config: { limits: { request: { file_bytes: 50 } } } }),
    ).toMatchObject({ max_bytes: 50 });
  });

  it('limits the size and type of uploads, with the limit in the error', async () => {
    const { upload } = await setup({ agent: { appearance } });

    const large = await upload(Buffer.concat([png, Buffer.alloc(100)]), 'a.png');
    const other = await upload(Buffer.from('%PDF-1.7'), 'a.pdf', 'image/png');

    expect([large.status, await large.json()]).toMatchObject([
      413,
      { code: 'PAYLOAD_TOO_LARGE', detail: expect.stringContaining('100') },
    ]);
    expect([other.status, await other.json()]).toMatchObject([
      400,
      {
        code: 'VALIDATION_ERROR',
        errors: [
          {
            pointer: '/file',
            message: 'must be of one of these types: image/*, text/csv; it is application/pdf',
          },
        ],
      },
    ]);
    expect((await upload(png, 'a.png')).status).toBe(200);
    expect((await upload(Buffer.from('a,b'), 'a.csv', 'text/csv')).status).toBe(200);
  });

  it('limits the number of files in a message', async () => {
    const { upload, requestAsUser, token } = await setup({ agent: { appearance } });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      ids.push(((await (await upload(png, `${n}.png`)).json()) as { id: string }).id);
    }
    const send = (fileIds: string[]) =>
      requestAsUser(token, 'POST', '/agent/v1/sessions', {
        initial_events: [
          {
            type: 'user.message',
            content: fileIds.map((id) => ({
              type: 'image',
              source: { type: 'file', file_id: id },
            })),
          },
        ],
      });

    expect((await send(ids.slice(0, 2))).status).toBe(200);
    const refused = await send(ids);
    expect(await refused.json()).toMatchObject({
      errors: [
        { pointer: '/initial_events/0/content', message: 'must have at most 2 attachments' },
      ],
    });
  });

  it('rejects uploads and messages with files if `features.attachments` is false', async () => {
    const server = await setup();
    const file = (await (await server.upload(png, 'a.png')).json()) as { id: string };
    await server.backend('POST', '/agent/v1/agents/test', {
      appearance: { features: { attachments: false } },
    });

    const uploaded = await server.upload(png, 'a.png');
    const sent = await server.requestAsUser(server.token, 'POST', '/agent/v1/sessions', {
      initial_events: [
        {
          type: 'user.message',
          content: [{ type: 'image', source: { type: 'file', file_id: file.id } }],
        },
      ],
    });

    for (const response of [uploaded, sent]) {
      expect([response.status, await response.json()]).toMatchObject([
        403,
        { code: 'EMBED_FEATURE_DISABLED', detail: 'This agent takes no attachments.' },
      ]);
    }
  });
});
