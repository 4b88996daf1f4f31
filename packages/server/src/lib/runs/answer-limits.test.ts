import { describe, expect, it } from 'vitest';
import { chunk, done, finish, type Handler, stream, usage } from '../testing/chat-endpoint.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { paidResponse, setupPaidModel as setup } from '../testing/setup-paid-model.ts';

const idle = isType('session.status_idle');
const error = isType('session.error');

const calls = (count: number, input = '{}') =>
  stream(
    chunk({ content: 'I look it up.' }),
    ...Array.from({ length: count }, (_, index) =>
      chunk({
        tool_calls: [{ index, id: `c${index}`, function: { name: 'f', arguments: input } }],
      }),
    ),
    finish('tool_calls'),
    usage(10, 10),
    done,
  );

const tool = { type: 'function' as const, name: 'f', description: '', run: () => 'ok' };

/**
 * Sends a message, and waits for the end of its run. The model calls of the run get these responses,
 * and then `paidResponse`.
 *
 * @param run Limits of a run.
 */
async function runWith(responses: Handler | Handler[], run: object = {}) {
  const { settings, requests } = await setup([...[responses].flat(), paidResponse]);
  const conversation = await setupConversation({
    agent: { ...settings.agent, tools: [tool] },
    config: { ...settings.config, limits: { run } },
  });
  const id = await conversation.create('hello');
  const eventStream = await conversation.follow(id);
  const end = await eventStream.until(idle);
  return { ...conversation, requests, id, eventStream, end };
}

describe('the limits of an answer', () => {
  it('truncate a long answer and end its run with an error, without affecting the next message', async () => {
    const long = stream(chunk({ content: 'é'.repeat(800_000) }), finish(), usage(1, 1), done);
    const { eventStream, requests, send, id, end } = await runWith(long);

    expect(eventStream.seen.find(isType('agent.message'))?.data).toMatchObject({
      content: [{ text: 'é'.repeat(131_072) }],
      incomplete: 'failed',
    });
    expect(eventStream.seen.find(error)?.data).toMatchObject({
      error: { type: 'answer_too_long_error', retry_status: { type: 'exhausted' } },
    });
    expect(end.data).toMatchObject({ stop_reason: { type: 'retries_exhausted' } });
    expect(requests).toHaveLength(1);
    await send(id, [message('go on')]);
    await eventStream.until(idle);
    expect(eventStream.seen.filter(isType('agent.message'))).toHaveLength(2);
  });

  it('keep the event of an answer below 1 MiB, even if JSON escapes all characters', async () => {
    const text = '\u0001"'.repeat(500_000);
    const { eventStream } = await runWith(stream(chunk({ content: text }), finish(), done));

    const { data } = eventStream.seen.find(isType('agent.message')) ?? {};
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(1_048_576);
  });

  it('drop all tool calls of an answer that has 5,000, but keep the text before them', async () => {
    const { eventStream } = await runWith(calls(5000));

    expect(eventStream.seen.find(error)?.data).toMatchObject({
      error: { type: 'answer_too_long_error' },
    });
    expect(eventStream.seen.filter(isType('agent.tool_use'))).toEqual([]);
    expect(eventStream.seen.find(isType('agent.message'))?.data).toMatchObject({
      content: [{ text: 'I look it up.' }],
    });
  });

  it('allow up to `limits.run.tool_calls` tool calls in one answer', async () => {
    const { eventStream, end } = await runWith(calls(3), { tool_calls: 3 });

    expect(eventStream.seen.filter(isType('agent.tool_result'))).toHaveLength(3);
    expect(end.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
  });

  it('end an answer whose tool calls have more than `limits.run.argument_bytes` of arguments', async () => {
    const input = JSON.stringify({ text: 'x'.repeat(600) });
    const { eventStream } = await runWith(calls(2, input), { argument_bytes: 1024 });

    expect(eventStream.seen.find(error)?.data).toMatchObject({
      error: { type: 'answer_too_long_error' },
    });
  });

  it('end an answer after 30 seconds of empty fragments, but keep the text before them', async () => {
    const clock = createFakeClock();
    let send = () => {};
    const stalled: Handler = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ content: 'I was about to' }));
      send = () => response.write(chunk({}) + chunk({ content: '' }) + chunk({ tool_calls: [{}] }));
    };
    const { settings, requests } = await setup([stalled]);
    const { create, follow } = await setupConversation({ ...settings, realClock: clock });
    const eventStream = await follow(await create('hello'));
    await eventStream.until(isType('event_delta'));

    for (let second = 0; second < 31; second += 1) {
      send();
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(1000);
    }
    const end = await eventStream.until(idle);

    expect(eventStream.seen.find(error)?.data).toMatchObject({
      error: { type: 'model_stalled_error', retry_status: { type: 'exhausted' } },
    });
    expect(eventStream.seen.find(isType('agent.message'))?.data).toMatchObject({
      content: [{ text: 'I was about to' }],
      incomplete: 'failed',
    });
    expect(end.data).toMatchObject({ stop_reason: { type: 'retries_exhausted' } });
    expect(requests).toHaveLength(1);
    await requests[0]?.disconnected;
  });
});

