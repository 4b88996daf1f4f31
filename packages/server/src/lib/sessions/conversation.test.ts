import { describe, expect, it } from 'vitest';
import { follow } from '../testing/follow.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';

const idle = isType('session.status_idle');

describe('a conversation', () => {
  it('is created, answered and streamed in one request', async () => {
    const { url, token } = await setupConversation();

    const stream = await follow(
      `${url}/agent/v1/sessions?event_deltas[]=agent.message&event_deltas[]=agent.thinking`,
      token,
      { body: { initial_events: [message('think')] } },
    );
    await stream.until(idle);
    stream.cut();

    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(stream.response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(stream.response.headers.get('access-control-allow-origin')).toBeTruthy();
    expect(
      stream.seen.map(({ data }) => data.type).filter((type) => type !== 'event_delta'),
    ).toEqual([
      'session.created',
      'user.message',
      'session.status_running',
      'span.model_request_start',
      'event_start',
      'agent.thinking',
      'event_start',
      'agent.message',
      'span.model_request_end',
      'session.status_idle',
    ]);
    expect(stream.seen.map(({ id }) => id).slice(0, 3)).toEqual([undefined, '1', '2']);
  });

  it('streams the complete message with the id of its fragments', async () => {
    const { create, follow } = await setupConversation({
      agent: { model: { provider: 'scripted', delay_ms: 2, first_delay_ms: 20 } },
    });
    const stream = await follow(await create('rtl'));
    await stream.until(idle);

    const fragments = stream.seen.filter(isType('event_delta')).map(({ data }) => data);
    expect(fragments.length).toBeGreaterThan(3);
    expect(new Set(fragments.map(({ event_id }) => event_id)).size).toBe(1);
    expect(stream.seen.find(isType('agent.message'))?.data).toMatchObject({
      id: fragments[0]?.event_id,
      content: [
        {
          text: fragments
            .map(({ delta }) => (delta as { content: { text: string } }).content.text)
            .join(''),
        },
      ],
    });
  });

  it('completes the current answer before it answers a message that was sent meanwhile', async () => {
    const { create, send, follow, log } = await setupConversation({
      agent: {
        model: {
          provider: 'scripted',
          delay_ms: 10,
          first_delay_ms: 0,
          script: [{ say: 'A few words, one after the other.' }],
        },
      },
    });
    const id = await create('table');
    const stream = await follow(id);
    await stream.until(isType('event_delta'));

    await send(id, [message('code')]);
    await stream.until(idle);

    const types = (await log(id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'agent.message')).toHaveLength(2);
    expect(types.filter((type) => type === 'session.status_idle')).toHaveLength(1);
    expect(types.lastIndexOf('user.message')).toBeLessThan(types.indexOf('agent.message'));
  });

  it('keeps the partial answer when the user interrupts the run', async () => {
    const { create, send, follow, session } = await setupConversation({
      agent: { model: { provider: 'scripted', delay_ms: 20, first_delay_ms: 0 } },
    });
    const id = await create('long');
    const stream = await follow(id);
    await stream.until(isType('event_delta'));

    await send(id, [{ type: 'user.interrupt' }]);
    const end = await stream.until(idle);

    expect(stream.seen.find(isType('agent.message'))?.data).toMatchObject({
      incomplete: 'interrupted',
    });
    expect(end.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
    expect(await session(id)).toMatchObject({ status: 'idle' });
  });

  it('answers a message that is sent in the same request as an interrupt', async () => {
    const { create, send, follow } = await setupConversation({
      agent: { model: { provider: 'scripted', delay_ms: 10, first_delay_ms: 0 } },
    });
    const id = await create('long');
    const stream = await follow(id);
    await stream.until(isType('event_delta'));

    await send(id, [{ type: 'user.interrupt' }, message('hello there')]);
    await stream.until(idle);

    const answers = stream.seen.filter(isType('agent.message'));
    expect(answers).toHaveLength(2);
    expect(JSON.stringify(answers[1]?.data)).toContain('hello there');
  });

  it('returns and stores no event for an interrupt without a run', async () => {
    const { create, send, follow, log } = await setupConversation();
    const id = await create('hello');
    await (await follow(id)).until(idle);

    const response = await send(id, [{ type: 'user.interrupt' }]);

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: [] });
    expect((await log(id)).at(-1)?.type).toBe('session.status_idle');
  });

  it('executes a server tool, and gives its result to the agent', async () => {
    const { create, follow } = await setupConversation({ agent: { tools: [weather] } });
    const stream = await follow(await create('weather'));
    await stream.until(idle);

    const types = stream.seen.map(({ data }) => data.type);
    expect(types.indexOf('agent.tool_use')).toBeLessThan(types.indexOf('agent.tool_result'));
    const answer = stream.seen.filter(isType('agent.message')).at(-1);
    expect(JSON.stringify(answer?.data)).toContain('In Lisbon it is rainy in Lisbon');
  });

  it('gives the error of a server tool to the agent', async () => {
    const tool = {
      ...weather,
      run: () => {
        throw new Error('no station');
      },
    };
    const { create, follow } = await setupConversation({ agent: { tools: [tool] } });
    const stream = await follow(await create('weather'));
    await stream.until(idle);

    expect(stream.seen.find(isType('agent.tool_result'))?.data).toMatchObject({ is_error: true });
    expect(JSON.stringify(stream.seen.filter(isType('agent.message')).at(-1)?.data)).toContain(
      'no station',
    );
  });

  it('waits for an approval, then continues, and rejects a second approval', async () => {
    const { create, send, follow } = await setupConversation({ agent: { tools: [invitation] } });
    const id = await create('approve');
    const stream = await follow(id);
    const waiting = await stream.until(idle);
    const call = stream.seen.find(isType('agent.tool_use'))?.data;

    expect(call).toMatchObject({ evaluated_permission: 'ask' });
    expect(waiting.data).toMatchObject({
      stop_reason: { type: 'requires_action', event_ids: [call?.id] },
    });
    const allow = { type: 'user.tool_confirmation', tool_use_id: call?.id, result: 'allow' };
    expect((await send(id, [allow])).status).toBe(200);
    const done = await stream.until(idle);
    expect(done.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
    expect(stream.seen.find(isType('agent.tool_result'))?.data).toMatchObject({ is_error: false });
    expect((await send(id, [allow])).status).toBe(409);
  });

  it('gives an error result to the agent if the user denies a call', async () => {
    const { create, send, follow } = await setupConversation({ agent: { tools: [invitation] } });
    const id = await create('approve');
    const stream = await follow(id);
    await stream.until(idle);
    const call = stream.seen.find(isType('agent.tool_use'))?.data;

    await send(id, [{ type: 'user.tool_confirmation', tool_use_id: call?.id, result: 'deny' }]);
    await stream.until(idle);

    expect(stream.seen.find(isType('agent.tool_result'))?.data).toMatchObject({ is_error: true });
    expect(JSON.stringify(stream.seen.at(-3)?.data)).toContain('I have sent nothing');
  });

  it('accepts tool results of the host page, and lists the calls that still wait for a result', async () => {
    const call = (name: string) => ({ call: name, input: {} });
    const { create, send, follow } = await setupConversation({
      agent: {
        tools: [pageTool, { ...pageTool, name: 'other' }],
        model: {
          provider: 'scripted',
          delay_ms: 0,
          first_delay_ms: 0,
          script: [call('get_page_info'), call('other'), { say: 'Both are there.' }],
        },
      },
    });
    const id = await create('go');
    const stream = await follow(id);
    await stream.until(idle);
    const [first, second] = stream.seen
      .filter(isType('agent.custom_tool_use'))
      .map(({ data }) => String(data.id));
    const answer = (callId?: string) => ({
      type: 'user.custom_tool_result',
      custom_tool_use_id: callId,
      content: [{ type: 'text', text: 'ok' }],
    });

    await send(id, [answer(first)]);
    const afterFirst = await stream.until(idle);
    await send(id, [answer(second)]);
    const done = await stream.until(idle);

    expect(afterFirst.data).toMatchObject({
      stop_reason: { type: 'requires_action', event_ids: [second] },
    });
    expect(done.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
    expect(JSON.stringify(stream.seen.find(isType('agent.message'))?.data)).toContain('Both');
  });

  it('continues when the user sends another message while a call waits for approval', async () => {
    const { create, send, follow } = await setupConversation({ agent: { tools: [invitation] } });
    const id = await create('approve');
    const stream = await follow(id);
    await stream.until(idle);

    await send(id, [message('never mind, hello')]);
    const done = await stream.until(idle);

    expect(done.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
    expect(stream.seen.find(isType('agent.tool_result'))?.data).toMatchObject({ is_error: true });
  });
});

const weather = {
  type: 'function' as const,
  name: 'get_weather',
  description: 'Weather',
  run: ({ city }: Record<string, unknown>) => `rainy in ${String(city)}`,
};
const invitation = {
  type: 'function' as const,
  name: 'send_invitation',
  description: 'Invites',
  permission: 'ask' as const,
  run: () => 'Sent.',
};
const pageTool = { type: 'custom' as const, name: 'get_page_info', description: 'The page' };
