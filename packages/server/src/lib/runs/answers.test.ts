import { describe, expect, it } from 'vitest';
import { chatEndpoint, chunk, done, finish, stream, usage } from '../testing/chat-endpoint.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';

const idle = isType('session.status_idle');
const paidAnswer = stream(chunk({ content: 'Well.' }), finish(), usage(1000, 500), done);
const citation = (fields: object) => ({
  annotations: [{ type: 'url_citation', url_citation: fields }],
});

describe('citations', () => {
  const answerOf = (...pieces: string[]) => answerWithLimits({}, ...pieces);

  async function answerWithLimits(runLimits: object, ...pieces: string[]) {
    const endpoint = await chatEndpoint(stream(...pieces, finish(), done));
    const { create, follow } = await setupConversation({
      config: { limits: { run: runLimits } },
      agent: { model: { provider: 'openai-compatible', base_url: endpoint.url, model: 'm' } },
    });
    const eventStream = await follow(await create('hi'));
    await eventStream.until(idle);
    return eventStream.seen.filter(isType('agent.message')).map(({ data }) => data.content);
  }

  it('are part of their agent message, with their indices', async () => {
    const answers = await answerOf(
      chunk({ content: 'Tides rise.' }),
      chunk(
        citation({
          url: 'https://a.example/t',
          title: 'Tides',
          end_index: 11,
          content: 'They rise.',
        }),
      ),
      chunk({ content: ' And fall.' }),
      chunk(citation({ url: 'https://b.example/f' })),
    );

    expect(answers).toEqual([
      [
        {
          type: 'text',
          text: 'Tides rise. And fall.',
          citations: [
            { title: 'Tides', url: 'https://a.example/t', snippet: 'They rise.', end_index: 11 },
            { title: 'b.example', url: 'https://b.example/f', snippet: null, end_index: null },
          ],
        },
      ],
    ]);
  });

  it('have indices relative to their agent message', async () => {
    const answers = await answerOf(
      chunk({ content: 'One.' }),
      chunk({ reasoning_content: 'Hm.' }),
      chunk({ content: 'Two.' }),
      chunk(citation({ url: 'https://a.example', title: 'A', end_index: 8 })),
    );

    expect(answers).toMatchObject([[{ text: 'One.' }], [{ citations: [{ end_index: 4 }] }]]);
  });

  it('are limited to 100, to HTTP and HTTPS URLs, and to indices within the text', async () => {
    const [[block]] = (await answerOf(
      chunk({ content: 'One.' }),
      chunk(citation({ url: 'javascript:alert(1)', title: 'Bad', end_index: 999 })),
      chunk({ annotations: ['nonsense', { type: 'file_citation' }] }),
      ...Array.from({ length: 150 }, () =>
        chunk(citation({ url: 'https://a.example', title: 'A' })),
      ),
    )) as [[{ citations: object[] }]];

    expect(block.citations).toHaveLength(100);
    expect(block.citations[0]).toEqual({ title: 'Bad', url: null, snippet: null, end_index: 4 });
  });

  it.each([
    ['limits.run.citations', { citations: 3 }, 3],
    ['limits.run.citation_bytes', { citation_bytes: 2000 }, 4],
  ])('are limited by `%s` across all messages of a response', async (_, runLimits, keptCount) => {
    // Each citation has between 400 and 500 bytes as JSON in UTF-8, but fewer characters.
    const cited = citation({ url: 'https://a.example', title: 'A', content: 'é'.repeat(172) });

    const answers = await answerWithLimits(
      runLimits,
      chunk({ content: 'One.' }),
      chunk(cited),
      chunk(cited),
      chunk({ reasoning_content: 'Hm.' }),
      chunk({ content: 'Two.' }),
      ...Array.from({ length: 10 }, () => chunk(cited)),
    );

    const blocks = (answers as { citations?: object[] }[][]).flat();
    expect(blocks.flatMap((block) => block.citations ?? [])).toHaveLength(keptCount);
  });

  it('are dropped beyond a total of 128 KiB, so that the event stays below 1 MiB', async () => {
    const url = `https://a.example/${'x'.repeat(2000)}`;
    const cited = citation({ url, title: '"'.repeat(300), content: '"'.repeat(1000) });

    const [[block]] = (await answerOf(
      chunk({ content: '"'.repeat(262_144) }),
      ...Array.from({ length: 100 }, () => chunk(cited)),
    )) as [[{ citations: object[] }]];

    const bytes = Buffer.byteLength(JSON.stringify(block.citations));
    expect(bytes).toBeLessThan(131_072 + 100);
    expect(bytes).toBeGreaterThan(131_072 - 5000);
    expect(Buffer.byteLength(JSON.stringify(block))).toBeLessThan(1_048_576);
  });
});

