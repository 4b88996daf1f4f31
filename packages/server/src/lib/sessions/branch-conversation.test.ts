import { describe, expect, it } from 'vitest';
import { chatEndpoint, chunk, done, finish, stream } from '../testing/chat-endpoint.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const idle = isType('session.status_idle');
const after = (parent_id: string | null, text: string) => ({ ...message(text), parent_id });
const echo = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };
const slow = {
  ...echo,
  delay_ms: 15,
  script: [{ say: 'one two three four five six seven eight' }],
};

/** A session with two user messages and their responses, and a model that records its requests. */
async function setup(options: Parameters<typeof setupConversation>[0] = {}) {
  const endpoint = await chatEndpoint(stream(chunk({ content: 'Well.' }), finish(), done));
  const conversation = await setupConversation({
    ...options,
    agent: {
      model: { provider: 'openai-compatible', base_url: endpoint.url, model: 'm' },
      ...options.agent,
    },
  });
  const { create, send, follow } = conversation;
  const id = await create('first');
  const eventStream = await follow(id);
  await eventStream.until(idle);
  const sendAndWait = async (event: object) => {
    const response = await send(id, [event]);
    const body = (await response.json()) as { data: { id: string; parent_id: string | null }[] };
    if (response.status === 200) await eventStream.until(idle);
    return { response, body, event: body.data?.[0] };
  };
  const first = eventStream.seen.find(isType('user.message'))?.data.id as string;
  const second = (await sendAndWait(message('second'))).event;
  return { ...conversation, ...endpoint, id, eventStream, sendAndWait, first, second };
}

/** Returns the contents of the messages in the last model request. */
function lastPrompt(requests: Awaited<ReturnType<typeof setup>>['requests']) {
  return requests.at(-1)?.body.messages.map(({ content }) => content);
}

describe('a message', () => {
  it('is stored with the previous message as its parent if the client sends no `parent_id`', async () => {
    const { first, second, log, id } = await setup();

    const messages = (await log(id)).filter(({ type }) => type === 'user.message');
    expect(messages).toMatchObject([{ parent_id: null }, { id: second?.id, parent_id: first }]);
  });

  it('starts a branch if an earlier message has the same parent, and the log keeps both branches', async () => {
    const { requests, sendAndWait, first, id, log } = await setup();

    await sendAndWait(after(first, 'second, better'));

    expect(lastPrompt(requests)).toEqual(['first', 'Well.', 'second, better']);
    expect((await log(id)).filter(({ type }) => type === 'user.message')).toHaveLength(3);
  });

  it('continues the branch of its parent, as do later messages without a `parent_id`', async () => {
    const { requests, sendAndWait, first, second } = await setup();
    await sendAndWait(after(first, 'second, better'));

    await sendAndWait(after(second?.id ?? '', 'third'));
    expect(lastPrompt(requests)).toEqual(['first', 'Well.', 'second', 'Well.', 'third']);

    await sendAndWait(message('fourth'));
    expect(lastPrompt(requests)?.slice(-3)).toEqual(['third', 'Well.', 'fourth']);
  });

  it('starts a branch without earlier messages if its parent is null', async () => {
    const { requests, sendAndWait } = await setup();

    const { body } = await sendAndWait(after(null, 'first, better'));

    expect(lastPrompt(requests)).toEqual(['first, better']);
    expect(body.data).toMatchObject([{ type: 'user.message', parent_id: null }]);
  });

  it('is answered again if it has the text and the parent of an earlier message', async () => {
    const { requests, sendAndWait, first } = await setup();

    await sendAndWait(after(first, 'second'));

    expect(lastPrompt(requests)).toEqual(['first', 'Well.', 'second']);
  });

  it('is rejected if its parent is not a user message of the same session', async () => {
    const { sendAndWait, send, id, create, log } = await setup();
    const other = (await log(await create('elsewhere')))[0]?.id ?? '';
    const answer = (await log(id)).find(({ type }) => type === 'agent.message')?.id ?? '';

    for (const parent of ['evt_none', other, answer]) {
      const { response } = await sendAndWait(after(parent, 'x'));
      expect(response.status).toBe(400);
    }
    const refused = await send(id, [message('fine'), after('evt_none', 'x')]);
    expect(await refused.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      detail: '`events.1.parent_id` must be the id of a `user.message` of this session, or null.',
      errors: [{ pointer: '/events/1/parent_id' }],
    });
    expect(JSON.stringify(await log(id))).not.toContain('fine');
  });

  it('is rejected as the first message of a session if its parent is not null', async () => {
    const { call } = await setupConversation();

    const refused = await call('POST', '/sessions', { initial_events: [after('evt_1', 'x')] });

    expect(await refused.json()).toMatchObject({
      errors: [{ pointer: '/initial_events/0/parent_id' }],
    });
    const created = await call('POST', '/sessions', { initial_events: [after(null, 'x')] });
    expect(created.status).toBe(200);
  });

  it('cannot start a branch if `features.edit` is false', async () => {
    const { sendAndWait, first, second, log, id } = await setup({
      agent: { appearance: { features: { edit: false } } },
    });

    const { response, body } = await sendAndWait(after(first, 'second, better'));

    expect([response.status, body]).toMatchObject([403, { code: 'EMBED_FEATURE_DISABLED' }]);
    expect((await sendAndWait(after(second?.id ?? '', 'third'))).response.status).toBe(200);
    expect((await log(id)).map(({ type }) => type)).not.toContain('user.interrupt');
  });
});

