import { describe, expect, it } from 'vitest';
import { type Answer, chunk, done, finish, stream, usage } from '../testing/chat-endpoint.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { good, setupPaidModel as setup } from '../testing/setup-paid-model.ts';

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

async function answeredBy(answer: Answer, run: object = {}) {
  const { settings, asked } = await setup([answer, good]);
  const conversation = await setupConversation({
    agent: { ...settings.agent, tools: [tool] },
    config: { ...settings.config, limits: { run } },
  });
  const id = await conversation.create('hello');
  const following = await conversation.follow(id);
  const end = await following.until(idle);
  return { ...conversation, asked, id, following, end };
}

describe('an answer without bounds', () => {
  it('keeps what fits of an answer of 1.6 MB, ends it with an error, and answers the next message', async () => {
    const long = stream(chunk({ content: 'é'.repeat(800_000) }), finish(), usage(1, 1), done);
    const { following, asked, send, id, end } = await answeredBy(long);

    expect(following.seen.find(isType('agent.message'))?.data).toMatchObject({
      content: [{ text: 'é'.repeat(131_072) }],
      incomplete: 'failed',
    });
    expect(following.seen.find(error)?.data).toMatchObject({
      error: { type: 'answer_too_long_error', retry_status: { type: 'exhausted' } },
    });
    expect(end.data).toMatchObject({ stop_reason: { type: 'retries_exhausted' } });
    expect(asked).toHaveLength(1);
    await send(id, [message('go on')]);
    await following.until(idle);
    expect(following.seen.filter(isType('agent.message'))).toHaveLength(2);
  });

  it('makes no event that a client refuses, however much of it JSON has to escape', async () => {
    const text = '\u0001"'.repeat(500_000);
    const { following } = await answeredBy(stream(chunk({ content: text }), finish(), done));

    const { data } = following.seen.find(isType('agent.message')) ?? {};
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(1_048_576);
  });

  it('runs none of 5,000 calls, and keeps the text before them', async () => {
    const { following } = await answeredBy(calls(5000));

    expect(following.seen.find(error)?.data).toMatchObject({
      error: { type: 'answer_too_long_error' },
    });
    expect(following.seen.filter(isType('agent.tool_use'))).toEqual([]);
    expect(following.seen.find(isType('agent.message'))?.data).toMatchObject({
      content: [{ text: 'I look it up.' }],
    });
  });

  it('runs as many calls as `limits.run.tool_calls` allows', async () => {
    const { following, end } = await answeredBy(calls(3), { tool_calls: 3 });

    expect(following.seen.filter(isType('agent.tool_result'))).toHaveLength(3);
    expect(end.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
  });

  it('is stopped where the arguments of its calls go over `limits.run.argument_bytes`', async () => {
    const input = JSON.stringify({ text: 'x'.repeat(600) });
    const { following } = await answeredBy(calls(2, input), { argument_bytes: 1024 });

    expect(following.seen.find(error)?.data).toMatchObject({
      error: { type: 'answer_too_long_error' },
    });
  });

  it('ends after 30 seconds of empty fragments, with what was said before them', async () => {
    const clock = createFakeClock();
    let send = () => {};
    const silent: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ content: 'I was about to' }));
      send = () => response.write(chunk({}) + chunk({ content: '' }) + chunk({ tool_calls: [{}] }));
    };
    const { settings, asked } = await setup([silent]);
    const { create, follow } = await setupConversation({ ...settings, realClock: clock });
    const following = await follow(await create('hello'));
    await following.until(isType('event_delta'));

    for (let second = 0; second < 31; second += 1) {
      send();
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(1000);
    }
    const end = await following.until(idle);

    expect(following.seen.find(error)?.data).toMatchObject({
      error: { type: 'model_stalled_error', retry_status: { type: 'exhausted' } },
    });
    expect(following.seen.find(isType('agent.message'))?.data).toMatchObject({
      content: [{ text: 'I was about to' }],
      incomplete: 'failed',
    });
    expect(end.data).toMatchObject({ stop_reason: { type: 'retries_exhausted' } });
    expect(asked).toHaveLength(1);
    await asked[0]?.hungUp;
  });
});

describe('the result of a tool', () => {
  it('is cut to `limits.run.tool_result_bytes`', async () => {
    const { settings, asked } = await setup([calls(1), good]);
    const { create, follow } = await setupConversation({
      config: { ...settings.config, limits: { run: { tool_result_bytes: 1024 } } },
      agent: { ...settings.agent, tools: [{ ...tool, run: () => 'ü'.repeat(10_000) }] },
    });

    await (await follow(await create('hello'))).until(idle);

    expect(asked[1]?.body.messages.at(-1)?.content).toBe('ü'.repeat(512));
  });

  it('is refused beyond that where the host page sends it', async () => {
    const { settings } = await setup([calls(1), good]);
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
    const taken = await send(id, [result('x'.repeat(900))]);

    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      errors: [{ pointer: '/events/0/content', message: 'must have at most 1024 bytes as JSON' }],
    });
    expect(taken.status).toBe(200);
  });
});

it('is accepted from the host page when the log is full and the day’s bytes are used up', async () => {
  const { settings } = await setup([calls(1), good]);
  const { create, follow, send, log } = await setupConversation({
    config: {
      ...settings.config,
      limits: { session: { events: 10 }, user: { message_bytes_per_day: 1_000 } },
    },
    agent: { ...settings.agent, tools: [{ type: 'custom', name: 'f', description: '' }] },
  });
  const id = await create('x'.repeat(700));
  const following = await follow(id);
  await following.until(idle);
  const call = (await log(id)).find(({ type }) => type === 'agent.custom_tool_use');
  const content = [{ type: 'text', text: 'y'.repeat(500) }];
  const result = { type: 'user.custom_tool_result', custom_tool_use_id: call?.id, content };

  const taken = await send(id, [result]);
  const end = await following.until(idle);
  const refused = await send(id, [message('more')]);

  expect(taken.status).toBe(200);
  expect(end.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
  expect([409, 429]).toContain(refused.status);
});

it('keeps a reader connected through answers, results and messages of 10 MB', async () => {
  const long = stream(chunk({ content: '"'.repeat(10_000_000) }), finish(), usage(1, 1), done);
  const { settings } = await setup([long, calls(1), good]);
  const { create, follow, send } = await setupConversation({
    config: settings.config,
    agent: { ...settings.agent, tools: [{ ...tool, run: () => '\u0001'.repeat(10_000_000) }] },
  });
  const id = await create('hello');
  const following = await follow(id);
  await following.until(idle);

  const refused = await send(id, [message('x'.repeat(10_000_000))]);
  await send(id, [message('go on')]);
  const end = await following.until(idle);

  expect(refused.status).toBe(413);
  expect(end.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
  const types = following.seen.map(({ data }) => data.type);
  expect(types.filter((type) => type === 'agent.tool_result')).toHaveLength(1);
  for (const { data } of following.seen) {
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(1_048_576);
  }
});
