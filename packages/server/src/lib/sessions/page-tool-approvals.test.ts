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

async function setup(more: Partial<ToolConfigInput> = {}) {
  const conversation = await setupConversation({
    agent: { model, tools: [{ ...tool, ...more } as ToolConfigInput] },
  });
  const id = await conversation.create('open');
  const following = await conversation.follow(id);
  const waiting = await following.until(idle);
  const call: Record<string, unknown> =
    following.seen.find(isType('agent.custom_tool_use'))?.data ?? {};
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
  const said = () => JSON.stringify(following.seen.findLast(isType('agent.message'))?.data);
  return { ...conversation, id, following, waiting, call, confirmation, result, said };
}

describe('a tool of the page with permission "ask"', () => {
  it('waits for the user, with a hash of the call and its explanation', async () => {
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

  it('has its result refused before the user has confirmed, and changes nothing', async () => {
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

  it('goes on waiting for its result once allowed, and then takes one', async () => {
    const { send, id, confirmation, result, following, call, said } = await setup();

    expect((await send(id, [confirmation()])).status).toBe(200);
    const waiting = await following.until(idle);
    expect(waiting.data).toMatchObject({
      stop_reason: { type: 'requires_action', event_ids: [call.id] },
    });
    expect((await send(id, [result])).status).toBe(200);
    const done = await following.until(idle);

    expect(done.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
    expect(said()).toContain('Opened: done');
    expect((await send(id, [result])).status).toBe(409);
  });

  it('takes a confirmation and a result in one request, in this order only', async () => {
    const { send, id, confirmation, result, following, said } = await setup();

    expect((await send(id, [result, confirmation()])).status).toBe(409);
    expect((await send(id, [confirmation(), result])).status).toBe(200);
    await following.until(idle);

    expect(said()).toContain('Opened: done');
  });

  it('tells the agent of a denial with its reason, and takes no result', async () => {
    const { send, id, confirmation, result, following, call, said } = await setup();

    await send(id, [confirmation({ result: 'deny', deny_message: 'Keep my account.' })]);
    const done = await following.until(idle);

    expect(done.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
    expect(following.seen.find(isType('agent.tool_result'))?.data).toMatchObject({
      tool_use_id: call.id,
      is_error: true,
      content: [{ text: 'Keep my account.' }],
    });
    expect(said()).toContain('Not opened: Keep my account.');
    expect((await send(id, [result])).status).toBe(409);
    expect((await send(id, [confirmation()])).status).toBe(409);
  });

  it.each([
    ['stops the answer', { type: 'user.interrupt' }],
    ['says something else', message('Wait.')],
  ])('is not run where the user %s instead', async (_, instead) => {
    const { send, id, confirmation, result, following, call } = await setup();

    await send(id, [instead]);
    await following.until(isType('agent.tool_result'));

    expect(following.seen.find(isType('agent.tool_result'))?.data).toMatchObject({
      tool_use_id: call.id,
      is_error: true,
    });
    expect((await send(id, [confirmation()])).status).toBe(409);
    expect((await send(id, [result])).status).toBe(409);
  });

  it('refuses a confirmation of another call', async () => {
    const { send, id, confirmation, result } = await setup();
    const input_hash = inputHash({ name: 'open_page', input: { path: '/' } });

    expect((await send(id, [confirmation({ input_hash })])).status).toBe(409);
    expect(await (await send(id, [result])).json()).toMatchObject({
      code: 'TOOL_CONFIRMATION_REQUIRED',
    });
  });
});

describe('a tool of the page with permission "allow"', () => {
  it('is answered without a confirmation, and takes none', async () => {
    const { send, id, confirmation, result, following, call, said } = await setup({
      permission: 'allow',
    });

    expect(call).toMatchObject({ evaluated_permission: 'allow' });
    expect((await send(id, [confirmation()])).status).toBe(409);
    expect((await send(id, [result])).status).toBe(200);
    await following.until(idle);

    expect(said()).toContain('Opened: done');
  });
});
