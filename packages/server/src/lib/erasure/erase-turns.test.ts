import { expect, it, onTestFinished } from 'vitest';
import { insertTexts } from '../events/search-index.ts';
import { measureTurns } from '../testing/measure-turns.ts';
import { message } from '../testing/setup-conversation.ts';
import { setupServer } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** Sets up a user with a conversation of this many messages, each with 80 words. */
async function setup(count: number) {
  const server = await setupServer({
    data: temporaryFolder(),
    agent: { appearance: { features: { forget_me: true } } },
  });
  onTestFinished(() => server.close());
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

it('no turn of the event loop takes more than a quarter of a second while a user with 10,000 events is erased', async () => {
  const { backend, isEmpty } = await setup(10_000);
  const endMeasurement = measureTurns();

  const erased = await backend('POST', '/agent/v1/agents/test/end_users/ada/erase', {});

  expect(endMeasurement()).toBeLessThan(250);
  expect(erased.status).toBe(200);
  expect(await isEmpty()).toBe(true);
});

it('no turn of the event loop takes more than a quarter of a second while a user with 30,000 events deletes their data', async () => {
  const { requestAsUser, token, isEmpty } = await setup(30_000);
  const endMeasurement = measureTurns();

  const forgotten = await requestAsUser(token, 'POST', '/agent/v1/embed/forget_me');
  await expect.poll(isEmpty).toBe(true);

  expect(endMeasurement()).toBeLessThan(250);
  expect(forgotten.status).toBe(200);
});
