import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { expect, it } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { setupServer } from '../testing/setup-server.ts';
import { openTestStore } from '../testing/test-store.ts';

it('a server that closes waits for the current step of the sweep', async () => {
  const store = await openTestStore(createLogger(Date.now, () => {}));
  const order: string[] = [];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const deletions = new WeakSet<object>();
  const slow: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (/"idempotency"/.test(JSON.stringify(node))) deletions.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (!deletions.has(queryId)) return result;
      order.push('query');
      await answered;
      order.push('result');
      return result;
    },
  };
  const { clock, close } = await setupServer({
    sharedStore: { ...store, db: store.db.withPlugin(slow) },
  });
  clock.advance(60_000);
  await expect.poll(() => order).toContain('query');

  const closing = close().then(() => order.push('closed'));
  // A server that does not wait is closed by then, but for one with SQLite, whose only connection is busy.
  for (let turn = 0; turn < 20_000; turn += 1) await nextTurn();
  answer();
  await closing;

  expect(order).toEqual(['query', 'result', 'closed']);
});
