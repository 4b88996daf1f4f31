import { setImmediate } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { setupConversation } from '../testing/setup-conversation.ts';
import { setupServer } from '../testing/setup-server.ts';
import { openTestStore } from '../testing/test-store.ts';

/** A process with a stream, and another one whose messages do not reach it. */
async function setup({ isAlone = false } = {}) {
  const store = await openTestStore(createLogger(Date.now, () => {}));
  let queries = 0;
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const first = await setupConversation({
    fakeClock: true,
    isAlone,
    sharedStore: { ...store, db: store.db.withPlugin(counter) },
  });
  const second = await setupServer({ sharedStore: store, seed: 'second', realClock: first.clock });
  const id = await first.create();
  const stream = await first.follow(id);
  return {
    ...first,
    id,
    stream,
    callSecond: (method: string, path: string, body?: object) =>
      second.requestAsUser(first.token, method, `/agent/v1/sessions/${id}${path}`, body),
    /** Number of queries for the rest of the work, without transactions. */
    async queriesDuring(milliseconds: number) {
      const before = queries;
      for (let passed = 0; passed < milliseconds; passed += 1_000) {
        first.clock.advance(1_000);
        for (let turn = 0; turn < 20; turn += 1) await setImmediate();
      }
      return queries - before;
    },
  };
}

describe('a stream whose process gets no messages of another one', () => {
  it('gets the events of the other process', async () => {
    const { clock, stream, callSecond } = await setup();

    expect((await callSecond('POST', '', { title: 'Renamed' })).status).toBe(200);
    clock.advance(2_000);

    const { data } = await stream.until(({ data }) => data.type === 'session.updated');
    expect(data).toMatchObject({ seq: 1, title: 'Renamed' });
  });

  it('ends when the other process deletes its session', async () => {
    const { clock, stream, callSecond } = await setup();

    expect((await callSecond('DELETE', '')).status).toBe(200);
    clock.advance(2_000);

    await expect(stream.until(() => false)).rejects.toThrow('The stream ended');
  });
});

it('a process that is alone with its store never compares its open sessions', async () => {
  const shared = await setup();
  const alone = await setup({ isAlone: true });

  const [queriesOfShared, queriesOfAlone] = [
    await shared.queriesDuring(20_000),
    await alone.queriesDuring(20_000),
  ];

  expect(queriesOfShared - queriesOfAlone).toBeGreaterThanOrEqual(8);
});