describe('modes', () => {
  async function setup() {
    const [agentEndpoint, modeEndpoint] = [
      await chatEndpoint(paidAnswer),
      await chatEndpoint(paidAnswer),
    ];
    const modelAt = ({ url }: typeof agentEndpoint, model: string) =>
      ({ provider: 'openai-compatible', base_url: url, model }) as const;
    const conversation = await setupConversation({
      config: { prices: { small: {}, big: { input_cents_per_million: 1000 } } },
      agent: {
        instructions: 'Be kind.',
        model: modelAt(agentEndpoint, 'small'),
        modes: [
          { id: 'fast', label: 'Fast' },
          {
            id: 'deep',
            label: 'Deep',
            description: 'Takes its time',
            model: modelAt(modeEndpoint, 'big'),
            instructions: 'Think it through.',
          },
        ],
      },
    });
    const sendInMode = async (mode?: string | null) => {
      const id = await conversation.create();
      const response = await conversation.send(id, [{ ...message('hi'), mode }]);
      if (response.status === 200) await (await conversation.follow(id)).until(idle);
      return { id, response };
    };
    return {
      ...conversation,
      small: agentEndpoint.requests,
      big: modeEndpoint.requests,
      sendInMode,
    };
  }

  it('select the model and the instructions for a message; the agent’s own apply without a mode and in a mode that has none', async () => {
    const { sendInMode, small, big, session } = await setup();

    await sendInMode();
    await sendInMode('fast');
    const { id } = await sendInMode('deep');

    expect([small.length, big.length]).toEqual([2, 1]);
    expect(small[0]?.body.messages[0]).toEqual({ role: 'system', content: 'Be kind.' });
    expect(big[0]?.body).toMatchObject({
      model: 'big',
      messages: [{ role: 'system', content: 'Be kind.\n\nThink it through.' }, {}],
    });
    // The cost of the mode's model, not of the agent's model.
    expect(await session(id)).toMatchObject({ usage: { spent_cents: 1 } });
  });

  it('are part of the embed configuration, without their instructions', async () => {
    const { call } = await setup();

    expect(await (await call('GET', '/embed/config')).json()).toMatchObject({
      modes: [
        { id: 'fast', label: 'Fast', description: null },
        { id: 'deep', label: 'Deep', description: 'Takes its time' },
      ],
    });
    expect(await (await call('GET', '/embed/config')).text()).not.toContain('Think it through');
  });

  it('are rejected if the agent has no such mode', async () => {
    const { sendInMode, call } = await setup();
    const plain = await setupConversation();

    expect(await (await sendInMode('wild')).response.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      detail: '`events.0.mode` must be one of the agent’s modes: `fast`, `deep`.',
      errors: [{ pointer: '/events/0/mode' }],
    });
    const created = await call('POST', '/sessions', {
      initial_events: [{ ...message('x'), mode: 'wild' }],
    });
    expect(await created.json()).toMatchObject({ errors: [{ pointer: '/initial_events/0/mode' }] });
    const id = await plain.create();
    const without = await plain.send(id, [{ ...message('x'), mode: 'fast' }]);
    expect(await without.json()).toMatchObject({
      errors: [{ message: 'must be left out: this agent has no modes' }],
    });
  });

  it('apply only to the message that selects them, and are stored with this message', async () => {
    const { sendInMode, send, follow, log, big, small } = await setup();
    const { id } = await sendInMode('deep');
    const eventStream = await follow(id);
    await eventStream.until(idle);

    await send(id, [message('more')]);
    await eventStream.until(idle);

    expect([big.length, small.length]).toEqual([1, 1]);
    const messages = (await log(id)).filter(({ type }) => type === 'user.message');
    expect(messages[0]).toMatchObject({ mode: 'deep' });
    expect(messages[1]).not.toHaveProperty('mode');
  });
});

