import { describe, expect, it } from 'vitest';
import { createPlatformClient, type PlatformClient } from './platform-client.ts';
import {
  json,
  problem,
  type Responder,
  rejectionOf,
  startStubPlatform,
  truncatedJson,
} from './testing/stub-platform.ts';

const event = (seq: number) => ({
  seq,
  id: `evt_${seq}`,
  type: 'table.created',
  processed_at: '2026-01-15T12:00:00.000Z',
  database_id: 'db_1',
  table_id: 'tbl_1',
});
const page = (nextCursor: string | null, ...seqs: number[]) => ({
  data: seqs.map(event),
  next_cursor: nextCursor,
});

/** Creates a client that does not retry, and a server with the responders. */
async function setup(...responders: Responder[]) {
  const { baseUrl, requests } = await startStubPlatform(...responders);
  const platform = createPlatformClient({ baseUrl, apiKey: 'sk-service-test', maxRetries: 0 });
  const lines = () => requests.map(({ method, url }) => `${method} ${url}`);
  return { baseUrl, platform, requests, lines };
}

/** Reads the first items, and ends the iteration. */
async function take<Item>(count: number, items: AsyncIterable<Item>): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}

describe('databases.follow', () => {
  it('yields each event once, page by page, and then waits for more events', async () => {
    const { platform, lines } = await setup(
      json(page('5', 4, 5)),
      json(page(null, 6)),
      json(page(null)),
      json(page(null, 7)),
    );

    const followed = platform.databases.follow('db_1', { afterSeq: 3, intervalMs: 1 });

    expect((await take(4, followed)).map(({ seq }) => seq)).toEqual([4, 5, 6, 7]);
    const path = 'GET /database/v1/databases/db_1/events';
    expect(lines()).toEqual([3, 5, 6, 6].map((seq) => `${path}?after_seq=${seq}&limit=200`));
  });

  it('continues after a temporary failure, without repeated or lost events', async () => {
    const { platform } = await setup(
      json(page('1', 1)),
      json(problem('SERVICE_UNAVAILABLE', 503, true), 503),
      json(page(null, 2)),
    );

    const followed = platform.databases.follow('db_1', { intervalMs: 1 });

    expect((await take(2, followed)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('continues after a connection that ended in the middle of a page', async () => {
    const { platform } = await setup(truncatedJson(page(null, 1)), json(page(null, 1)));

    const followed = platform.databases.follow('db_1', { intervalMs: 1 });

    expect((await take(1, followed)).map(({ seq }) => seq)).toEqual([1]);
  });

  it('waits as long as `Retry-After` says', async () => {
    const { platform, requests, lines } = await setup(
      json(problem('RATE_LIMITED', 429, true), 429, { 'retry-after': '3600' }),
      json(page(null, 1)),
    );
    const controller = new AbortController();
    const next = platform.databases
      .follow('db_1', { intervalMs: 1, signal: controller.signal })
      .next();
    next.catch(() => {});
    await expect.poll(() => requests.length).toBe(1);

    // Each of these requests takes longer than `intervalMs`.
    for (let count = 0; count < 20; count += 1) await platform.databases.events('db_2');

    expect(lines().filter((line) => line.includes('db_1'))).toHaveLength(1);
    controller.abort();
    await expect(next).rejects.toThrow();
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses intervalMs %d, and sends no request',
    async (intervalMs) => {
      const { platform, requests } = await setup(json(page(null)));

      const failed = take(1, platform.databases.follow('db_1', { intervalMs }));

      await expect(failed).rejects.toMatchObject({ code: 'INVALID_OPTION' });
      expect(requests).toEqual([]);
    },
  );

  it('rejects with an error that is not retryable', async () => {
    const { platform } = await setup(json(problem('NOT_FOUND', 404, false), 404));

    const failed = take(1, platform.databases.follow('db_none'));

    await expect(failed).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('rejects with the reason of its aborted signal while it waits for more events', async () => {
    const { platform } = await setup(json(page(null, 1)));
    const controller = new AbortController();
    const followed = platform.databases.follow('db_1', { signal: controller.signal });
    await followed.next();

    const next = followed.next();
    controller.abort(new Error('Shutting down'));

    await expect(next).rejects.toThrow('Shutting down');
  });

  it('rejects with the reason of its aborted signal between two events of a page', async () => {
    const { platform } = await setup(json(page(null, 1, 2)));
    const controller = new AbortController();
    const followed = platform.databases.follow('db_1', { signal: controller.signal });
    await followed.next();

    controller.abort(new Error('Shutting down'));

    await expect(followed.next()).rejects.toThrow('Shutting down');
  });

  it('rejects with the reason of its aborted signal while it waits for a retry', async () => {
    const { baseUrl, platform, requests } = await setup(
      json(problem('SERVICE_UNAVAILABLE', 503, true), 503, { 'retry-after': '20' }),
    );
    const controller = new AbortController();
    const client = createPlatformClient({ baseUrl, apiKey: 'sk-service-test', maxRetries: 2 });
    const next = client.databases.follow('db_1', { signal: controller.signal }).next();
    await expect.poll(() => requests.length).toBe(1);

    let ended: unknown;
    next.catch((reason) => {
      ended = reason;
    });
    controller.abort(new Error('Shutting down'));
    // These requests take much less than 20 seconds, so that `ended` is set only if the wait was
    // aborted.
    for (let count = 0; count < 20; count += 1)
      await platform.databases.get('db_2').catch(() => {});

    expect(ended).toEqual(new Error('Shutting down'));
  });
});

describe('the calls of databases and media libraries', () => {
  it.each<[string, (platform: PlatformClient, params: object) => Promise<unknown>, string]>([
    ['databases.list', ({ databases }, params) => databases.list(params), 'limmit'],
    ['mediaLibraries.list', ({ mediaLibraries }, params) => mediaLibraries.list(params), 'limmit'],
    [
      'mediaLibraries.listAssets',
      ({ mediaLibraries }, params) => mediaLibraries.listAssets('lib_1', params),
      'limmit',
    ],
    ['databases.events', ({ databases }, params) => databases.events('db_1', params), 'afterSeq'],
    [
      'databases.follow',
      ({ databases }, params) => databases.follow('db_1', params).next(),
      'after_seq',
    ],
  ])('`%s` rejects an unknown parameter without sending a request', async (method, call, name) => {
    const { platform, requests } = await setup(json(page(null, 1)));

    const error = await rejectionOf(call(platform, { [name]: 40 }));

    expect(error.code).toBe('INVALID_OPTION');
    expect(error.message).toContain(`${method} has no parameter \`${name}\`, only`);
    expect(requests).toEqual([]);
  });

  it('send the method, path and body that the API defines', async () => {
    const database = {
      id: 'db_1',
      name: 'Orders',
      description: null,
      status: 'active',
      deletes_at: null,
      created_at: '2026-01-15T12:00:00.000Z',
      updated_at: '2026-01-15T12:00:00.000Z',
      tables: [],
    };
    const { platform, requests, lines } = await setup(json(database));

    await platform.databases.create({ name: 'Orders' });
    await platform.databases.addField('db_1', 'tbl/1', { name: 'paid', type: 'boolean' });
    await platform.databases.delete('db_1');
    await platform.mediaLibraries.restore('lib_1');

    expect(requests.map(({ body }, index) => [lines()[index], body])).toEqual([
      ['POST /database/v1/databases', '{"name":"Orders"}'],
      [
        'POST /database/v1/databases/db_1/tables/tbl%2F1/fields',
        '{"name":"paid","type":"boolean"}',
      ],
      ['DELETE /database/v1/databases/db_1', ''],
      ['POST /media/v1/libraries/lib_1/restore', ''],
    ]);
  });
});
