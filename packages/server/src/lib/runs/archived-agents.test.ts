import type { LogEvent } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import {
  chatEndpoint,
  chunk,
  done,
  finish,
  stream,
  streamThenHang,
} from '../testing/chat-endpoint.ts';
import { isType, setupConversation } from '../testing/setup-conversation.ts';

const agentPath = '/agent/v1/agents/test';
const callPay = [
  chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'pay', arguments: '{}' } }] }),
  finish('tool_calls'),
  done,
];

/** Starts sessions of an agent that can pay. The first model call writes a word, and then nothing. */
async function setup(sessions: number) {
  let respond = () => {};
  const endpoint = await chatEndpoint(
    (response, request) => {
      streamThenHang(chunk({ content: 'Once' }))(response, request);
      respond = () => response.end(callPay.join(''));
    },
    stream(...callPay),
  );
  let payments = 0;
  const pay = {
    type: 'function' as const,
    name: 'pay',
    description: 'Pays',
    run: () => {
      payments += 1;
      return 'Paid.';
    },
  };
  const server = await setupConversation({
    fakeClock: true,
    config: { limits: { user: { runs: 1 } } },
    agent: {
      model: { provider: 'openai-compatible', base_url: endpoint.url, model: 'm' },
      tools: [pay],
    },
  });
  const ids: string[] = [];
  for (let count = 0; count < sessions; count += 1) ids.push(await server.create('hello'));
  await (await server.follow(ids[0] ?? '')).until(isType('event_delta'));
  return {
    ...server,
    ids,
    requests: endpoint.requests,
    respond: () => respond(),
    payments: () => payments,
    runs: () => server.store.db.selectFrom('runs').selectAll().execute(),
    /** Restores the agent, and reads the events of a session with a new token. */
    restoreAndRead: async (id = '') => {
      await server.backend('POST', `${agentPath}/restore`);
      const { token } = await server.issue();
      const page = await server.call('GET', `/sessions/${id}/events`, undefined, {}, token);
      return ((await page.json()) as { data: LogEvent[] }).data;
    },
  };
}

describe('archiving an agent', () => {
  it('interrupts its active and its queued runs', async () => {
    const { backend, ids, payments, requests, restoreAndRead, runs } = await setup(2);
    expect(await runs()).toHaveLength(2);

    expect((await backend('POST', `${agentPath}/archive`)).status).toBe(200);

    await expect.poll(runs).toEqual([]);
    await requests[0]?.disconnected;
    expect([requests.length, payments()]).toEqual([1, 0]);
    const [active, queued] = [await restoreAndRead(ids[0]), await restoreAndRead(ids[1])];
    expect(active.map(({ type }) => type)).toContain('user.interrupt');
    expect(active.at(-1)).toMatchObject({
      type: 'session.status_idle',
      stop_reason: { type: 'end_turn' },
    });
    expect(queued.map(({ type }) => type)).toEqual(['user.message', 'user.interrupt']);
  });

  it('ends a run before its next tool or model call, even if the run was not interrupted', async () => {
    const { backend, clock, ids, payments, requests, respond, restoreAndRead, runs, store } =
      await setup(1);
    await backend('POST', agentPath, { name: 'Other' });
    // As if the process that archived the agent had crashed before it published the change.
    await store.db
      .updateTable('agents')
      .set((eb) => ({ archived_at: clock.now(), revision: eb('revision', '+', 1) }))
      .execute();
    await expect
      .poll(async () => {
        clock.advance(500);
        return (await backend('GET', agentPath)).json();
      })
      .toMatchObject({ archived_at: expect.any(String) });

    respond();

    await expect.poll(runs).toEqual([]);
    expect([requests.length, payments()]).toEqual([1, 0]);
    expect((await restoreAndRead(ids[0])).slice(-3)).toMatchObject([
      { type: 'agent.tool_result', is_error: true },
      { type: 'session.error', error: { type: 'agent_not_found_error' } },
      { type: 'session.status_idle', stop_reason: { type: 'retries_exhausted' } },
    ]);
  });
});
