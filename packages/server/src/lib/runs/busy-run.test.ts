import { describe, expect, it } from 'vitest';
import { chunk, done, finish, type Handler, stream } from '../testing/chat-endpoint.ts';
import { cpuGrowth } from '../testing/cpu-growth.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { paidResponse, setupPaidModel } from '../testing/setup-paid-model.ts';

const idle = isType('session.status_idle');

const callTools = (count: number): Handler =>
  stream(
    ...Array.from({ length: count }, (_, index) =>
      chunk({ tool_calls: [{ index, id: `c${index}`, function: { name: 'f', arguments: '{}' } }] }),
    ),
    finish('tool_calls'),
    done,
  );

/**
 * Sets up a model that calls tools if the message is `busy`, and otherwise responds with text.
 *
 * @param count Number of tool calls.
 * @param run Limits of a run.
 */
async function setup(count: number, run: object = {}) {
  const respond: Handler = (response, request) =>
    (JSON.stringify(request.body.messages.at(-1)).includes('busy')
      ? callTools(count)
      : paidResponse)(response, request);
  const { settings } = await setupPaidModel([respond]);
  const conversation = await setupConversation({
    agent: {
      ...settings.agent,
      tools: [{ type: 'function', name: 'f', description: '', run: () => 'ok' }],
    },
    config: { ...settings.config, limits: { run } },
  });
  const { token } = await conversation.issue('eve');
  return {
    ...conversation,
    /** Creates a session with a message of another user, and follows its events. */
    async sendFromOther() {
      const body = { initial_events: [message('hello')] };
      const created = await conversation.call('POST', '/sessions', body, {}, token);
      const { id } = (await created.json()) as { id: string };
      return conversation.follow(id, {}, token);
    },
    /** The `seq` of the last event of a session. */
    async lastSeq(id: string) {
      const page = await conversation.call('GET', `/sessions/${id}/events?order=desc&limit=1`);
      return ((await page.json()) as { data: { seq: number }[] }).data[0]?.seq;
    },
  };
}

describe('while one run calls many tools', () => {
  it('a message of another user is stored before most of the tool results and is answered', async () => {
    const calls = 1000;
    const { create, follow, sendFromOther, lastSeq } = await setup(calls, { tool_calls: calls });
    const id = await create('busy');
    const reader = await follow(id);
    const firstCall = await reader.until(isType('agent.tool_use'));
    const lastCall = Number(firstCall.data.seq) + calls - 1;

    const other = await sendFromOther();
    const results = Number(await lastSeq(id)) - lastCall;

    expect(results).toBeLessThan(calls / 2);
    const stop_reason = { type: 'end_turn' };
    expect((await other.until(idle)).data).toMatchObject({ stop_reason });
    expect((await reader.until(idle)).data).toMatchObject({ stop_reason });
    expect(reader.seen.filter(isType('agent.tool_result'))).toHaveLength(calls);
  });

  it('the processor time grows with the number of calls, up to 5,000, while another user is answered', async () => {
    const respond = async (calls: number) => {
      const { create, follow, sendFromOther } = await setup(calls);
      const reader = await follow(await create('busy'));
      const other = await (await sendFromOther()).until(idle);
      await reader.until(idle);
      expect(other.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
    };

    expect(await cpuGrowth(respond, 625, 100)).toBeLessThan(24);
  });
});
