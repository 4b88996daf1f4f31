import { describe, expect, it } from 'vitest';
import { chatEndpoint, chunk, done, finish, stream } from '../testing/chat-endpoint.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';

const idle = isType('session.status_idle');
const card = {
  title: 'Seats',
  blocks: [
    { type: 'field', name: 'seats', label: 'Seats', kind: 'number', required: true, max: 4 },
    { type: 'buttons', buttons: [{ label: 'Book', action: 'book' }] },
  ],
};

describe('an answer to the welcome card', () => {
  const answer = {
    type: 'user.card_action',
    card_id: 'welcome',
    action: 'book',
    values: { seats: 2 },
  };

  async function setup(
    settings: object = { appearance: { welcome: { card } } },
    options: Parameters<typeof setupConversation>[0] = {},
  ) {
    const endpoint = await chatEndpoint(stream(chunk({ content: 'Well.' }), finish(), done));
    const conversation = await setupConversation({
      ...options,
      agent: {
        model: { provider: 'openai-compatible', base_url: endpoint.url, model: 'm' },
        ...settings,
      },
    });
    const start = (...events: object[]) =>
      conversation.call('POST', '/sessions', { initial_events: events });
    return { ...conversation, ...endpoint, start };
  }

  it('starts a session with the card and the answer, which the model gets as the first message', async () => {
    const { start, follow, log, requests, call } = await setup();

    const { id } = (await (await start(answer)).json()) as { id: string };
    const eventStream = await follow(id);
    await eventStream.until(idle);

    const [shown, answered] = await log(id);
    expect(shown).toMatchObject({ type: 'agent.card', card });
    expect(answered).toMatchObject({ ...answer, card_id: shown?.id });
    expect(eventStream.seen.some(isType('agent.message'))).toBe(true);
    expect(requests).toHaveLength(1);
    const [text, json] = String(requests[0]?.body.messages[0]?.content).split('\n');
    expect(text).toBe('[Answer to the card "Seats"]');
    expect(JSON.parse(json ?? '')).toEqual({ action: 'book', values: { seats: 2 }, card });
    expect(requests[0]?.body.messages).toHaveLength(1);
    const exported = await (await call('GET', `/sessions/${id}/export?format=markdown`)).text();
    expect(exported).toContain('seats: 2');
  });

  it('starts an empty session', async () => {
    const { start, send, follow } = await setup();
    const { id } = (await (await start()).json()) as { id: string };

    const response = await send(id, [answer]);

    expect(response.status).toBe(200);
    expect(((await response.json()) as { data: unknown[] }).data).toMatchObject([
      { type: 'user.card_action', action: 'book' },
    ]);
    await (await follow(id)).until(idle);
  });

  it('is accepted once if two tabs answer in the same empty session', async () => {
    const { start, send, log } = await setup();
    const { id } = (await (await start()).json()) as { id: string };

    const answers = [1, 2].map((seats) => send(id, [{ ...answer, values: { seats } }]));
    const responses = await Promise.all(answers);

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const types = (await log(id)).map(({ type }) => type);
    expect(types.filter((type) => /card/.test(type))).toEqual(['agent.card', 'user.card_action']);
  });

  it('counts only the bytes of the answer against the daily limit of the user', async () => {
    const longCard = {
      ...card,
      blocks: [{ type: 'text', text: 'x'.repeat(5000) }, ...card.blocks],
    };
    const limits = { user: { message_bytes_per_day: 2000 } };
    const { start } = await setup(
      { appearance: { welcome: { card: longCard } } },
      { config: { limits } },
    );

    expect((await start(answer)).status).toBe(200);
  });

  it('is rejected with a pointer to the invalid value, and creates no session', async () => {
    const { start, call } = await setup();

    const response = await start({ ...answer, values: { seats: 9 } });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ pointer: '/initial_events/0/values/seats', message: 'must be at most 4' }],
    });
    expect(await (await call('GET', '/sessions')).json()).toMatchObject({ data: [] });
  });

  it('is rejected after the first event, and if the agent has no welcome card', async () => {
    const { start } = await setup();
    expect((await start(message('Hi'), answer)).status).toBe(409);
    expect((await start(answer, answer)).status).toBe(409);

    const without = await setup({});
    const response = await without.start(answer);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ pointer: '/initial_events/0/card_id' }],
    });
  });
});