describe('an agent that calls a tool after each result', () => {
  it.each([
    [32, 'by default', {}],
    [3, 'with `limits.run.model_calls`', { model_calls: 3 }],
  ])('is stopped after %i model calls %s, without losing its texts', async (count, _, run) => {
    const responses = Array.from({ length: count }, () => calls(1));
    const { eventStream, requests, send, id, end } = await runWith(responses, run);

    expect(requests).toHaveLength(count);
    expect(eventStream.seen.filter(isType('agent.tool_result'))).toHaveLength(count);
    expect(eventStream.seen.filter(isType('agent.message')).map(({ data }) => data)).toEqual(
      Array.from({ length: count }, () =>
        expect.objectContaining({ content: [{ type: 'text', text: 'I look it up.' }] }),
      ),
    );
    expect(eventStream.seen.find(error)?.data).toMatchObject({
      error: { type: 'run_limit_error', retry_status: { type: 'exhausted' } },
    });
    expect(end.data).toMatchObject({ stop_reason: { type: 'retries_exhausted' } });
    await send(id, [message('go on')]);
    expect((await eventStream.until(idle)).data).toMatchObject({
      stop_reason: { type: 'end_turn' },
    });
  });
});

describe('a user who sends the next message during each answer', () => {
  it('gets more answers than `limits.run.model_calls`, which bounds the calls for one message', async () => {
    let sendDuringAnswer = async () => {};
    const answer: Handler = async (response, request) => {
      await sendDuringAnswer();
      return paidResponse(response, request);
    };
    const { settings, requests } = await setup([answer]);
    const { create, follow, send, log } = await setupConversation({
      ...settings,
      config: { ...settings.config, limits: { run: { model_calls: 2 } } },
    });
    const id = await create();
    const eventStream = await follow(id);
    sendDuringAnswer = async () => {
      if (requests.length < 6) await send(id, [message(`message ${requests.length}`)]);
    };
    await send(id, [message('message 0')]);
    await eventStream.until(idle);

    const types = (await log(id)).map(({ type }) => type);
    expect(types).not.toContain('session.error');
    expect(types.filter((type) => type === 'session.status_running')).toHaveLength(1);
    expect(types.filter((type) => type === 'agent.message')).toHaveLength(6);
  });
});

describe('the result of a tool', () => {
  it('is truncated to `limits.run.tool_result_bytes`', async () => {
    const { settings, requests } = await setup([calls(1), paidResponse]);
    const { create, follow } = await setupConversation({
      config: { ...settings.config, limits: { run: { tool_result_bytes: 1024 } } },
      agent: { ...settings.agent, tools: [{ ...tool, run: () => 'ü'.repeat(10_000) }] },
    });

    await (await follow(await create('hello'))).until(idle);

    expect(requests[1]?.body.messages.at(-1)?.content).toBe('ü'.repeat(512));
  });

  it('is rejected if the host page sends more than `limits.run.tool_result_bytes`', async () => {
    const { settings } = await setup([calls(1), paidResponse]);
    const custom = { type: 'custom' as const, name: 'f', description: '' };
    const { create, follow, send, log } = await setupConversation({
      config: { ...settings.config, limits: { run: { tool_result_bytes: 1024 } } },
      agent: { ...settings.agent, tools: [custom] },
    });
    const id = await create('hello');
    await (await follow(id)).until(idle);
    const call = (await log(id)).find(({ type }) => type === 'agent.custom_tool_use');
    const result = (text: string) => ({
      type: 'user.custom_tool_result',
      custom_tool_use_id: call?.id,
      content: [{ type: 'text', text }],
    });

    const refused = await send(id, [result('x'.repeat(1024))]);
    const accepted = await send(id, [result('x'.repeat(900))]);

    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      errors: [{ pointer: '/events/0/content', message: 'must have at most 1024 bytes as JSON' }],
    });
    expect(accepted.status).toBe(200);
  });
});

it.each([
  ['the log is full', { session: { log_bytes: 1_024 } }, 'CONFLICT'],
  [
    'the daily quota is used up',
    { user: { message_bytes_per_day: 1_000 } },
    'EMBED_QUOTA_EXCEEDED',
  ],
])('a tool result of the host page is accepted even if %s', async (_, limits, code) => {
  const { settings } = await setup([calls(1), paidResponse]);
  const { create, follow, send, log } = await setupConversation({
    config: { ...settings.config, limits },
    agent: { ...settings.agent, tools: [{ type: 'custom', name: 'f', description: '' }] },
  });
  const id = await create('x'.repeat(700));
  const eventStream = await follow(id);
  await eventStream.until(idle);
  const call = (await log(id)).find(({ type }) => type === 'agent.custom_tool_use');
  const content = [{ type: 'text', text: 'y'.repeat(500) }];
  const result = { type: 'user.custom_tool_result', custom_tool_use_id: call?.id, content };

  const refused = await send(id, [message('z'.repeat(500))]);
  const accepted = await send(id, [result]);

  expect(await refused.json()).toMatchObject({ code });
  expect(accepted.status).toBe(200);
  const end = await eventStream.until(idle);
  expect(end.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
});

it('a stream stays open despite an answer, a tool result and a message of 10 MB each', async () => {
  const long = stream(chunk({ content: '"'.repeat(10_000_000) }), finish(), usage(1, 1), done);
  const { settings } = await setup([long, calls(1), paidResponse]);
  const { create, follow, send } = await setupConversation({
    config: settings.config,
    agent: { ...settings.agent, tools: [{ ...tool, run: () => '\u0001'.repeat(10_000_000) }] },
  });
  const id = await create('hello');
  const eventStream = await follow(id);
  await eventStream.until(idle);

  const refused = await send(id, [message('x'.repeat(10_000_000))]);
  await send(id, [message('go on')]);
  const end = await eventStream.until(idle);

  expect(refused.status).toBe(413);
  expect(end.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
  const types = eventStream.seen.map(({ data }) => data.type);
  expect(types.filter((type) => type === 'agent.tool_result')).toHaveLength(1);
  for (const { data } of eventStream.seen) {
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(1_048_576);
  }
});
