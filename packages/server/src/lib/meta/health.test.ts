import type { KyselyPlugin } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from '../store/sqlite-store.ts';
import { setupServer } from '../testing/setup-server.ts';

/** Sets up a server whose priority queries are counted, and call `beforeResult`. */
async function setup(beforeResult = async () => {}) {
  const store = await createSqliteStore({ data: 'memory' });
  onTestFinished(() => store.close());
  let queries = 0;
  let isStarted = false;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isStarted) return result;
      queries += 1;
      await beforeResult();
      return result;
    },
  };
  const priority = { ...store.priority, db: store.db.withPlugin(counter) };
  const server = await setupServer({ sharedStore: { ...store, priority } });
  isStarted = true;
  const health = async () => (await server.app.request('/meta/v1/health')).status;
  return { ...server, embeddedStore: store, health, queries: () => queries };
}

it('the store is checked with one query every two seconds, however many health checks there are', async () => {
  const { clock, health, queries } = await setup();

  await Promise.all(Array.from({ length: 200 }, health));
  expect(queries()).toBe(0);
  clock.advance(2000);
  await expect.poll(queries).toBe(1);
  await Promise.all(Array.from({ length: 200 }, health));

  expect(queries()).toBe(1);
});

it('the store is not available after a check failed', async () => {
  const { clock, health, embeddedStore, logLines } = await setup();
  expect(await health()).toBe(200);

  await embeddedStore.close();
  clock.advance(2000);

  await expect.poll(health).toBe(503);
  expect(logLines.join('')).toContain('the store does not respond');
});

it('the store is not available while a check has had no response for five seconds', async () => {
  let respond = () => {};
  const isResponding = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const { clock, health } = await setup(() => isResponding);

  clock.advance(6999);
  expect(await health()).toBe(200);
  clock.advance(1);
  expect(await health()).toBe(503);
  respond();

  await expect.poll(health).toBe(200);
});
