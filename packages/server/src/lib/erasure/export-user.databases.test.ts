import { EmbedConfig } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { message } from '../testing/setup-conversation.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

const path = '/agent/v1/agents/test/end_users/ada/export';

async function setup() {
  const server = await setupServer({ agent: { appearance: { consent: { text: 'Agree?' } } } });
  const { app, backend, issue, requestAsUser, store } = server;
  const { token } = await issue('ada', {
    metadata: { plan: 'gold' },
    system_message: [{ type: 'text', text: 'Ada is a pilot.' }],
  });
  return {
    ...server,
    token,
    call: (method: string, url: string, body?: object, userToken = token) =>
      requestAsUser(userToken, method, `/agent/v1${url}`, body),
    upload: async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
      const body = new FormData();
      body.append('file', new File([content], name));
      const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
      const response = await app.request('/agent/v1/files', { method: 'POST', body, headers });
      return ((await response.json()) as { id: string }).id;
    },
    settled: () => expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]),
    /** Exports the user. Returns the texts of the archive by path. */
    exportTexts: async () => {
      const response = await backend('POST', path);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'application/zip',
      ]);
      return unzip(Buffer.from(await response.arrayBuffer()));
    },
  };
}

async function unzip(archive: Buffer): Promise<Record<string, string>> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(archive, { lazyEntries: true }, (error, file) =>
      error ? reject(error) : resolve(file as ZipFile),
    );
  });
  const texts: Record<string, string> = {};
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject).on('end', resolve);
    zip.on('entry', (entry: Entry) => {
      zip.openReadStream(entry, async (error, stream) => {
        if (error || !stream) return reject(error);
        texts[entry.fileName] = Buffer.concat(await stream.toArray()).toString();
        zip.readEntry();
      });
    });
    zip.readEntry();
  });
  return texts;
}

describe('the export of an end user', () => {
  it('has conversations, feedback, files and records of tokens, and nothing of others', async () => {
    const { call, upload, issue, settled, exportTexts } = await setup();
    const file = await upload('plan.txt', 'The plan');
    const attached = { type: 'document', source: { type: 'file', file_id: file } };
    const content = [{ type: 'text', text: 'Hello there' }, attached];
    const body = { title: 'First', initial_events: [{ type: 'user.message', content }] };
    const created = await call('POST', '/sessions', body);
    const { id } = (await created.json()) as { id: string };
    const { token: other } = await issue('eve');
    await call('POST', '/sessions', { initial_events: [message('A secret of Eve')] }, other);
    await settled();
    const page = await call('GET', `/sessions/${id}/events?types[]=agent.message`);
    const [answer] = ((await page.json()) as { data: { id: string }[] }).data;
    await call('POST', `/sessions/${id}/feedback`, { event_id: answer?.id, rating: 'up' });
    const config = EmbedConfig.parse(await (await call('GET', '/embed/config')).json());
    const consent = { text_sha256: config.consent?.text_sha256, language: 'en' };
    await call('POST', '/embed/consents', consent);

    const texts = await exportTexts();

    const stem = `conversations/conversation-2026-01-15-first-${id}`;
    expect(Object.keys(texts).sort()).toEqual(
      [
        `${stem}.json`,
        `${stem}.md`,
        'consents.json',
        'embed_tokens.json',
        `feedback/${id}.json`,
        `files/${file}-plan.txt`,
        'user.json',
      ].sort(),
    );
    expect(texts[`${stem}.md`]).toContain('> Hello there');
    expect(JSON.parse(texts[`${stem}.json`] ?? '')).toMatchObject({
      session: { id, title: 'First' },
    });
    expect(JSON.parse(texts['embed_tokens.json'] ?? '')).toMatchObject([
      { metadata: { plan: 'gold' }, system_message: [{ text: 'Ada is a pilot.' }] },
    ]);
    expect(JSON.parse(texts[`feedback/${id}.json`] ?? '')).toMatchObject([{ rating: 'up' }]);
    expect(texts[`files/${file}-plan.txt`]).toBe('The plan');
    expect(JSON.parse(texts['user.json'] ?? '')).toMatchObject({
      external_user_id: 'ada',
      first_seen_at: '2026-01-15T12:00:00.000Z',
      last_seen_at: '2026-01-15T12:00:00.000Z',
    });
    expect(JSON.parse(texts['consents.json'] ?? '')).toMatchObject([
      { text: 'Agree?', language: 'en', given_at: '2026-01-15T12:00:00.000Z' },
    ]);
    expect(JSON.stringify(texts)).not.toContain('Eve');
  });

  it('of an unknown user has no conversations', async () => {
    const { backend } = await setup();

    const response = await backend('POST', path.replace('ada', 'bob'));

    const texts = await unzip(Buffer.from(await response.arrayBuffer()));
    expect(Object.keys(texts)).toEqual(['user.json', 'embed_tokens.json']);
    expect(texts['embed_tokens.json']).toBe('[]');
  });

  it('reads a file only when the previous ones were sent', async () => {
    const { backend, upload, store } = await setup();
    for (let n = 0; n < 12; n += 1) await upload(`${n}.bin`, new Uint8Array(200_000).fill(n + 1));
    let opened = 0;
    const { read } = store.blobs;
    store.blobs.read = (id) => {
      opened += 1;
      return read(id);
    };

    const reader = (await backend('POST', path)).body?.getReader();
    await reader?.read();

    await new Promise((resolve) => setImmediate(resolve));
    expect(opened).toBeLessThan(4);
    let bytes = 0;
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      bytes += part.value.byteLength;
    }
    expect([opened, bytes > 2_400_000]).toEqual([12, true]);
  });

  it('reads nothing more when the caller has disconnected', async () => {
    const { backend, upload, store } = await setup();
    for (let n = 0; n < 3; n += 1) await upload(`${n}.bin`, new Uint8Array(2_000_000).fill(n + 1));
    let opened = 0;
    const { read } = store.blobs;
    store.blobs.read = (id) => {
      opened += 1;
      return read(id);
    };
    const reader = (await backend('POST', path)).body?.getReader();
    while (opened === 0) await reader?.read();

    await reader?.cancel();

    await new Promise((resolve) => setImmediate(resolve));
    expect(opened).toBe(1);
  });

  it('is in the audit record, and is not found with an embed token', async () => {
    const { backend, call } = await setup();
    await (await backend('POST', path)).arrayBuffer();

    const list = await backend('GET', '/agent/v1/audit_events');

    expect(((await list.json()) as { data: unknown[] }).data).toMatchObject([
      { action: 'POST /agent/v1/agents/:agent_id/end_users/:external_user_id/export' },
    ]);
    expect((await call('POST', path.replace('/agent/v1', ''))).status).toBe(404);
  });
});
