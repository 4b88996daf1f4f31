import { describe, expect, it } from 'vitest';
import { chatEndpoint, chunk, done, finish, stream } from '../testing/chat-endpoint.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { setupServer } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const idle = isType('session.status_idle');
const card = {
  title: 'Seats',
  blocks: [
    {
      type: 'field',
      name: 'seats',
      label: 'Seats',
      kind: 'number',
      required: true,
      min: 1,
      max: 4,
    },
    {
      type: 'buttons',
      buttons: [
        { label: 'Book', action: 'book' },
        { label: 'No', action: 'cancel', skips_fields: true },
      ],
    },
  ],
};
const call = (name: string, input: unknown) =>
  chunk({
    tool_calls: [{ index: 0, id: 'c1', function: { name, arguments: JSON.stringify(input) } }],
  });
const appearance = { cards: true };

/** Creates a session in which the model has shown a card. Later model responses are “Well.”. */
async function setup(input: object = card, settings: object = { appearance }) {
  const endpoint = await chatEndpoint(
    stream(chunk({ content: 'Here:' }), call('show_card', input), finish('tool_calls'), done),
    stream(chunk({ content: 'Well.' }), finish(), done),
  );
  const conversation = await setupConversation({
    agent: {
      model: { provider: 'openai-compatible', base_url: endpoint.url, model: 'm' },
      ...settings,
    },
  });
  const id = await conversation.create('seats, please');
  const eventStream = await conversation.follow(id);
  await eventStream.until(idle);
  const cardId = String(eventStream.seen.find(isType('agent.card'))?.data.id);
  const answer = (fields: object = {}) =>
    conversation.send(id, [
      {
        type: 'user.card_action',
        card_id: cardId,
        action: 'book',
        values: { seats: 2 },
        ...fields,
      },
    ]);
  return { ...conversation, ...endpoint, id, eventStream, cardId, answer };
}