describe('a message that starts another branch', () => {
  it('interrupts the current run, and is answered', async () => {
    const { create, send, follow, log } = await setupConversation({ agent: { model: slow } });
    const id = await create('first');
    const stream = await follow(id);
    await stream.until(isType('event_delta'));

    await send(id, [after(null, 'first, better')]);
    await stream.until(idle);

    const answers = (await log(id)).filter(({ type }) => type === 'agent.message');
    expect(answers).toMatchObject([{ incomplete: 'interrupted' }, {}]);
    expect(answers[1]).not.toHaveProperty('incomplete');
    expect((await log(id)).filter(({ type }) => type === 'session.status_idle')).toHaveLength(1);
  });

  it('gives an error result to tool calls of the previous branch that wait for approval', async () => {
    const { create, send, follow } = await setupConversation({
      agent: {
        tools: [
          {
            type: 'function',
            name: 'send_invitation',
            description: '',
            permission: 'ask',
            run: () => 'Sent.',
          },
        ],
      },
    });
    const id = await create('approve');
    const stream = await follow(id);
    await stream.until(idle);
    const call = stream.seen.find(isType('agent.tool_use'))?.data;

    await send(id, [after(null, 'hello')]);
    await stream.until(idle);
    const late = await send(id, [
      { type: 'user.tool_confirmation', tool_use_id: call?.id, result: 'allow' },
    ]);

    expect(late.status).toBe(409);
    expect(stream.seen.find(isType('agent.tool_result'))?.data).toMatchObject({
      tool_use_id: call?.id,
      is_error: true,
    });
    expect(JSON.stringify(stream.seen.at(-3)?.data)).toContain('You said: “hello”');
  });

  it('is answered if it is the last of several simultaneous messages', async () => {
    const { create, send, follow, log, store } = await setupConversation({
      agent: { model: { ...slow, script: [{ say: 'Answer to {text}.' }] } },
    });
    const id = await create('first');
    const stream = await follow(id);
    await stream.until(isType('event_delta'));

    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send(id, [after(null, `v${n}`)])),
    );
    expect(sent.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]);

    const events = await log(id);
    const last = events.findLast(({ type }) => type === 'user.message');
    const answer = events.findLast(({ type }) => type === 'agent.message');
    const lastText = JSON.stringify(last).match(/v\d/)?.[0];
    expect(JSON.stringify(answer)).toContain(`Answer to ${lastText}.`);
    expect(events.at(-1)).toMatchObject({ stop_reason: { type: 'end_turn' } });
  });
});

describe('a run of a new branch', () => {
  it('continues after a restart with the messages of its branch', async () => {
    const data = temporaryFolder();
    const server = await setupServer({ data, agent: { model: { ...slow, delay_ms: 60_000 } } });
    const { token } = await server.issue();
    const headers = { origin: testOrigin };
    const created = await server.requestAsUser(
      token,
      'POST',
      '/agent/v1/sessions',
      { initial_events: [message('first')] },
      headers,
    );
    const { id } = (await created.json()) as { id: string };
    const path = `/agent/v1/sessions/${id}/events`;
    await server.requestAsUser(token, 'POST', path, { events: [after(null, 'first, better')] });
    await server.close();

    const next = await setupServer({
      data,
      agent: { model: { ...echo, script: [{ say: '{text}!' }] } },
    });
    const events = async () => {
      const page = await next.requestAsUser(token, 'GET', path);
      return ((await page.json()) as { data: { type: string; content?: unknown }[] }).data;
    };
    await expect
      .poll(async () => {
        next.clock.advance(2_000);
        return (await events()).at(-1)?.type;
      })
      .toBe('session.status_idle');

    const answer = (await events()).findLast(({ type }) => type === 'agent.message');
    expect(answer?.content).toEqual([{ type: 'text', text: 'first, better!' }]);
    await next.close();
  });
});
