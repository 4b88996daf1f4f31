/** The token endpoint of a host's backend with a real platform and its default limits. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import {
  createPlatformClient,
  createTokenEndpoint,
  type PlatformError,
  toExternalUserId,
} from '@inlay/node';
import { expect, it, onTestFinished } from 'vitest';
import { startPlatform } from '../start-platform.ts';
import { apiKey } from './platform-process.ts';

interface Answer {
  status: number;
  retryAfter: string | null;
  body: { code?: string; token?: string };
}

/** Starts a platform and a backend that authenticates users by the header `x-user`. */
async function startBackend(
  options: { agent?: string; key?: string | undefined; timeoutMs?: number } = {},
) {
  const server = await startPlatform(
    {
      agents: [
        { short_id: 'test', name: 'Test', model: { provider: 'scripted' }, embed: {} },
        { short_id: 'inside', name: 'Without embed', model: { provider: 'scripted' } },
      ],
    },
    { apiKey },
  );
  const key = 'key' in options ? options.key : apiKey;
  const platform = createPlatformClient({ baseUrl: server.baseUrl, apiKey: key });
  const errors: PlatformError[] = [];
  const endpoint = createTokenEndpoint({
    platform,
    agent: options.agent ?? 'test',
    identify: (request) => ({ external_user_id: request.headers.get('x-user') ?? '' }),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    onError: (error) => errors.push(error as PlatformError),
  });
  const backend = createAdaptorServer({ fetch: endpoint });
  backend.listen(0, '127.0.0.1');
  await once(backend, 'listening');
  onTestFinished(async () => {
    backend.close();
    await server.stop();
  });
  const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}/api/chat-token`;

  async function ask(user: string): Promise<Answer> {
    const response = await fetch(url, { method: 'POST', headers: { 'x-user': user } });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: (await response.json()) as Answer['body'],
    };
  }
  return { ask, platform, errors };
}

const countStatus = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

it('forty users who open a page at the same time all get a token', async () => {
  // The queue needs seven seconds. A slow machine can exceed the default timeout of nine, which a test
  // of `@inlay/node` covers with a fake clock.
  const { ask, errors } = await startBackend({ timeoutMs: 25_000 });

  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(`user-${index}`)));

  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
  expect(new Set(answers.map(({ body }) => body.token)).size).toBe(40);
  expect(errors).toEqual([]);
});

it('users who would exceed the timeout in the queue get a 503 with Retry-After, and a token when they retry', async () => {
  const { ask } = await startBackend({ timeoutMs: 500 });

  const first = await Promise.all(Array.from({ length: 12 }, (_, index) => ask(`user-${index}`)));
  const delayed = first.flatMap(({ status }, index) => (status === 503 ? [`user-${index}`] : []));
  const retried = [];
  for (const user of delayed.slice(0, 2)) {
    let answer = await ask(user);
    while (answer.status === 503) answer = await ask(user);
    retried.push(answer.status);
  }

  expect(countStatus(first, 200) + delayed.length).toBe(12);
  expect(delayed.length).toBeGreaterThan(0);
  expect(first.every(({ status, retryAfter }) => status === 200 || Number(retryAfter) >= 1)).toBe(
    true,
  );
  expect(retried).toEqual([200, 200]);
});

it('a user who requests tokens continuously gets at most ten, and other users get tokens and can be blocked', async () => {
  const { ask, platform } = await startBackend();
  const greedyAnswers: Answer[] = [];
  let attacking = true;
  const requestLoop = Array.from({ length: 40 }, async () => {
    while (attacking) greedyAnswers.push(await ask('mallory'));
  });

  const others = await Promise.all(['ada', 'grace', 'alan'].map(ask));
  const blocks = [];
  for (let index = 0; index < 6; index += 1) {
    blocks.push(await platform.endUsers.block('test', `user-${index}`));
  }
  await platform.endUsers.block('test', 'mallory');
  attacking = false;
  await Promise.all(requestLoop);

  expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(blocks.map(({ blocked }) => blocked)).toEqual(Array(6).fill(true));
  expect(
    new Set(greedyAnswers.map(({ body }) => body.token).filter(Boolean)).size,
  ).toBeLessThanOrEqual(10);
  expect(countStatus(greedyAnswers, 502) + countStatus(greedyAnswers, 503)).toBe(0);
});

it.each([
  ['an agent that does not exist', { agent: 'nobody' }, 'ada', /agent/i],
  ['an agent without an embed policy', { agent: 'inside' }, 'ada', /embed/i],
  ['a wrong API key', { key: 'sk-service-wrong' }, 'ada', /API key/i],
  ['no API key', { key: undefined }, 'ada', /INLAY_API_KEY/],
  ['an id that the platform refuses', {}, 'auth0|507f1f77', /toExternalUserId of @inlay\/node/],
])(
  '%s causes a 500 that is not retryable, and `onError` gets the reason',
  async (_name, options, user, reason) => {
    const { ask, errors } = await startBackend(options);

    const answer = await ask(user);

    expect(answer).toMatchObject({
      status: 500,
      retryAfter: null,
      body: { code: 'MISCONFIGURED' },
    });
    expect(errors).toHaveLength(1);
    expect(`${errors[0]?.message} ${JSON.stringify(errors[0]?.problem?.errors)}`).toMatch(reason);
  },
);

it('a user with the encoded id of an identity provider gets a token, and can be blocked', async () => {
  const { ask, platform } = await startBackend();
  const user = toExternalUserId('auth0|507f1f77/..');

  const before = await ask(user);
  await platform.endUsers.block('test', user);
  const after = await ask(user);

  expect([before.status, after.status]).toEqual([200, 403]);
});
