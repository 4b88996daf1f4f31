/** Quotas of the files that visitors of a publishable key upload, and the free disk space. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AnonymousTokenResponse } from '@inlay/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';

async function setup(key: object = {}, options: SetupOptions = {}) {
  const server = await setupServer({
    ...options,
    config: { ...options.config, trusted_proxies: 1 },
    agent: { ...options.agent, publishable_keys: [{ key: 'pk_test', ...key }] },
  });
  const upload = (token: string, address: string, bytes: number) => {
    const body = new FormData();
    body.append('file', new File([Buffer.alloc(bytes, 'x')], 'a.txt', { type: 'text/plain' }));
    const headers = {
      authorization: `Bearer ${token}`,
      origin: testOrigin,
      'x-forwarded-for': address,
    };
    return server.app.request('/agent/v1/files', { method: 'POST', body, headers });
  };
  const getToken = async (address: string) => {
    const response = await server.requestAsPage(
      'POST',
      '/agent/v1/embed_tokens/anonymous',
      { publishable_key: 'pk_test' },
      { 'x-forwarded-for': address },
    );
    return AnonymousTokenResponse.parse(await response.json()).token;
  };
  return {
    ...server,
    upload,
    getToken,
    /** Uploads 100 bytes at a time as new visitors of an address until one is rejected. Returns the bytes. */
    async exhaust(address: string) {
      let bytes = 0;
      while ((await upload(await getToken(address), address, 100)).status === 200) bytes += 100;
      return bytes;
    },
  };
}

const key = {
  file_bytes_per_day: 10_000,
  file_bytes_per_source_per_day: 500,
  new_visitors_per_hour: 1000,
};

describe('uploads of visitors', () => {
  it('are limited per source, network and key, and the reserve remains for new networks', async () => {
    const { exhaust, upload, getToken } = await setup(key);

    expect(await exhaust('203.0.113.1')).toBe(500);
    expect(await exhaust('203.0.113.2')).toBe(500);
    expect(await exhaust('203.0.113.3')).toBe(0);
    for (let n = 0; n < 5; n += 1) {
      const first = await exhaust(`198.51.${n}.1`);
      expect(first + (await exhaust(`198.51.${n}.2`))).toBe(1000);
    }
    const refused = await upload(await getToken('203.0.113.1'), '203.0.113.1', 100);
    expect(refused.headers.get('retry-after')).toBe('43200');
    expect(await problemOf(refused)).toMatchObject({
      status: 429,
      code: 'EMBED_QUOTA_EXCEEDED',
      detail: expect.stringContaining('of visitors from this address'),
    });
    // The part that is not reserved is used up: a new network may still upload a little.
    expect(await exhaust('192.0.2.1')).toBe(200);
  });

  it('are counted when they arrive at the same time', async () => {
    const { upload, getToken } = await setup(key);
    const tokens = await Promise.all(Array.from({ length: 8 }, () => getToken('203.0.113.1')));

    const responses = await Promise.all(tokens.map((token) => upload(token, '203.0.113.1', 200)));

    expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
  });

  it('count until the next day, even if the visitor deletes all data', async () => {
    const { upload, getToken, requestAsUser } = await setup(key, {
      agent: { appearance: { features: { forget_me: true } } },
    });
    const token = await getToken('203.0.113.1');
    expect((await upload(token, '203.0.113.1', 400)).status).toBe(200);

    expect((await requestAsUser(token, 'POST', '/agent/v1/embed/forget_me')).status).toBe(200);

    expect((await upload(await getToken('203.0.113.1'), '203.0.113.1', 400)).status).toBe(429);
  });

  it('that are not sent are limited in total, until they are sent', async () => {
    const { upload, getToken, requestAsUser } = await setup({ unsent_file_bytes: 300 });
    const token = await getToken('203.0.113.1');
    const file = (await (await upload(token, '203.0.113.1', 200)).json()) as { id: string };

    const other = await getToken('198.51.100.1');
    const refused = await upload(other, '198.51.100.1', 200);
    const attachment = { type: 'document', source: { type: 'file', file_id: file.id } };
    const text = message('See the file.');
    const sent = await requestAsUser(token, 'POST', '/agent/v1/sessions', {
      initial_events: [{ ...text, content: [...text.content, attachment] }],
    });

    expect((await problemOf(refused)).detail).toContain('not sent');
    expect(sent.status).toBe(200);
    expect((await upload(other, '198.51.100.1', 200)).status).toBe(200);
  });

  it('that are not sent may use the reserve for new networks, whatever their own size', async () => {
    const { upload, getToken } = await setup({
      file_bytes_per_day: 100_000_000,
      unsent_file_bytes: 30_000_000,
      reserve_percent: 90,
    });

    const response = await upload(await getToken('203.0.113.1'), '203.0.113.1', 4_000_000);

    expect(response.status).toBe(200);
  });

  it('are rejected with 503 while less disk space is free than `store.minimum_free_bytes`', async () => {
    const data = await mkdtemp(join(tmpdir(), 'inlay-disk-'));
    onTestFinished(() => rm(data, { recursive: true }));
    const store = { minimum_free_bytes: Number.MAX_SAFE_INTEGER };
    const { upload, getToken, issue, logLines } = await setup({}, { data, config: { store } });

    const refused = await upload(await getToken('203.0.113.1'), '203.0.113.1', 10);

    expect(refused.headers.get('retry-after')).toBe('300');
    expect(await problemOf(refused)).toMatchObject({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      detail: expect.stringContaining('Send the message without the file'),
    });
    expect(logLines.join()).toContain('store.minimum_free_bytes');
    expect((await upload((await issue()).token, '203.0.113.1', 10)).status).toBe(200);
  });
});