describe('a card', () => {
  it('is logged as an `agent.card` event, and the model gets a result of the `show_card` call', async () => {
    const { eventStream, requests, cardId } = await setup();

    const types = eventStream.seen.map(({ data }) => data.type);
    expect(types).not.toContain('agent.tool_use');
    expect(eventStream.seen.find(isType('agent.card'))?.data).toMatchObject({ id: cardId, card });
    expect(types.indexOf('agent.message')).toBeLessThan(types.indexOf('agent.card'));
    expect(requests[0]?.body.tools).toMatchObject([{ function: { name: 'show_card' } }]);
    expect(requests[1]?.body.messages.slice(1)).toMatchObject([
      {
        role: 'assistant',
        content: 'Here:',
        tool_calls: [{ id: 'c1', function: { name: 'show_card' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: expect.stringContaining('is shown') },
    ]);
  });

  it('is not shown if it is invalid, and the model gets the errors', async () => {
    const invalidCard = { blocks: [{ type: 'field', name: 'a', label: 'A', kind: 'choice' }] };
    const { eventStream, requests } = await setup(invalidCard);

    expect(eventStream.seen.some(isType('agent.card'))).toBe(false);
    expect(eventStream.seen.find(isType('agent.tool_result'))?.data).toMatchObject({
      is_error: true,
    });
    expect(requests[1]?.body.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('/blocks/0/options must hold what a choice chooses from'),
    });
  });

  it('is not available to the model unless `cards` is enabled', async () => {
    const { eventStream, requests } = await setup(card, {});

    expect(requests[0]?.body).not.toHaveProperty('tools');
    expect(eventStream.seen.some(isType('agent.card'))).toBe(false);
    expect(JSON.stringify(requests[1]?.body.messages.at(-1))).toContain(
      'There is no tool show_card.',
    );
  });
});

describe('an answer to a card', () => {
  it('starts a run with the values of the user', async () => {
    const { answer, requests, eventStream, cardId } = await setup();

    const response = await answer();
    await eventStream.until(idle);

    expect(await response.json()).toMatchObject({
      data: [{ type: 'user.card_action', card_id: cardId, action: 'book', values: { seats: 2 } }],
    });
    expect(requests.at(-1)?.body.messages.at(-1)).toEqual({
      role: 'user',
      content: '[Answer to the card "Seats"]\n{"action":"book","values":{"seats":2}}',
    });
  });

  it.each([
    [
      'an action that the card does not have',
      { action: 'steal' },
      '/events/0/action',
      'must be an action of the card: `book`, `cancel`',
    ],
    ['a missing value', { values: {} }, '/events/0/values/seats', 'is required'],
    [
      'a value out of bounds',
      { values: { seats: 5 } },
      '/events/0/values/seats',
      'must be at most 4',
    ],
    [
      'a value of another type',
      { values: { seats: '2' } },
      '/events/0/values/seats',
      'must be a number',
    ],
    [
      'a value without a field',
      { values: { seats: 2, extra: 1 } },
      '/events/0/values/extra',
      'must be the name of a field of the card',
    ],
    [
      'values for an action that takes none',
      { action: 'cancel' },
      '/events/0/values/seats',
      'must be left out: this action takes no values',
    ],
    [
      'an unknown card id',
      { card_id: 'evt_none' },
      '/events/0/card_id',
      'must be the id of an `agent.card` of this session',
    ],
  ])('is rejected with %s', async (_, fields, pointer, rule) => {
    const { answer, log, id } = await setup();

    const response = await answer(fields);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      detail: expect.stringContaining(rule),
      errors: [{ pointer, message: rule }],
    });
    expect((await log(id)).map(({ type }) => type)).not.toContain('user.card_action');
  });

  it('is accepted once, even if it is sent twice in one request or in simultaneous requests', async () => {
    const { answer, send, id, log, cardId } = await setup();
    const event = {
      type: 'user.card_action',
      card_id: cardId,
      action: 'book',
      values: { seats: 1 },
    };

    expect((await send(id, [event, event])).status).toBe(409);
    const sent = await Promise.all(Array.from({ length: 6 }, () => answer()));

    expect(sent.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const refused = sent.find(({ status }) => status === 409);
    expect(await refused?.json()).toMatchObject({ code: 'CONFLICT' });
    expect((await log(id)).filter(({ type }) => type === 'user.card_action')).toHaveLength(1);
  });

  it('is stored once, with the same response, if the request is repeated with its idempotency key', async () => {
    const { send, id, cardId, log } = await setup();
    const event = { type: 'user.card_action', card_id: cardId, action: 'cancel' };
    const key = { 'idempotency-key': 'k' };

    const [firstResponse, secondResponse] = [
      await send(id, [event], key),
      await send(id, [event], key),
    ];

    expect([firstResponse.status, secondResponse.status]).toEqual([200, 200]);
    expect(await firstResponse.json()).toEqual(await secondResponse.json());
    expect((await log(id)).filter(({ type }) => type === 'user.card_action')).toHaveLength(1);
  });

  it('gets the same response for simultaneous requests with the same idempotency key', async () => {
    const { cardId, send, id } = await setup();
    const event = { type: 'user.card_action', card_id: cardId, action: 'cancel' };
    const key = { 'idempotency-key': 'k' };

    const answers = await Promise.all(Array.from({ length: 5 }, () => send(id, [event], key)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(bodies).size).toBe(1);
  });

  it('cannot be given by another user', async () => {
    const { call, id, cardId, issue } = await setup();
    const { token } = await issue('eve');
    const event = { type: 'user.card_action', card_id: cardId, action: 'cancel' };

    expect(
      (await call('POST', `/sessions/${id}/events`, { events: [event] }, {}, token)).status,
    ).toBe(404);
  });

  it('continues the branch of the card', async () => {
    const { answer, requests, eventStream, send, id } = await setup();
    await send(id, [{ ...message('something else'), parent_id: null }]);
    await eventStream.until(idle);

    const response = await answer();
    await eventStream.until(idle);

    const { data } = (await response.json()) as { data: { parent_id: string }[] };
    const first = eventStream.seen.find(isType('user.message'))?.data.id;
    expect(data).toMatchObject([{ type: 'user.card_action', parent_id: first }]);
    const last = requests.at(-1)?.body.messages ?? [];
    expect(last[0]?.content).toBe('seats, please');
    expect(JSON.stringify(last)).not.toContain('something else');
  });

  it('is accepted for a card that was shown before a restart', async () => {
    const data = temporaryFolder();
    const agent = {
      appearance,
      model: {
        provider: 'scripted' as const,
        delay_ms: 0,
        first_delay_ms: 0,
        script: [{ call: 'show_card', input: card }],
      },
    };
    const before = await setupServer({ data, agent });
    const { token } = await before.issue();
    const path = '/agent/v1/sessions';
    const created = await before.requestAsUser(token, 'POST', path, {
      initial_events: [message('x')],
    });
    const { id } = (await created.json()) as { id: string };
    const cardOf = async (server: typeof before) => {
      const page = await server.requestAsUser(
        token,
        'GET',
        `${path}/${id}/events?types=agent.card`,
      );
      return ((await page.json()) as { data: { id: string }[] }).data[0];
    };
    await expect.poll(async () => cardOf(before)).toBeTruthy();
    await before.close();

    const after = await setupServer({ data, agent });
    const send = () =>
      after.requestAsUser(token, 'POST', `${path}/${id}/events`, { events: [event] });
    const event = {
      type: 'user.card_action',
      card_id: (await cardOf(after))?.id,
      action: 'cancel',
    };

    expect([(await send()).status, (await send()).status]).toEqual([200, 409]);
    await after.close();
  });
});

describe('suggestions', () => {
  const suggest = (input: unknown) => call('suggest_replies', input);
  const run = async (...pieces: string[]) => {
    const endpoint = await chatEndpoint(
      stream(...pieces, finish('tool_calls'), done),
      stream(chunk({ content: 'Once more.' }), finish(), done),
    );
    const { create, follow } = await setupConversation({
      agent: {
        model: { provider: 'openai-compatible', base_url: endpoint.url, model: 'm' },
        appearance: { suggestions: true },
      },
    });
    const eventStream = await follow(await create('hi'));
    await eventStream.until(idle);
    return {
      ...endpoint,
      types: eventStream.seen.map(({ data }) => data.type),
      seen: eventStream.seen,
    };
  };

  it('end the run without another model call if the model also sends a message', async () => {
    const { requests, types, seen } = await run(
      chunk({ content: 'Done.' }),
      suggest({ prompts: ['And tomorrow?', ' And tomorrow? ', 'Thanks'] }),
    );

    expect(requests).toHaveLength(1);
    expect(seen.find(isType('agent.suggestions'))?.data).toMatchObject({
      prompts: [{ label: 'And tomorrow?' }, { label: 'Thanks' }],
    });
    expect(types.slice(-3)).toEqual([
      'agent.suggestions',
      'span.model_request_end',
      'session.status_idle',
    ]);
  });

  it('lead to another model call if the model sends no message', async () => {
    const { requests, types } = await run(suggest({ prompts: ['And tomorrow?'] }));

    expect(requests).toHaveLength(2);
    expect(requests[1]?.body.messages.at(-1)).toMatchObject({
      content: 'The suggestions are shown.',
    });
    expect(types).toContain('agent.message');
  });

  it.each([
    [
      'five prompts',
      { prompts: ['1', '2', '3', '4', '5'] },
      '/prompts must hold at most 4 prompts',
    ],
    ['no prompts', { prompts: [] }, '/prompts must hold at least one prompt'],
    ['an empty prompt', { prompts: ['a', ' '] }, '/prompts/1 must not be empty'],
  ])('are rejected with %s', async (_, input, rule) => {
    const { requests, types } = await run(chunk({ content: 'Done.' }), suggest(input));

    expect(types).not.toContain('agent.suggestions');
    expect(JSON.stringify(requests[1]?.body.messages.at(-1))).toContain(rule);
  });
});