describe('mentions', () => {
  it('are sent to the model after the text of their message, and stored in the log', async () => {
    const { url, requests } = await chatEndpoint(paidAnswer);
    const { create, send, follow, log } = await setupConversation({
      agent: { model: { provider: 'openai-compatible', base_url: url, model: 'm' } },
    });
    const id = await create();
    const mentions = [{ id: 'order_7', label: 'Order "7"' }];

    await send(id, [{ ...message('Where is @Order "7"?'), mentions }]);
    await (await follow(id)).until(idle);

    expect(requests[0]?.body.messages.at(-1)?.content).toBe(
      'Where is @Order "7"?\n\n[Mentioned with @ in this message:\n- "Order \\"7\\"", id "order_7"]',
    );
    expect((await log(id))[0]).toMatchObject({ mentions });
  });

  it.each([
    ['without an id', [{ label: 'x' }], '/events/0/mentions/0/id', 'is required'],
    [
      'without a label',
      [{ id: 'x', label: '' }],
      '/events/0/mentions/0/label',
      'must not be empty',
    ],
    [
      'if there are 21',
      Array.from({ length: 21 }, () => ({ id: 'x', label: 'x' })),
      '/events/0/mentions',
      'must have at most 20 mentions',
    ],
  ])('are rejected %s', async (_, mentions, pointer, rule) => {
    const { create, send } = await setupConversation();

    const refused = await send(await create(), [{ ...message('x'), mentions }]);

    expect(await refused.json()).toMatchObject({ errors: [{ pointer, message: rule }] });
  });
});

describe('the allowances of a user', () => {
  const prices = { m: { input_cents_per_million: 1000, output_cents_per_million: 2000 } };
  const resets = '2026-01-16T00:00:00.000Z';

  it('are sent at the end of each run, as the used fractions of the session budget and of the daily budget', async () => {
    const { url } = await chatEndpoint(paidAnswer);
    const { requestAsPage, call, log } = await setupConversation({
      fakeClock: true,
      config: { prices },
      agent: {
        model: { provider: 'openai-compatible', base_url: url, model: 'm' },
        publishable_keys: [{ key: 'pk_test', spend_cents_per_day: 8, budget_cents: 4 }],
      },
    });
    const body = { publishable_key: 'pk_test' };
    const visitor = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', body);
    const { token } = (await visitor.json()) as { token: string };
    const config = async () => (await call('GET', '/embed/config', undefined, {}, token)).json();
    expect(await config()).toMatchObject({
      allowances: [{ type: 'day', used: 0, resets_at: resets }],
    });

    const initial_events = [message('hi')];
    const created = await call('POST', '/sessions', { initial_events }, {}, token);
    const { id } = (await created.json()) as { id: string };
    const events = async () => {
      const response = await call('GET', `/sessions/${id}/events`, undefined, {}, token);
      return ((await response.json()) as { data: Awaited<ReturnType<typeof log>> }).data;
    };
    await expect.poll(async () => (await events()).at(-1)?.type).toBe('session.status_idle');

    // 1,000 input and 500 output tokens cost 1 + 1 cents.
    expect((await events()).at(-1)).toMatchObject({
      allowances: [
        { type: 'session', used: 0.5, resets_at: null },
        { type: 'day', used: 0.25, resets_at: resets },
      ],
    });
    expect(await config()).toMatchObject({ allowances: [{ type: 'day', used: 0.25 }] });
  });

  it('are omitted or empty if the user has no budget', async () => {
    const { create, follow, call } = await setupConversation();
    const eventStream = await follow(await create('hi'));

    expect((await eventStream.until(idle)).data).not.toHaveProperty('allowances');
    expect(await (await call('GET', '/embed/config')).json()).toMatchObject({ allowances: [] });
  });
});
