/** Rules 4.13.8: videos of the chat-model prefix. */
import { expect, it } from 'vitest';
import { type CompatibleOptions, startCompatibleServer } from './setup/compatible.ts';
import { apiKey, type Reply } from './setup/server.ts';
import { respondWithJson } from './setup/upstream.ts';

const videoBytes = Buffer.from('\x00\x00\x00\x18ftypmp42 film', 'latin1');

const videoModel = {
  id: 'm',
  supported_apis: ['videos' as const],
  providers: [{ provider: 'scripted' as const }],
};
const request = { model: 'm', prompt: 'A cat' };

/** Starts a server whose upstream has the same status for all videos: `task.status`, which tests change. */
async function start(options?: CompatibleOptions) {
  const task: Record<string, unknown> = { object: 'video', status: 'queued', seconds: '4' };
  let count = 0;
  const { backend, ...server } = await startCompatibleServer({
    respond: (response) => {
      const { method, url = '' } = response.req;
      if (url.includes('/content')) {
        response.writeHead(200, { 'content-type': 'video/mp4' });
        return response.end(videoBytes);
      }
      if (method === 'POST') count += 1;
      const id = method === 'POST' ? `task_${count}` : url.split(/[/?]/).at(-1);
      return respondWithJson({ ...task, id })(response);
    },
    ...options,
  });
  const call = (method: string, path: string, body?: unknown) =>
    backend(method, `/chat-model/v1/videos${path}`, body);
  return {
    ...server,
    task,
    call,
    create: async (): Promise<string> => {
      const { status, body } = await call('POST', '', request);
      expect(status).toBe(200);
      return body.id;
    },
    /** Downloads the content of a task. */
    download: (id: string, query = '') =>
      server.send('GET', `/chat-model/v1/videos/${id}/content${query}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      }),
  };
}

function expectError({ status, body }: Reply, expected: number): void {
  expect({ status, body }).toMatchObject({
    status: expected,
    body: { error: { message: expect.any(String), type: 'invalid_request_error' } },
  });
}

it('4.13.8 a video is created, polled and downloaded as MP4', async () => {
  const { create, call, task, download } = await start();
  const id = await create();
  const states: unknown[] = [];

  for (const status of ['queued', 'in_progress', 'completed']) {
    task.status = status;
    states.push((await call('GET', `/${id}`)).body.status);
  }
  const content = await download(id);

  expect(states).toEqual(['queued', 'in_progress', 'completed']);
  expect(content.headers.get('content-type')).toBe('video/mp4');
  expect(Buffer.from(await content.arrayBuffer())).toEqual(videoBytes);
});

it('4.13.8 a completed video is charged to the budget of its model by its output seconds', async () => {
  const { create, call, task } = await start({
    config: {
      prices: { m: { video_second_cents: 5 } },
      models: [{ ...videoModel, budget_cents_per_month: 20 }],
    },
  });
  task.model = 'm';
  const failed = await create();
  task.status = 'failed';
  await call('GET', `/${failed}`);
  task.status = 'queued';
  const completed = await create();
  task.status = 'completed';
  await call('GET', `/${completed}`);

  expect(await call('POST', '', request)).toMatchObject({
    status: 429,
    body: { error: { type: 'budget_error' } },
  });
});

it('8.3.2 creating more videos in a minute than the model allows gets 429 with `Retry-After: 60`', async () => {
  const models = [{ ...videoModel, requests_per_minute: 1 }];
  const { create, call, clock } = await start({ config: { models } });
  await create();

  const refused = await call('POST', '', request);

  expect(refused).toMatchObject({ status: 429, body: { error: { type: 'rate_limit_error' } } });
  expect(refused.headers.get('retry-after')).toBe('60');
  clock.advance(60_000);
  await create();
});

it('7.4 a video of a model that does not declare videos gets 404 model_protocol_not_offered', async () => {
  const models = [{ ...videoModel, supported_apis: ['responses' as const] }];
  const { call } = await start({ config: { models } });

  const refused = await call('POST', '', request);

  expectError(refused, 404);
  expect(refused.body.error.code).toBe('model_protocol_not_offered');
});

it('4.13.8 a failed video has the error of the upstream', async () => {
  const { create, call, task } = await start();
  const id = await create();

  Object.assign(task, { status: 'failed', error: { code: 'moderation', message: 'No' } });

  const { body } = await call('GET', `/${id}`);
  expect(body).toMatchObject({ status: 'failed', error: { code: 'moderation' } });
});

it('4.13.8 a video can be downloaded only when it is completed', async () => {
  const { create, task, download } = await start();
  const id = await create();

  for (const status of ['queued', 'in_progress', 'failed']) {
    task.status = status;
    expect((await download(id)).status).toBe(409);
  }
});

it('4.13.8 the content can be the video or a thumbnail; a spritesheet or an index other than 0 gets 400', async () => {
  const { create, call, task, download } = await start();
  const id = await create();
  task.status = 'completed';

  for (const query of ['?variant=video', '?variant=thumbnail', '?index=0']) {
    expect((await download(id, query)).status).toBe(200);
  }
  expectError(await call('GET', `/${id}/content?variant=spritesheet`), 400);
  expectError(await call('GET', `/${id}/content?index=1`), 400);
});

it('4.13.8 the list of videos supports `limit` (1 to 100), `order` and `after`', async () => {
  const { create, call, clock } = await start();
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    ids.push(await create());
    clock.advance(1000);
  }
  const list = async (query: string) =>
    (await call('GET', `?${query}`)).body.data.map(({ id }: { id: string }) => ids.indexOf(id));

  expect(await list('order=asc&limit=2')).toEqual([0, 1]);
  expect(await list(`order=asc&after=${ids[1]}`)).toEqual([2]);
  expect(await list('order=desc&limit=100')).toEqual([2, 1, 0]);
  for (const query of ['limit=0', 'limit=101', 'order=up']) {
    expectError(await call('GET', `?${query}`), 400);
  }
});

it('4.13.8 `after` in a list must be the id of an existing video', async () => {
  const { call } = await start();

  expectError(await call('GET', '?after=video_none'), 400);
});

it('4.13.8 a missing video gets 404', async () => {
  const { create, call } = await start();
  const deleted = await create();
  await call('DELETE', `/${deleted}`);

  for (const id of ['video_none', deleted]) {
    expectError(await call('GET', `/${id}`), 404);
    expectError(await call('GET', `/${id}/content`), 404);
    expectError(await call('DELETE', `/${id}`), 404);
  }
});
