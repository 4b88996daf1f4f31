import { describe, expect, it } from 'vitest';
import { chatEndpoint, chunk, done, finish, refuse, stream } from '../testing/chat-endpoint.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';

const idle = isType('session.status_idle');
const half = chunk({ content: 'The first half' });
const call = chunk({
  tool_calls: [{ index: 0, id: 'a', function: { name: 'show', arguments: '{"x":' } }],
});

async function setup(...pieces: string[]) {
  const endpoint = await chatEndpoint(
    stream(...pieces, done),
    stream(chunk({ content: 'All is well.' }), finish(), done),
  );
  const conversation = await setupConversation({
    agent: { model: { provider: 'openai-compatible', base_url: endpoint.url, model: 'm' } },
  });
  const id = await conversation.create('hello');
  const eventStream = await conversation.follow(id);
  await eventStream.until(idle);
  return { ...conversation, ...endpoint, id, eventStream };
}

describe('an answer that does not end well', () => {
  it.each([
    [
      'at the maximum length of the model',
      [half, finish('length')],
      'length',
      'answer_cut_off_error',
      'exhausted',
    ],
    [
      'in a call that is cut off',
      [half, call, finish('max_tokens')],
      'length',
      'answer_cut_off_error',
      'exhausted',
    ],
    [
      'because the provider withholds it',
      [half, finish('content_filter')],
      'content_filter',
      'answer_filtered_error',
      'terminal',
    ],
    ['with an error', [half, finish('error')], 'error', 'model_request_failed_error', 'exhausted'],
    [
      'with an unknown reason',
      [half, finish('by_decree')],
      'error',
      'model_request_failed_error',
      'exhausted',
    ],
  ])(
    '%s keeps its text; log, stream and export have the reason',
    async (_, pieces, reason, type, status) => {
      const { eventStream, requests, call: request, id, send } = await setup(...pieces);

      expect(eventStream.seen.find(isType('agent.message'))?.data).toMatchObject({
        content: [{ text: 'The first half' }],
        incomplete: 'failed',
      });
      expect(eventStream.seen.find(isType('session.error'))?.data).toMatchObject({
        error: { type, retry_status: { type: status } },
      });
      expect(eventStream.seen.find(isType('span.model_request_end'))?.data).toMatchObject({
        is_error: true,
        finish_reason: reason,
      });
      expect(requests).toHaveLength(1);
      const exported = await (
        await request('GET', `/sessions/${id}/export?format=markdown`)
      ).text();
      const error = eventStream.seen.find(isType('session.error'))?.data.error as {
        message: string;
      };
      expect(exported).toContain(`*${error.message}*`);

      await send(id, [message('go on')]);
      await eventStream.until(idle);
      expect(requests[1]?.body.messages).toEqual([
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'The first half' },
        { role: 'user', content: 'go on' },
      ]);
    },
  );

  it.each([
    ['nothing', [chunk({ role: 'assistant', content: '' }), finish()]],
    ['white space', [chunk({ content: '\n\n' }), finish()]],
    ['only reasoning', [chunk({ content: '<think>Hm.' }), finish()]],
  ])('with %s is an error that can be retried', async (_, pieces) => {
    const { eventStream, requests, send, id } = await setup(...pieces);

    expect(requests).toHaveLength(1);
    expect(eventStream.seen.some(isType('agent.message'))).toBe(false);
    expect(eventStream.seen.find(isType('session.error'))?.data).toMatchObject({
      error: { type: 'answer_empty_error', retry_status: { type: 'exhausted' } },
    });
    expect(eventStream.seen.find(isType('span.model_request_end'))?.data).toMatchObject({
      finish_reason: 'empty',
    });

    await send(id, [message('hello?')]);
    await eventStream.until(idle);
    expect(requests[1]?.body.messages).toEqual([{ role: 'user', content: 'hello\n\nhello?' }]);
  });

  it('because a filter refuses the prompt says so', async () => {
    const endpoint = await chatEndpoint(refuse(400, { message: 'no', code: 'content_filter' }));
    const { create, follow } = await setupConversation({
      agent: { model: { provider: 'openai-compatible', base_url: endpoint.url, model: 'm' } },
    });
    const eventStream = await follow(await create('hello'));
    await eventStream.until(idle);

    expect(eventStream.seen.find(isType('session.error'))?.data).toMatchObject({
      error: { type: 'answer_filtered_error', retry_status: { type: 'terminal' } },
    });
  });

  it('may be empty after a card, because the card is the answer', async () => {
    const card = { blocks: [{ type: 'text', text: 'Hi.' }] };
    const shown = { name: 'show_card', arguments: JSON.stringify(card) };
    const endpoint = await chatEndpoint(
      stream(chunk({ tool_calls: [{ index: 0, id: 'a', function: shown }] }), finish(), done),
      stream(finish(), done),
    );
    const { create, follow } = await setupConversation({
      agent: {
        model: { provider: 'openai-compatible', base_url: endpoint.url, model: 'm' },
        appearance: { cards: true },
      },
    });
    const eventStream = await follow(await create('hello'));
    await eventStream.until(idle);

    expect(endpoint.requests).toHaveLength(2);
    expect(eventStream.seen.some(isType('agent.card'))).toBe(true);
    expect(eventStream.seen.some(isType('session.error'))).toBe(false);
  });
});
