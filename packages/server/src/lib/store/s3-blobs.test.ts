import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../clock.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { spawnServer } from '../testing/server-process.ts';
import { optionsOf, startS3, type TestS3 } from '../testing/services/s3.ts';
import { testOrigin } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createMemoryBlobs, createMovedBlobs } from './blobs.ts';
import { openS3Blobs } from './s3-blobs.ts';

const megabyte = 1024 * 1024;

let s3: TestS3;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.stop());
beforeEach(() => {
  s3.setFault(null);
  s3.requests.length = 0;
});

const open = (settings = {}, environment: Record<string, string> = {}) => {
  const options = optionsOf(s3);
  return openS3Blobs({
    ...options,
    settings: { ...options.settings, ...settings },
    secret: (name) => environment[name] ?? options.secret(name),
    clock: systemClock,
  });
};

/** Bytes that differ at every position of a part. */
const content = (size: number) =>
  Buffer.from(Uint32Array.from({ length: size / 4 }, (_, n) => n).buffer);

async function collect(pieces: AsyncIterable<Uint8Array> | null): Promise<Buffer> {
  const collected: Uint8Array[] = [];
  for await (const piece of pieces ?? []) collected.push(piece);
  return Buffer.concat(collected);
}

describe('blobs in an object storage', () => {
  it('are uploaded in parts, of which one is kept in memory', async () => {
    const blobs = await open({ prefix: 'chat/' });
    const bytes = content(20 * megabyte);
    let ahead = 0;
    const partsSent = () => s3.requests.filter((line) => line.includes('partNumber=')).length;

    await blobs.put(
      'file_large',
      (async function* () {
        for (let offset = 0; offset < bytes.length; offset += megabyte) {
          yield bytes.subarray(offset, offset + megabyte);
          ahead = Math.max(ahead, offset + megabyte - partsSent() * 8 * megabyte);
        }
      })(),
    );

    expect(ahead).toBeLessThanOrEqual(9 * megabyte);
    expect(s3.requests).toContain('POST /inlay/chat/file_large?uploads=');
    expect(partsSent()).toBe(3);
    expect((await collect(await blobs.read('file_large'))).equals(bytes)).toBe(true);
    expect((await blobs.get('file_large', 10))?.length).toBe(10);
  });

  it('of a failed upload are not stored, and the failure is that of the source', async () => {
    const blobs = await open();
    const bytes = async function* () {
      yield content(9 * megabyte);
      throw new Error('the client disconnected');
    };

    await expect(blobs.put('file_failed', bytes())).rejects.toThrow('the client disconnected');

    expect(await blobs.get('file_failed')).toBeNull();
    expect(s3.requests.some((line) => /^DELETE .*file_failed\?uploadId=/.test(line))).toBe(true);
  });

  it('may be empty', async () => {
    const blobs = await open();

    await blobs.put('file_empty', []);

    expect(await blobs.get('file_empty')).toHaveLength(0);
  });

  it('are read to the end if downloads break off', async () => {
    const blobs = await open();
    const bytes = content(4 * megabyte);
    await blobs.put('file_cut', [bytes]);
    let cuts = 0;
    s3.setFault(({ method, headers }, response) => {
      if (method !== 'GET' || cuts === 2) return false;
      cuts += 1;
      const start = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
      response.writeHead(start ? 206 : 200, { 'content-length': bytes.length - start });
      response.write(bytes.subarray(start, start + megabyte), () => response.destroy());
      return true;
    });

    const read = await collect(await blobs.read('file_cut'));

    expect(cuts).toBe(2);
    expect(read.equals(bytes)).toBe(true);
  });

  it.each([429, 500, 503])(
    'are stored and read if a request fails once with %i',
    async (status) => {
      const blobs = await open();
      const failed = new Set<string | undefined>();
      s3.setFault(({ method }, response) => {
        if (failed.has(method)) return false;
        failed.add(method);
        response.writeHead(status).end();
        return true;
      });

      await blobs.put('file_retried', [Buffer.from('content')]);

      expect(String(await blobs.get('file_retried'))).toBe('content');
      await blobs.delete('file_retried');
      expect([...failed].toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'PUT']);
    },
  );

  it('are missing if they are deleted while they are looked up', async () => {
    const blobs = await open();
    await blobs.put('file_deleted', [Buffer.from('content')]);
    s3.setFault(({ method }, response) => {
      if (method !== 'GET') return false;
      response.writeHead(404, { 'content-type': 'application/xml' });
      response.end('<Error><Code>NoSuchKey</Code><Message>There is none.</Message></Error>');
      return true;
    });

    expect(await blobs.get('file_deleted')).toBeNull();
  });

  it('are not waited for without end if the service does not respond', async () => {
    const clock = createFakeClock();
    const blobs = await openS3Blobs({ ...optionsOf(s3), clock });
    await blobs.put('file_slow', [content(megabyte)]);
    s3.setFault(({ method }, response) => {
      if (method === 'HEAD') return false;
      if (method === 'GET') response.writeHead(200, { 'content-length': megabyte }).write('x');
      return true;
    });
    let isEnded = false;
    const outcomes = Promise.allSettled([
      blobs.get('file_slow'),
      blobs.put('file_other', [Buffer.from('x')]),
    ]).finally(() => {
      isEnded = true;
    });
    await expect
      .poll(() => {
        clock.advance(30_000);
        return isEnded;
      })
      .toBe(true);

    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ reason: { name: 'BlobsUnavailableError' } });
    }
  });

  it('of an earlier storage are still read and deleted', async () => {
    const former = createMemoryBlobs();
    await former.put('file_old', [Buffer.from('old')]);
    const blobs = createMovedBlobs(await open(), former);

    await blobs.put('file_new', [Buffer.from('new')]);

    expect(String(await blobs.get('file_old'))).toBe('old');
    expect(String(await collect(await blobs.read('file_old')))).toBe('old');
    expect(String(await blobs.get('file_new'))).toBe('new');
    expect(await former.get('file_new')).toBeNull();
    await blobs.delete('file_old');
    expect(await blobs.get('file_old')).toBeNull();
  });
});

