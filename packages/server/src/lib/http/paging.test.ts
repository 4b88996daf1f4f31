import { expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { setupServer } from '../testing/setup-server.ts';

it('a cursor is refused by every list but its own', async () => {
  const { backend, issue, requestAsUser } = await setupServer();
  const { token } = await issue();
  await issue('bob');
  const session = async () => {
    const response = await requestAsUser(token, 'POST', '/agent/v1/sessions', {
      initial_events: [message('hi')],
    });
    return ((await response.json()) as { id: string }).id;
  };
  const [first, second] = [await session(), await session()];
  for (const name of ['a', 'b']) {
    await backend('POST', '/database/v1/databases', { name });
    await backend('POST', '/media/v1/libraries', { name });
  }
  const lists = [
    '/agent/v1/embed_tokens',
    '/database/v1/databases',
    '/media/v1/libraries',
    '/agent/v1/sessions',
    `/agent/v1/sessions/${first}/events`,
    `/agent/v1/sessions/${second}/events`,
  ];
  const read = (path: string) =>
    path.startsWith('/agent/v1/sessions')
      ? requestAsUser(token, 'GET', path)
      : backend('GET', path);
  const cursors = await Promise.all(
    lists.map(async (path) => {
      const page = (await (await read(`${path}?limit=1`)).json()) as { next_page: string };
      return page.next_page;
    }),
  );

  for (const [index, path] of lists.entries()) {
    for (const [other, cursor] of cursors.entries()) {
      const response = await read(`${path}?page=${cursor}`);
      expect([path, other, response.status]).toEqual([path, other, index === other ? 200 : 400]);
      if (index === other) continue;
      expect((await problemOf(response)).errors).toMatchObject([{ pointer: '/query/page' }]);
    }
  }
});
