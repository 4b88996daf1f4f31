import type { LogEvent } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { testOrigin } from '../testing/setup-server.ts';
import { defaultConfig } from './default-config.ts';

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

describe('the agent of the default configuration', () => {
  it.each([
    ['a table, please', 'agent.suggestions', { prompts: [{}, {}] }],
    [
      'I approve',
      'agent.tool_use',
      { explanation: expect.stringMatching(/^Sends an email to ada/) },
    ],
    ['what is the weather', 'agent.tool_result', { content: [{ text: '24 °C and sunny' }] }],
    ['think', 'agent.thinking', {}],
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