describe('the start', () => {
  it('leaves no object behind', async () => {
    await open({ prefix: 'start/' });

    expect(s3.requests.map((line) => line.split('/')[0]?.trim())).toEqual([
      'PUT',
      'HEAD',
      'GET',
      'DELETE',
      'HEAD',
    ]);
  });

  it.each([
    ['an unknown key', {}, { AWS_ACCESS_KEY_ID: 'unknown' }, 'Correct AWS_ACCESS_KEY_ID'],
    ['a wrong secret', {}, { AWS_SECRET_ACCESS_KEY: 'wrong' }, 'Correct AWS_ACCESS_KEY_ID'],
    ['a missing secret', {}, { AWS_SECRET_ACCESS_KEY: '' }, 'AWS_SECRET_ACCESS_KEY is not set'],
    ['a temporary key', {}, { AWS_ACCESS_KEY_ID: 'ASIAX' }, 'temporary key'],
    ['an unknown bucket', { bucket: 'other' }, {}, '`store.object_storage.bucket` names other'],
    [
      'a wrong address',
      { endpoint: 'http://127.0.0.1:1' },
      {},
      '`store.object_storage.endpoint` names http://127.0.0.1:1, where no object storage responds',
    ],
  ])('fails with %s, and names the setting', async (_, settings, environment, text) => {
    const failure = await open(settings, environment).catch((error: unknown) => error);

    expect(failure).toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining(text),
    });
  });

  it('fails if it is not allowed to see whether an object is missing', async () => {
    s3.setFault(({ method }, response) => {
      const isMissing = s3.requests.some((line) => line.startsWith('DELETE'));
      if (method !== 'HEAD' || !isMissing) return false;
      response.writeHead(403).end();
      return true;
    });

    await expect(open()).rejects.toThrow('`s3:ListBucket`');
  });
});

it('a platform stores uploads in its bucket, and refuses them with 503 while it does not respond, at no cost to the quota', async () => {
  const { bucket, endpoint, environment } = s3;
  const server = await spawnServer(
    {
      store: { object_storage: { bucket, endpoint, prefix: 'uploads/' } },
      limits: { user: { file_bytes_per_day: 4 * megabyte } },
    },
    { ...environment, INLAY_DATA: temporaryFolder() },
  );
  onTestFinished(() => server.kill());
  const { token } = await server.issue('ada');
  const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
  const files = `${server.url}/agent/v1/files`;
  const upload = () => {
    const body = new FormData();
    body.append('file', new File(['x'.repeat(3 * megabyte)], 'a.txt'));
    return fetch(files, { method: 'POST', headers, body });
  };

  await s3.down();
  const refused = await upload();
  await s3.up();
  const stored = await upload();
  const { id } = (await stored.json()) as { id: string };
  const read = await fetch(`${files}/${id}/content`, { headers });

  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(server.log()).toContain('where no object storage responds');
  expect(stored.status).toBe(200);
  expect((await read.text()).length).toBe(3 * megabyte);
  expect(s3.requests).toContain(`PUT /inlay/uploads/${id}`);
});
