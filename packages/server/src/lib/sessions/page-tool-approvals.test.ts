import { describe, expect, it } from 'vitest';
import type { ToolConfigInput } from '../config/tools.ts';
import { inputHash } from '../runs/input-hash.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';

const idle = isType('session.status_idle');
const input = { path: '/account/close' };
const script = [
  { call: 'open_page', input },
  { say: 'Opened: {result}', when: 'ok' as const },
  { say: 'Not opened: {result}', when: 'error' as const },
];
const model = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0, script };
const tool: ToolConfigInput = {
  type: 'custom',
  name: 'open_page',
  description: '',
  permission: 'ask',
  explain: ({ path }) => `Opens ${String(path)}.`,
};

async function setup(fields: Partial<ToolConfigInput> = {}) {
  const conversation = await setupConversation({
    agent: { model, tools: [{ ...tool, ...fields } as ToolConfigInput] },
  });
  const id = await conversation.create('open');
  const eventStream = await conversation.follow(id);
  const waiting = await eventStream.until(idle);
  const call: Record<string, unknown> =
    eventStream.seen.find(isType('agent.custom_tool_use'))?.data ?? {};
  const confirmation = (fields: object = {}) => ({
    type: 'user.tool_confirmation',
    tool_use_id: call.id,
    result: 'allow',
    ...fields,
  });
  const result = {
    type: 'user.custom_tool_result',
    custom_tool_use_id: call.id,
    content: [{ type: 'text', text: 'done' }],
  };
  const lastAnswer = () => JSON.stringify(eventStream.seen.findLast(isType('agent.message'))?.data);
  return { ...conversation, id, eventStream, waiting, call, confirmation, result, lastAnswer };
}

describe('a tool of the host page with permission "ask"', () => {
  it('waits for the user’s confirmation, with a hash and an explanation of the call', async () => {
    const { call, waiting } = await setup();

    expect(call).toMatchObject({
      evaluated_permission: 'ask',
      input_hash: inputHash({ name: 'open_page', input }),
      explanation: 'Opens /account/close.',
    });
    expect(waiting.data).toMatchObject({
      stop_reason: { type: 'requires_action', event_ids: [call.id] },
    });
  });

  it('cannot get a result before the user has confirmed the call', async () => {
    const { send, id, result, call, log } = await setup();

    const refused = await send(id, [result]);

    expect(refused.status).toBe(409);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(await refused.json()).toMatchObject({
      code: 'TOOL_CONFIRMATION_REQUIRED',
      type: expect.stringMatching(/\/problems\/tool-confirmation-required$/),
      detail: expect.stringContaining(String(call.id)),
      retryable: false,
    });
    expect((await log(id)).at(-1)?.type).toBe('session.status_idle');
  });

  it('gets exactly one result after the user has allowed the call', async () => {
    const { send, id, confirmation, result, eventStream, call, lastAnswer } = await setup();

    expect((await send(id, [confirmation()])).status).toBe(200);
    const waiting = await eventStream.until(idle);
    expect(waiting.data).toMatchObject({
      stop_reason: { type: 'requires_action', event_ids: [call.id] },
    });
    expect((await send(id, [result])).status).toBe(200);
    const done = await eventStream.until(idle);

    expect(done.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
    expect(lastAnswer()).toContain('Opened: done');
    expect((await send(id, [result])).status).toBe(409);
  });

  it('accepts a confirmation and a result in one request, but only in this order', async () => {
    const { send, id, confirmation, result, eventStream, lastAnswer } = await setup();

    expect((await send(id, [result, confirmation()])).status).toBe(409);
    expect((await send(id, [confirmation(), result])).status).toBe(200);
    await eventStream.until(idle);

    expect(lastAnswer()).toContain('Opened: done');
  });

  it('gives the reason of a denial to the agent, and accepts no result afterwards', async () => {
    const { send, id, confirmation, result, eventStream, call, lastAnswer } = await setup();

    await send(id, [confirmation({ result: 'deny', deny_message: 'Keep my account.' })]);
    const done = await eventStream.until(idle);

    expect(done.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
    expect(eventStream.seen.find(isType('agent.tool_result'))?.data).toMatchObject({
      tool_use_id: call.id,
      is_error: true,
      content: [{ text: 'Keep my account.' }],
    });
    expect(lastAnswer()).toContain('Not opened: Keep my account.');
    expect((await send(id, [result])).status).toBe(409);
    expect((await send(id, [confirmation()])).status).toBe(409);
  });

  it.each([
    ['interrupts the run', { type: 'user.interrupt' }],
    ['sends another message', message('Wait.')],
  ])('gets an error as its result if the user %s instead of confirming', async (_, instead) => {
    const { send, id, confirmation, result, eventStream, call } = await setup();

    await send(id, [instead]);
    await eventStream.until(isType('agent.tool_result'));

    expect(eventStream.seen.find(isType('agent.tool_result'))?.data).toMatchObject({
      tool_use_id: call.id,
      is_error: true,
    });
    expect((await send(id, [confirmation()])).status).toBe(409);
    expect((await send(id, [result])).status).toBe(409);
  });

  it('rejects a confirmation with the hash of another call', async () => {
    const { send, id, confirmation, result } = await setup();
    const input_hash = inputHash({ name: 'open_page', input: { path: '/' } });

    expect((await send(id, [confirmation({ input_hash })])).status).toBe(409);
    expect(await (await send(id, [result])).json()).toMatchObject({
      code: 'TOOL_CONFIRMATION_REQUIRED',
    });
  });
});

describe('a tool of the host page with permission "allow"', () => {
  it('gets its result without a confirmation, and rejects confirmations', async () => {
    const { send, id, confirmation, result, eventStream, call, lastAnswer } = await setup({
      permission: 'allow',
    });

    expect(call).toMatchObject({ evaluated_permission: 'allow' });
    expect((await send(id, [confirmation()])).status).toBe(409);
    expect((await send(id, [result])).status).toBe(200);
    await eventStream.until(idle);

    expect(lastAnswer()).toContain('Opened: done');
  });
});
