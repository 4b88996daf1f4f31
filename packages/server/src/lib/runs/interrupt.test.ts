import { describe, expect, it } from 'vitest';
import { createLogger } from '../log/logger.ts';
import type { Store } from '../store/store.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { openTestStore } from '../testing/test-store.ts';

const idle = isType('session.status_idle');
const interrupt = { type: 'user.interrupt' };
const slow = {
  agent: { model: { provider: 'scripted' as const, delay_ms: 20, first_delay_ms: 0 } },
};

async function setup(options: Parameters<typeof setupConversation>[0] = {}) {
  const conversation = await setupConversation(options);
  return {
    ...conversation,
    types: async (id: string) => (await conversation.log(id)).map(({ type }) => type),
    /** Resolves when no run is active or queued. */
    waitUntilIdle: () =>
      expect.poll(() => conversation.store.db.selectFrom('runs').selectAll().execute()).toEqual([]),
  };
}

describe('an interrupt', () => {
  it('S27: has no effect without a run, not even on the next message', async () => {
    const { create, follow, waitUntilIdle, send, session, types } = await setup();
    const id = await create();

    for (const _ of [1, 2]) expect((await send(id, [interrupt])).status).toBe(200);
    await waitUntilIdle();
    expect(await types(id)).toEqual([]);
    expect(await session(id)).toMatchObject({ status: 'idle' });

    await send(id, [message('hello')]);
    const stream = await follow(id);
    await stream.until(idle);
    expect(stream.seen.find(isType('agent.message'))?.data).not.toHaveProperty('incomplete');
  });

  it('S27: prevents the answer to earlier messages if the run has not started', async () => {
    const { create, waitUntilIdle, send, session, types } = await setup();
    const id = await create();

    await send(id, [message('hello'), interrupt]);
    await waitUntilIdle();

    expect(await types(id)).toEqual(['user.message', 'user.interrupt']);
    expect(await session(id)).toMatchObject({ status: 'idle' });
  });

  it('ends the answer if it arrives before the process learns that the run has started', async () => {
    const store = await openTestStore(createLogger(Date.now, () => {}));
    let onStarted = async () => {};
    const sharedStore: Store = {
      ...store,
      async transaction(work) {
        const result = await store.transaction(work);
        const isStart = typeof result === 'object' && result !== null && 'attempt' in result;
        if (isStart) await onStarted();
        return result;
      },
    };
    // Without polls for lost messages.
    const { create, send, follow, types } = await setup({ ...slow, sharedStore, isAlone: true });
    const id = await create();
    onStarted = async () => {
      onStarted = async () => {};
      await send(id, [interrupt]);
    };

    await send(id, [message('table')]);
    await (await follow(id)).until(idle);

    expect(await types(id)).not.toContain('agent.message');
  });

  it('S27: ends the answer once, even if the interrupt is sent again with and without its idempotency key', async () => {
    const { create, follow, waitUntilIdle, send, types } = await setup(slow);
    const id = await create('table');
    const stream = await follow(id);
    await stream.until(isType('event_delta'));
    const key = { 'idempotency-key': 'one-stop' };

    const [first, again] = await Promise.all([
      send(id, [interrupt], key),
      send(id, [interrupt], key),
    ]);
    await send(id, [interrupt]);
    await stream.until(idle);
    await waitUntilIdle();

    expect(await again?.text()).toBe(await first?.text());
    const seen = await types(id);
    // The last interrupt is also stored if it arrives between the agent message and the end of the run.
    const interrupts = seen.filter((type) => type === 'user.interrupt');
    expect([1, 2]).toContain(interrupts.length);
    expect(seen.filter((type) => type === 'session.status_idle')).toHaveLength(1);
    expect(seen.filter((type) => type === 'agent.message')).toHaveLength(1);
    expect(stream.seen.find(isType('agent.message'))?.data).toHaveProperty('incomplete');
    expect(stream.seen.find(isType('session.status_idle'))?.data).toMatchObject({
      stop_reason: { type: 'end_turn' },
    });
  });

  it('S27: does not affect messages that are sent after the interrupt', async () => {
    const { create, follow, send } = await setup(slow);
    const id = await create('table');
    const stream = await follow(id);
    await stream.until(isType('event_delta'));

    await send(id, [interrupt, message('goodbye')]);
    await stream.until(idle);

    const answers = stream.seen.filter(isType('agent.message')).map(({ data }) => data);
    expect(answers).toHaveLength(2);
    expect(answers[0]).toHaveProperty('incomplete');
    expect(answers[1]).not.toHaveProperty('incomplete');
  });
});
