import { describe, expect, it } from 'vitest';
import type { ToolConfigInput } from '../config/tools.ts';
import { chatEndpoint, chunk, done, finish, stream } from '../testing/chat-endpoint.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const idle = isType('session.status_idle');
const signature = 'signature-of-the-provider';

/** A response with two parallel calls, and members that the server does not know. */
const calls = stream(
  chunk({ role: 'assistant', content: null, reasoning_content: 'The page ' }),
  chunk({ reasoning_content: 'knows.', x_state: { turn: 1 } }),
  chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'The page ' }] }),
  chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'knows.' }] }),
  chunk({
    tool_calls: [
      {
        index: 0,
        id: 'Ab3dE6gH9',
        type: 'function',
        extra_content: { google: { thought_signature: signature } },
        function: { name: 'look_up', arguments: '{ "id":' },
      },
    ],
  }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: ' 1 }' } }] }),
  chunk({
    tool_calls: [{ index: 1, id: 'Zz3dE6gH9', function: { name: 'open_page', arguments: '' } }],
  }),
  finish('tool_calls'),
  done,
);
const text = (content: string) => stream(chunk({ content }), finish(), done);

const sentMessage = {
  role: 'assistant',
  content: null,
  reasoning_content: 'The page knows.',
  x_state: { turn: 1 },
  reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'The page knows.' }],
  tool_calls: [
    {
      id: 'Ab3dE6gH9',
      type: 'function',
      extra_content: { google: { thought_signature: signature } },
      function: { name: 'look_up', arguments: '{ "id": 1 }' },
    },
    { id: 'Zz3dE6gH9', type: 'function', function: { name: 'open_page', arguments: '{}' } },
  ],
};

const tools: ToolConfigInput[] = [
  { type: 'function', name: 'look_up', description: '', run: () => 'found' },
  { type: 'custom', name: 'open_page', description: '', permission: 'ask' },
];

describe('the assistant message of a provider', () => {
  it('is part of the next requests as it came, after a restart between the approval and the result of a page tool', async () => {
    const endpoint = await chatEndpoint(calls, text('Done.'), text('Bye.'));
    const settings = {
      data: temporaryFolder(),
      agent: {
        model: { provider: 'openai-compatible' as const, base_url: endpoint.url, model: 'm' },
        tools,
      },
    };
    const first = await setupConversation(settings);
    const id = await first.create('look');
    const waiting = await (await first.follow(id)).until(idle);
    const [callId] = (waiting.data.stop_reason as { event_ids: string[] }).event_ids;
    const allowed = { type: 'user.tool_confirmation', tool_use_id: callId, result: 'allow' };
    expect((await first.send(id, [allowed])).status).toBe(200);
    await first.close();

    const second = await setupConversation({ ...settings, seed: 'second' });
    const eventStream = await second.follow(id);
    const content = [{ type: 'text', text: 'opened' }];
    const result = { type: 'user.custom_tool_result', custom_tool_use_id: callId, content };
    expect((await second.send(id, [result])).status).toBe(200);
    await eventStream.until(({ data }) => data.type === 'agent.message');
    await eventStream.until(idle);
    await second.send(id, [message('thanks')]);
    await eventStream.until(idle);

    expect(endpoint.requests[1]?.body.messages).toEqual([
      { role: 'user', content: 'look' },
      sentMessage,
      { role: 'tool', tool_call_id: 'Ab3dE6gH9', content: 'found' },
      { role: 'tool', tool_call_id: 'Zz3dE6gH9', content: 'opened' },
    ]);
    expect(endpoint.requests[2]?.body.messages.slice(1, 5)).toEqual([
      ...(endpoint.requests[1]?.body.messages.slice(1) ?? []),
      { role: 'assistant', content: 'Done.' },
    ]);
    // Users get none of it.
    const exported = await second.call('GET', `/sessions/${id}/export?format=json`);
    const seen = JSON.stringify(eventStream.seen) + (await exported.text());
    expect(seen).not.toMatch(/Ab3dE6gH9|x_state|signature-of-the-provider/);
    await second.call('DELETE', `/sessions/${id}`);
    const stored = () => second.store.db.selectFrom('provider_messages').selectAll().execute();
    await expect.poll(stored).toEqual([]);
  });

  it('is not sent to another model, for which call ids are derived from the events', async () => {
    const [own, other] = [
      await chatEndpoint(calls, text('Done.')),
      await chatEndpoint(text('Hm.')),
    ];
    const modelAt = (url: string) =>
      ({ provider: 'openai-compatible', base_url: url, model: 'm' }) as const;
    const { create, follow, send } = await setupConversation({
      agent: {
        model: modelAt(own.url),
        tools: [
          { ...tools[0], name: 'look_up' } as ToolConfigInput,
          { type: 'function', name: 'open_page', description: '', run: () => 'opened' },
        ],
        modes: [
          { id: 'own', label: 'Own' },
          { id: 'other', label: 'Other', model: modelAt(other.url) },
        ],
      },
    });
    const id = await create('look');
    const eventStream = await follow(id);
    await eventStream.until(idle);
    await send(id, [{ ...message('and you?'), mode: 'other' }]);
    await eventStream.until(idle);

    const sent = other.requests[0]?.body.messages[1] as unknown as { tool_calls: { id: string }[] };
    const ids = sent.tool_calls.map((each) => each.id);
    expect(new Set(ids).size).toBe(2);
    for (const each of ids) expect(each).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(JSON.stringify(sent)).not.toMatch(/Ab3dE6gH9|x_state|reasoning|signature/);
    expect(other.requests[0]?.body.messages.slice(2, 4)).toMatchObject([
      { role: 'tool', tool_call_id: ids[0] },
      { role: 'tool', tool_call_id: ids[1] },
    ]);
  });

  it('has no reasoning outside of a tool round, because some providers reject it', async () => {
    const thought = stream(
      chunk({ reasoning_content: 'Hm.' }),
      chunk({ content: 'Hi.' }),
      finish(),
      done,
    );
    const endpoint = await chatEndpoint(thought, text('Bye.'));
    const { create, follow, send } = await setupConversation({
      agent: { model: { provider: 'openai-compatible', base_url: endpoint.url, model: 'm' } },
    });
    const id = await create('hello');
    const eventStream = await follow(id);
    await eventStream.until(idle);
    await send(id, [message('bye')]);
    await eventStream.until(idle);

    expect(endpoint.requests[1]?.body.messages[1]).toEqual({ role: 'assistant', content: 'Hi.' });
  });
});
