import type { KyselyPlugin } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { setupServer } from '../testing/setup-server.ts';
import { createSqliteStore } from './sqlite-store.ts';

/** Sets up a server whose priority queries are counted, and call `beforeResult`. */
async function setup(beforeResult = async () => {}) {
  const store = await createSqliteStore({ data: 'memory' });
  let queries = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      queries += 1;
      await beforeResult();
      return result;
    },
  };
  const priority = { ...store.priority, db: store.db.withPlugin(counter) };
  const server = await setupServer({ sharedStore: { ...store, priority } });
  onTestFinished(async () => {
    await server.close();
    await store.close();
  });
  const health = async () => (await server.app.request('/meta/v1/health')).status;
  return { ...server, embeddedStore: store, health, queries: () => queries };
}

it('is checked with one query per second, however many health checks there are', async () => {
  const { clock, health, queries } = await setup();

  await Promise.all(Array.from({ length: 200 }, health));
  expect(queries()).toBe(0);
  clock.advance(1000);
  await expect.poll(queries).toBe(1);
  await Promise.all(Array.from({ length: 200 }, health));

  expect(queries()).toBe(1);
});

it('is not available after a check failed', async () => {
  const { clock, health, embeddedStore, logLines } = await setup();
  expect(await health()).toBe(200);

  await embeddedStore.close();
  clock.advance(1000);

  await expect.poll(health).toBe(503);
  expect(logLines.join('')).toContain('the store does not respond');
});

it('is not available while a check has had no response for five seconds', async () => {
  let respond = () => {};
  const isResponding = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const { clock, health } = await setup(() => isResponding);

  clock.advance(5999);
  expect(await health()).toBe(200);
  clock.advance(1);
  expect(await health()).toBe(503);
  respond();

  await expect.poll(health).toBe(200);
});
