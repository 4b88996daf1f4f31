import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { insertTexts } from '../events/search-index.ts';
import type { Store } from '../store/store.ts';
import { message } from '../testing/setup-conversation.ts';
import { setupServer } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** Sets up a user with a conversation of this many messages, each with 80 words. */
async function setup(count: number) {
  const server = await setupServer({
    data: temporaryFolder(),
    agent: { appearance: { features: { forget_me: true } } },
  });
  const { issue, requestAsUser, store } = server;
  const { token } = await issue('ada');
  const body = { initial_events: [message('Hello')] };
  await requestAsUser(token, 'POST', '/agent/v1/sessions', body);
  await expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]);
  const session = await store.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
  await store.transaction(async (transaction) => {
    for (let seq = 1000; seq < 1000 + count; seq += 1) {
      const words = Array.from({ length: 80 }, (_, n) => `w${(seq * 7919 + n * 104_729) % 20_011}`);
      const text = words.join(' ');
      const event = { type: 'user.message', content: [{ type: 'text', text }] };
      await transaction
        .insertInto('events')
        .values({
          session_id: session.id,
          seq,
          id: `evt_${seq}`,
          type: 'user.message',
          json: JSON.stringify(event),
          processed_at: 1,
        })
        .execute();
      await insertTexts(transaction, session, [{ session_id: session.id, seq, text }]);
    }
  });
  const isEmpty = async () =>
    (await store.db.selectFrom('sessions').select('id').execute()).length === 0;
  return { ...server, token, isEmpty };
}

/**
 * Writes in transactions of its own, one after the other, until `work` is done. Returns the largest number of
 * rows that were changed while one of them waited. A deletion of everything at once would change over 20,000.
 */
async function rowsThatOthersWaitFor(store: Store, work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  const totalChanges = () =>
    store.transaction(async (transaction) => {
      const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(
        transaction,
      );
      return Number(rows[0]?.count);
    });
  let most = 0;
  let last = await totalChanges();
  while (!isDone) {
    // The embedded store works synchronously: without other turns, the work would never go on.
    await setImmediate();
    const next = await totalChanges();
    most = Math.max(most, next - last);
    last = next;
  }
  await done;
  return most;
}

it('other writes wait for a bounded part of the work while a user with 5,000 events is erased', async () => {
  const { backend, isEmpty, store } = await setup(5_000);

  const rows = await rowsThatOthersWaitFor(store, async () => {
    const erased = await backend('POST', '/agent/v1/agents/test/end_users/ada/erase', {});
    expect(erased.status).toBe(200);
  });

  expect(rows).toBeLessThan(5_000);
  expect(await isEmpty()).toBe(true);
});

it('other writes wait for a bounded part of the work while a user with 5,000 events deletes their data', async () => {
  const { requestAsUser, token, isEmpty, store } = await setup(5_000);

  const rows = await rowsThatOthersWaitFor(store, async () => {
    const forgotten = await requestAsUser(token, 'POST', '/agent/v1/embed/forget_me');
    expect(forgotten.status).toBe(200);
    await expect.poll(isEmpty).toBe(true);
  });

  expect(rows).toBeLessThan(5_000);
});
