import { describe, expect, it } from 'vitest';
import { chunk, done, finish, stream } from '../testing/chat-endpoint.ts';
import { isType, setupConversation } from '../testing/setup-conversation.ts';
import { setupPaidModel } from '../testing/setup-paid-model.ts';

/** A response of 12 characters whose `usage` is any JSON. */
const answerWith = (usage: string) =>
  stream(
    chunk({ content: 'All is well.' }),
    finish(),
    `data: {"choices":[],"usage":${usage}}\n\n`,
    done,
  );

describe('the usage that a provider reports', () => {
  it.each([
    '{}',
    'true',
    '[]',
    '{"total_tokens":12}',
    '{"prompt_tokens":true,"completion_tokens":true}',
    '{"prompt_tokens":10,"completion_tokens":null}',
    '{"prompt_tokens":-1000000000,"completion_tokens":-1000000000}',
    '{"prompt_tokens":1e308,"completion_tokens":1e308}',
    '{"prompt_tokens":"10","completion_tokens":{}}',
    '{"prompt_tokens":1.5,"completion_tokens":0.5}',
  ])('is replaced by an estimate if it is %s, without losing the answer', async (usage) => {
    const { settings, requests } = await setupPaidModel([answerWith(usage)]);
    const { create, follow, session, log } = await setupConversation(settings);
    const id = await create('hello');

    const end = await (await follow(id)).until(isType('session.status_idle'));

    expect(end.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
    expect(requests).toHaveLength(1);
    const events = await log(id);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'agent.message',
        content: [{ type: 'text', text: 'All is well.' }],
      }),
    );
    expect(events.find(({ type }) => type === 'span.model_request_end')).toMatchObject({
      model_usage: { output_tokens: 3, estimated: true },
    });
    const { usage: counted } = (await session(id)) as { usage: Record<string, number> };
    expect(counted.output_tokens).toBe(3);
    expect(counted.input_tokens).toBeGreaterThan(0);
    expect(counted.spent_cents).toBeGreaterThan(0);
    expect(counted.spent_cents).toBeLessThan(1);
  });

  it('is used for the valid counts, and replaced by an estimate for the missing ones', async () => {
    const { settings } = await setupPaidModel([answerWith('{"prompt_tokens":1000}')]);
    const { create, follow, session } = await setupConversation(settings);
    const id = await create('hello');

    await (await follow(id)).until(isType('session.status_idle'));

    expect(await session(id)).toMatchObject({ usage: { input_tokens: 1000, output_tokens: 3 } });
  });
});
