import type { LogEvent } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../config/default-config.ts';
import { isType, message, setupConversation } from '../../testing/setup-conversation.ts';
import { testOrigin } from '../../testing/setup-server.ts';

/** Sets up the default configuration without delays, for the origin of the tests. */
async function setup() {
  const agents = defaultConfig({}).agents.map((agent) => ({
    ...agent,
    short_id: 'test',
    model: { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 },
    embed: {
      allowed_origins: [testOrigin],
      limits: { requests_per_second: 100_000, concurrent: 100 },
    },
    modes: (agent.modes ?? []).map((mode) =>
      mode.model
        ? { ...mode, model: { ...mode.model, delay_ms: 0, first_delay_ms: 0 } as typeof mode.model }
        : mode,
    ),
  }));
  const conversation = await setupConversation({ config: { agents } });
  const { create, send, follow, log } = conversation;
  /** Sends a message, and returns the log after the run has ended. */
  const sendMessage = async (text: string, fields: object = {}): Promise<LogEvent[]> => {
    const id = await create();
    const stream = await follow(id);
    await send(id, [{ ...message(text), ...fields }]);
    await stream.until(isType('session.status_idle', 'session.status_terminated'));
    return log(id);
  };
  return { ...conversation, sendMessage };
}

const findEvent = <Type extends LogEvent['type']>(log: LogEvent[], type: Type) =>
  log.find((event): event is LogEvent<Type> => event.type === type);

describe('the demo of the default configuration', () => {
  it('shows a form, and confirms the submitted values', async () => {
    const { sendMessage, send, log, follow, call } = await setup();
    const card = findEvent(await sendMessage('I want to change my booking'), 'agent.card');
    const { data } = (await (await call('GET', '/sessions')).json()) as { data: { id: string }[] };
    const id = data[0]?.id ?? '';
    const values = {
      date: '2027-04-01',
      travellers: 2,
      cabin: 'double',
      email: 'ada@example.com',
      terms: true,
    };

    const event = { type: 'user.card_action', card_id: card?.id, action: 'change_booking', values };
    expect((await send(id, [event])).status).toBe(200);
    const stream = await follow(id);
    await stream.until(isType('user.card_action'));
    await stream.until(isType('session.status_idle'));

    const answer = (await log(id)).findLast(({ type }) => type === 'agent.message');
    expect(JSON.stringify(answer)).toContain('- cabin: **double**');
  });

  it.each([
    ['which trains are there', 'agent.card', { card: { blocks: [{ type: 'list' }] } }],
    [
      'a chart, please',
      'agent.card',
      { card: { blocks: [{ type: 'chart' }, { type: 'table' }, {}] } },
    ],
    ['a table, please', 'agent.suggestions', { prompts: [{}, {}] }],
    [
      'I approve',
      'agent.tool_use',
      { explanation: expect.stringMatching(/^Sends an email to ada/) },
    ],
    [
      'open it',
      'agent.custom_tool_use',
      { name: 'open_page', input: { path: '/bookings/V-4812' } },
    ],
    ['think', 'agent.thinking', {}],
    ['name your sources', 'agent.message', { content: [{ citations: [{}, {}, {}] }] }],
    ['goodbye', 'session.status_terminated', { reason: expect.stringContaining('goodbye') }],
  ] as const)('responds to “%s” with an event of the type %s', async (text, type, fields) => {
    const { sendMessage } = await setup();

    expect(findEvent(await sendMessage(text), type)).toMatchObject(fields);
  });

  it('responds more briefly in the mode `brief`, and thinks in the mode `thorough`', async () => {
    const { sendMessage } = await setup();
    const textIn = async (mode: string) =>
      JSON.stringify(findEvent(await sendMessage('tour', { mode }), 'agent.message')?.content);

    expect((await textIn('brief')).length).toBeLessThan((await textIn('balanced')).length / 2);
    expect(
      findEvent(await sendMessage('tour', { mode: 'thorough' }), 'agent.thinking'),
    ).toBeDefined();
  });
});
